// Parses a JSON body with limits on depth and values, without prototype keys and NUL, which databases reject in
// text.
import { parse } from 'secure-json-parse'
import { Problem } from './problem.ts'

const MAX_DEPTH = 200
/** The largest valid body is a batch of 10,000 addresses; validation costs µs for each. */
export const MAX_JSON_VALUES = 25_000
/** Keys of one object: building and validating a map costs more than a list of the same length. */
export const MAX_JSON_KEYS = 5000

/** Escapes in texts with escaped quotes; each costs several times a plain character. */
const MAX_ESCAPES = 1_000_000

/** Blanks, numbers and punctuation are read one by one, so they cost more than texts do. */
const MAX_CHARS_OUTSIDE_STRINGS = 2_000_000

/** Command-line clients send an empty body with a content type, on GET and POST. */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined
  assertShape(text)
  const value = parseOrRefuse(text)
  if (text.includes('\\u0000')) assertNoNul(value)
  return value
}

function parseOrRefuse(text: string): unknown {
  let value: unknown
  try {
    value = parse(text, undefined, { safe: true })
  } catch (error) {
    throw new Problem('invalid_json', { because: (error as Error).message })
  }
  // `safe` returns null for a forbidden key.
  if (value === null && text.trim() !== 'null')
    throw new Problem('bad_request', { because: 'the keys `__proto__` and `constructor.prototype` are not allowed' })
  return value
}

/** One pass before parsing bounds everything that costs time per value. */
function assertShape(text: string): void {
  let values = 0
  let between = 0
  const seen = { escapes: 0 }
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (++between > MAX_CHARS_OUTSIDE_STRINGS)
      throw new Problem('bad_request', {
        because: `the body has more than ${MAX_CHARS_OUTSIDE_STRINGS} characters outside of texts`,
      })
    if (code === 0x22) at = endOfString(text, at, seen)
    else if (code === 0x2c) {
      values += 1
      if (open.at(-1)! >= 0 && ++open[open.length - 1]! >= MAX_JSON_KEYS)
        throw new Problem('bad_request', { because: `an object of the body has more than ${MAX_JSON_KEYS} keys` })
    } else if (code === 0x5d || code === 0x7d) open.pop()
    else if (code === 0x5b || code === 0x7b) {
      open.push(code === 0x7b ? 0 : -1)
      values += 1
      if (open.length > MAX_DEPTH)
        throw new Problem('bad_request', { because: `the body is nested deeper than ${MAX_DEPTH} levels` })
    }
    if (values > MAX_JSON_VALUES)
      throw new Problem('bad_request', {
        because: `the body holds more than ${MAX_JSON_VALUES} values (keys and list entries); send it in parts`,
      })
  }
}

/** The closing quote. A search is fast for texts of megabytes, and a scan where quotes are escaped. */
function endOfString(text: string, start: number, seen: { escapes: number }): number {
  const quote = text.indexOf('"', start + 1)
  if (quote === -1) return text.length
  if (text.charCodeAt(quote - 1) !== 0x5c) return quote
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at
    if (code !== 0x5c) continue
    at += 1
    seen.escapes += 1
    if (seen.escapes > MAX_ESCAPES)
      throw new Problem('bad_request', { because: `the body holds more than ${MAX_ESCAPES} escaped characters` })
  }
  return text.length
}

function assertNoNul(value: unknown): void {
  const left: unknown[] = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string') assertNoNulCharacter(one)
    else if (one && typeof one === 'object')
      for (const [key, inner] of Object.entries(one)) {
        assertNoNulCharacter(key)
        left.push(inner)
      }
  }
}

export function assertNoNulCharacter(text: string): void {
  if (text.includes('\0')) throw new Problem('bad_request', { because: 'a text holds the character NUL' })
}
