// Redaction as a worker does it: every text in a document's fields, by what kind of text it is. The lists behind it are
// loaded with the first text and kept for as long as the thread lives.
import type { Redactor } from '../../content/privacy/redact.ts'
import type { RedactWish } from '../../content/privacy/wish.ts'

/** Fields that hold addresses of ours or none of the page's words: to change them would only break them. */
const UNTOUCHED = new Set(['screenshot', 'screenshots', 'pdfs', 'audio', 'video', 'images'])
/** By field: the only keys whose values are the page's words. "Georgia" is a typeface here. */
const WORDS: Readonly<Record<string, ReadonlySet<string>>> = { branding: new Set(['brandName', 'targetAudience']) }
const MARKUP = new Set(['html', 'rawHtml'])
/** By field: keys whose values are not the page's words. */
const NOT_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  metadata: new Set(['url', 'sourceURL', 'canonical', 'favicon']),
  blocks: new Set(['id', 'type', 'label', 'status', 'source']),
}
const MAX_DEPTH = 60

let opened: Promise<Redactor> | undefined

/** The thread's redactor. */
export function redactor(): Promise<Redactor> {
  opened ??= import('../../content/privacy/redact.ts').then(({ openRedactor }) => openRedactor())
  return opened
}

export interface RedactRequest {
  /** JSON bytes by field. */
  fields: Record<string, Uint8Array>
  wish: RedactWish
}

/** The same fields without what is personal or secret. */
export async function redactFields({ fields, wish }: RedactRequest): Promise<Record<string, Uint8Array>> {
  const tool = await redactor()
  const redacted: Record<string, Uint8Array> = {}
  for (const [field, bytes] of Object.entries(fields)) {
    if (UNTOUCHED.has(field)) {
      redacted[field] = bytes
      continue
    }
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    const [kept, only] = [NOT_WORDS[field], WORDS[field]]
    const redact = (text: string, key: string) =>
      UNTOUCHED.has(key) || kept?.has(key) || (only && !only.has(key))
        ? text
        : tool.redact(text, MARKUP.has(key) ? 'html' : 'markdown', wish)
    redacted[field] = new TextEncoder().encode(JSON.stringify(eachText(value, field, redact, 0)))
  }
  return redacted
}

function eachText(value: unknown, key: string, redact: (text: string, key: string) => string, depth: number): unknown {
  // Where an offset into the markdown would no longer be right, there is none.
  if (key === 'markdownSpan') return null
  if (typeof value === 'string') return redact(value, key)
  if (value === null || typeof value !== 'object') return value
  if (depth > MAX_DEPTH) throw new Error('the data are nested too deeply')
  if (Array.isArray(value)) return value.map((item) => eachText(item, key, redact, depth + 1))
  const redacted: Record<string, unknown> = {}
  const numbers = new Map<string, number>()
  for (const [name, inner] of Object.entries(value)) {
    const shown = LABEL.test(name) ? unused(redact(name, name), redacted, numbers) : name
    Object.defineProperty(redacted, shown, {
      value: eachText(inner, name, redact, depth + 1),
      ...{ enumerable: true, configurable: true, writable: true },
    })
  }
  return redacted
}

/** A key that is words of the page rather than a name in somebody's schema. */
const LABEL = /[\s@]|\d{6}/

/** The key, or it with a number when another became the same. `numbers`: the last one of each, so that none is tried twice. */
function unused(name: string, taken: object, numbers: Map<string, number>): string {
  let [shown, n] = [name, numbers.get(name) ?? 1]
  while (Object.hasOwn(taken, shown)) shown = `${name} ${++n}`
  numbers.set(name, n)
  return shown
}
