// A JSON body, from text to value: no deeper than anything of ours could need, without keys that reach into prototypes, and
// without the one character that no database keeps in text.
import { parse } from 'secure-json-parse'
import { Problem } from '../base/problem.ts'

/** What reads it afterwards calls itself for every level. */
const MAX_DEPTH = 200

/** Undefined for an empty body: command-line clients send one with a type, on GET and POST. */
export function readJson(text: string): unknown {
  if (text.trim() === '') return undefined
  if (depthOf(text, MAX_DEPTH) > MAX_DEPTH)
    throw new Problem('bad_request', { because: `the body is nested deeper than ${MAX_DEPTH} levels` })
  const value = parsed(text)
  if (/\\u0000/.test(text)) assertNoNul(value)
  return value
}

function parsed(text: string): unknown {
  try {
    return parse(text, undefined, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    const { message } = error as Error
    // The parser has one sentence for keys that would reach into the prototypes of our objects.
    if (/forbidden prototype/.test(message))
      throw new Problem('bad_request', { because: 'the keys `__proto__` and `constructor.prototype` are not allowed' })
    throw new Problem('invalid_json', { because: message })
  }
}

/** How deep brackets go, by one look at each character; it stops where it is deeper than asked for. */
function depthOf(text: string, enough: number): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      if (depth > deepest) deepest = depth
      if (deepest > enough) return deepest
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return deepest
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

/** For what comes in paths and queries too. */
export function assertText(text: string): void {
  if (text.includes('\0')) throw new Problem('bad_request', { because: 'a text holds the character NUL' })
}
