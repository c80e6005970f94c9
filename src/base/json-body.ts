// Parses a JSON body with limits on depth and values, without prototype keys and NUL, which databases reject in
// text.
import { parse } from 'secure-json-parse'
import { Problem } from './problem.ts'

/** Later readers recurse for every level. */
const MAX_DEPTH = 200
/** The largest valid body is a batch of 10,000 addresses; validation costs µs for each. */
export const MAX_VALUES = 25_000

/** Command-line clients send an empty body with a content type, on GET and POST. */
export function readJson(text: string): unknown {
  if (text.trim() === '') return undefined
  assertShape(text)
  const value = parsed(text)
  if (/\\u0000/.test(text)) assertNoNul(value)
  return value
}

function parsed(text: string): unknown {
  try {
    return parse(text, undefined, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    const { message } = error as Error
    // secure-json-parse has one message for all prototype keys.
    if (/forbidden prototype/.test(message))
      throw new Problem('bad_request', { because: 'the keys `__proto__` and `constructor.prototype` are not allowed' })
    throw new Problem('invalid_json', { because: message })
  }
}

/** One pass before parsing bounds everything that costs time per value. */
function assertShape(text: string): void {
  let depth = 0
  let values = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at++
      else if (code === 0x22) inString = false
      continue
    }
    if (code === 0x22) inString = true
    else if (code === 0x2c) values += 1
    else if (code === 0x5d || code === 0x7d) depth -= 1
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      values += 1
      if (depth > MAX_DEPTH)
        throw new Problem('bad_request', { because: `the body is nested deeper than ${MAX_DEPTH} levels` })
    }
    if (values > MAX_VALUES)
      throw new Problem('bad_request', {
        because: `the body holds more than ${MAX_VALUES} values (keys and list entries); send it in parts`,
      })
  }
}

function assertNoNul(value: unknown): void {
  const left: unknown[] = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string') assertText(one)
    else if (one && typeof one === 'object')
      for (const [key, inner] of Object.entries(one)) {
        assertText(key)
        left.push(inner)
      }
  }
}

/** Also for paths and queries. */
export function assertText(text: string): void {
  if (text.includes('\0')) throw new Problem('bad_request', { because: 'a text holds the character NUL' })
}
