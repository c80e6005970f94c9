// Parses a JavaScript literal (JSON or object notation) without evaluation. A call or an expression ends the parse.
import { makeLookupTable } from '../../base/lookup-table.ts'

const MAX_DEPTH = 100

interface Literal {
  value: unknown
  /** The position after it. */
  end: number
}

const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const NUMBER = /[-+]?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/iy
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const WORDS = makeLookupTable<unknown>({ true: true, false: false, null: null, undefined: null, NaN: null })

class NotLiteral extends Error {}

export function parseJsLiteral(text: string, from = 0): Literal | undefined {
  let at = from
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const fail = (): never => {
    throw new NotLiteral()
  }
  const value = (depth: number): unknown => {
    if (depth > MAX_DEPTH) fail()
    match(SPACE)
    const sign = text[at]
    if (sign === '{') return object(depth)
    if (sign === '[') return list(depth)
    if (sign === '"' || sign === "'" || sign === '`') return string()
    // Minified true, false and undefined.
    if (sign === '!') {
      at += 2
      return text[at - 1] === '0' ? true : text[at - 1] === '1' ? false : fail()
    }
    if (text.startsWith('void 0', at)) {
      at += 6
      return null
    }
    const number = match(NUMBER)
    if (number !== undefined && number !== '') return Number(number)
    const name = match(NAME)
    return name !== undefined && Object.hasOwn(WORDS, name) ? WORDS[name] : fail()
  }
  const object = (depth: number): Record<string, unknown> => {
    const made: Record<string, unknown> = {}
    at += 1
    for (;;) {
      match(SPACE)
      if (text[at] === '}') break
      const quoted = text[at] === '"' || text[at] === "'"
      const name = quoted ? string() : (match(NAME) ?? match(NUMBER) ?? fail())
      match(SPACE)
      if (text[at] !== ':') fail()
      at += 1
      const inner = value(depth + 1)
      if (name !== '__proto__') made[name] = inner
      match(SPACE)
      if (text[at] === ',') at += 1
      else if (text[at] !== '}') fail()
    }
    at += 1
    return made
  }
  const list = (depth: number): unknown[] => {
    const made: unknown[] = []
    at += 1
    for (;;) {
      match(SPACE)
      if (text[at] === ']') break
      made.push(value(depth + 1))
      match(SPACE)
      if (text[at] === ',') at += 1
      else if (text[at] !== ']') fail()
    }
    at += 1
    return made
  }
  const string = (): string => {
    const quote = text[at]!
    const pieces: string[] = []
    let start = ++at
    for (; ; at++) {
      const sign = text[at]
      if (sign === undefined || (quote === '`' && sign === '$' && text[at + 1] === '{')) fail()
      if (sign === quote) break
      if (sign !== '\\') continue
      pieces.push(text.slice(start, at))
      const { said, length } = readEscape(text, at + 1)
      pieces.push(said)
      at += length
      start = at + 1
    }
    pieces.push(text.slice(start, at))
    at += 1
    return pieces.join('')
  }
  try {
    return { value: value(0), end: at }
  } catch (error) {
    if (error instanceof NotLiteral) return undefined
    throw error
  }
}

const SIMPLE = makeLookupTable<string>({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '0': '\0' })

function readEscape(text: string, at: number): { said: string; length: number } {
  const sign = text[at] ?? ''
  if (sign === 'u' || sign === 'x') {
    const hex = /^(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/i.exec(text.slice(at, at + 9))
    const code = hex && Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16)
    if (hex && code !== null && code <= 0x10ffff) {
      // A lone surrogate is kept and joins its other half in the text.
      const said = hex[1] === undefined ? String.fromCharCode(code) : String.fromCodePoint(code)
      return { said, length: hex[0].length }
    }
  }
  return { said: SIMPLE[sign] ?? (sign === '\n' ? '' : sign), length: 1 }
}
