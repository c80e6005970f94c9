// The JSON responses that a page fetched, as data: parsed, bounded in depth, and without values that grant access.
import type { NetworkRecord, RecordedResponse } from '../base/network-responses.ts'

export interface NetworkResponse extends Omit<RecordedResponse, 'request' | 'text'> {
  /** Names of the GraphQL operations. */
  operation?: string
  request?: unknown
  body?: unknown
  /** Why there is no body. */
  omitted?: string
}

const MAX_DEPTH = 50
const REDACTED = '[redacted]'
const MAX_URL_CHARS = 4000
/** Guards before JSON, so that it does not run as a script. */
const GUARD = /^\s*(?:\)\]\}'?,?|for\s*\(;;\);|while\s*\(1\);)/
const SECRET_NAME =
  /(?:^|_)(?:pass(?:word|wd|phrase|code)|pwd|secret|(?<!page_|next_|continuation_)token|jwt|authorization|bearer|credentials?|cookies?|sid|csrf|xsrf|otp|session_?(?:id|key)|(?:api|access|private|auth|secret|client|signing|encryption)_?key)$/
const SECRET_PARAMETER = /(?:^|_)(?:key|auth|code|sig|signature|hash|session|credential)$/
const JWT = /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+/g
const OPERATION = /^\s*(?:query|mutation|subscription)\s+(\w{1,100})/

export function readNetworkResponses({ responses, secrets }: NetworkRecord): NetworkResponse[] {
  const isSecret = makeNameCheck()
  const hide = (text: string) => secrets.reduce((shown, value) => shown.replaceAll(value, REDACTED), text)
  const read = (text: string) => redact(parse(hide(text)), isSecret)
  return responses.map(({ text, request, url, ...facts }) => ({
    url: cleanUrl(hide(url), isSecret),
    ...facts,
    ...(request === undefined ? {} : readRequest(request, read)),
    ...readBody(text, read),
  }))
}

function readBody(text: RecordedResponse['text'], read: (text: string) => unknown) {
  if (text === undefined) return { omitted: 'it is larger than what is left of `maxBytes`, or the page discarded it' }
  try {
    return { body: read(text) }
  } catch (error) {
    return { omitted: error instanceof SyntaxError ? 'it is not valid JSON' : (error as Error).message }
  }
}

function readRequest(text: string, read: (text: string) => unknown): Pick<NetworkResponse, 'request' | 'operation'> {
  try {
    const request = read(text)
    const names = [request].flat().flatMap((one) => operationName(one) ?? [])
    return { ...(names.length > 0 ? { operation: names.slice(0, 20).join(', ') } : {}), request }
  } catch {
    // A form, or bytes: it may hold what a person typed.
    return {}
  }
}

function operationName(request: unknown): string | undefined {
  const { operationName: name, query } = (request ?? {}) as { operationName?: unknown; query?: unknown }
  if (typeof name === 'string') return name.slice(0, 100)
  return typeof query === 'string' ? OPERATION.exec(query)?.[1] : undefined
}

function parse(text: string): unknown {
  if (isDeeperThan(text, MAX_DEPTH)) throw new Error(`it is nested deeper than ${MAX_DEPTH} levels`)
  const json = text.replace(GUARD, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    const lines = json.split('\n').filter((line) => line.trim() !== '')
    if (lines.length < 2) throw error
    return lines.map((line) => JSON.parse(line) as unknown)
  }
}

/** Before parsing, which would otherwise build what is refused. */
function isDeeperThan(text: string, most: number): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 92) at++
    else if (code === 34) inText = !inText
    else if (inText) continue
    else if (code === 91 || code === 123) {
      if (++depth > most) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}

/** In place, since the value is ours: assigning to a name that exists cannot reach a prototype. */
function redact(value: unknown, isSecret: (name: string) => boolean): unknown {
  if (typeof value === 'string') return value.includes('eyJ') ? value.replace(JWT, REDACTED) : value
  if (value === null || typeof value !== 'object') return value
  const held = value as Record<string, unknown>
  for (const name of Object.keys(held)) {
    const one = held[name]
    const isText = typeof one === 'string' || typeof one === 'number'
    if (isText && isSecret(name)) held[name] = REDACTED
    else if (typeof one === 'object' || isText) {
      const made = redact(one, isSecret)
      if (made !== one) held[name] = made
    }
  }
  return value
}

const asWords = (name: string): string =>
  name
    .slice(0, 100)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-.\s]+/g, '_')
    .toLowerCase()

function makeNameCheck(): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const found = known.get(name) ?? SECRET_NAME.test(asWords(name))
    known.set(name, found)
    return found
  }
}

function cleanUrl(text: string, isSecret: (name: string) => boolean): string {
  if (!URL.canParse(text)) return ''
  const url = new URL(text)
  url.username = url.password = url.hash = ''
  for (const name of new Set(url.searchParams.keys()))
    if (isSecret(name) || SECRET_PARAMETER.test(asWords(name))) url.searchParams.set(name, REDACTED)
  return url.href.slice(0, MAX_URL_CHARS)
}

export const FETCHED_MARK = 'data-fetched'

/** As data scripts at the end of the page, where all readers of structured data find them. */
export const writeAsDataScripts = (responses: readonly NetworkResponse[]): string =>
  responses
    .filter(({ body, status }) => typeof body === 'object' && body !== null && status < 400)
    .map(
      ({ body }) =>
        `<script type="application/json" ${FETCHED_MARK}>${JSON.stringify(body).replaceAll('<', '\\u003c')}</script>`,
    )
    .join('')
