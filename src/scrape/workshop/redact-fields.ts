// Redaction in a worker: every text in a document's fields, by kind of text.

import { makeLookupTable } from '../../base/lookup-table.ts'
import { once } from '../../base/values.ts'
import type { Redactor } from '../../understanding/privacy/redact.ts'
import type { RedactOptions } from '../../understanding/privacy/redact-options.ts'

/** Fields with our own links or without page text. */
const FIELDS_NOT_REDACTED = new Set(['screenshot', 'screenshots', 'pdfs', 'audio', 'video', 'images'])
/** Per field, the only keys with page text. "Georgia" is a typeface here. */
const TEXT_KEYS_OF_FIELD = makeLookupTable<ReadonlySet<string>>({ branding: new Set(['brandName', 'targetAudience']) })
const MARKUP = new Set(['html', 'rawHtml'])
const NOT_WORDS = makeLookupTable<ReadonlySet<string>>({
  metadata: new Set(['url', 'sourceURL', 'canonical', 'favicon']),
  blocks: new Set(['id', 'type', 'label', 'status', 'source']),
})
const MAX_DEPTH = 60

export const loadRedactor = once(
  async (): Promise<Redactor> => (await import('../../understanding/privacy/redact.ts')).openRedactor(),
)

export interface RedactRequest {
  fields: Record<string, Uint8Array>
  options: RedactOptions
  /** Family names of people named in full on the page. */
  names?: readonly string[]
}

/** A person named in full in one field is redacted in all: the html has "Ngozi Okafor", an answer only "Okafor". */
export async function redactFields({
  fields,
  options,
  names: given = [],
}: RedactRequest): Promise<Record<string, Uint8Array>> {
  const tool = await loadRedactor()
  const open = Object.entries(fields).filter(([field]) => !FIELDS_NOT_REDACTED.has(field))
  const values = open.map(([field, bytes]) => [field, JSON.parse(new TextDecoder().decode(bytes)) as unknown] as const)
  const names = new Set(given)
  if (values.length > 1 && options.entities.includes('PERSON'))
    for (const [field, value] of values)
      eachText(value, field, (text, key) => {
        if (isWords(field, key)) for (const name of tool.names(text, kindOf(key), options)) names.add(name)
        return text
      })
  const redacted = { ...fields }
  for (const [field, value] of values) {
    const redact = (text: string, key: string) =>
      isWords(field, key) ? tool.redact(text, kindOf(key), options, names) : text
    redacted[field] = new TextEncoder().encode(JSON.stringify(eachText(value, field, redact)))
  }
  return redacted
}

const kindOf = (key: string) => (MARKUP.has(key) ? 'html' : 'markdown')

function isWords(field: string, key: string): boolean {
  const only = TEXT_KEYS_OF_FIELD[field]
  return !FIELDS_NOT_REDACTED.has(key) && !NOT_WORDS[field]?.has(key) && (!only || only.has(key))
}

function eachText(value: unknown, key: string, redact: (text: string, key: string) => string, depth = 0): unknown {
  // Redaction invalidates offsets into the markdown.
  if (key === 'markdownSpan') return null
  if (typeof value === 'string') return redact(value, key)
  if (value === null || typeof value !== 'object') return value
  if (depth > MAX_DEPTH) throw new Error('the data are nested too deeply')
  if (Array.isArray(value)) return value.map((item) => eachText(item, key, redact, depth + 1))
  const redacted: Record<string, unknown> = {}
  const numbers = new Map<string, number>()
  for (const [name, inner] of Object.entries(value)) {
    const shown = LABEL.test(name) ? findUnusedName(redact(name, name), redacted, numbers) : name
    Object.defineProperty(redacted, shown, {
      value: eachText(inner, name, redact, depth + 1),
      ...{ enumerable: true, configurable: true, writable: true },
    })
  }
  return redacted
}

const LABEL = /[\s@]|\d{6}/

/** Numbers duplicate keys; `numbers` holds the last number of each, so that none is tried twice. */
function findUnusedName(name: string, taken: object, numbers: Map<string, number>): string {
  let [shown, n] = [name, numbers.get(name) ?? 1]
  while (Object.hasOwn(taken, shown)) shown = `${name} ${++n}`
  numbers.set(name, n)
  return shown
}
