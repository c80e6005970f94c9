// Reads JSON from model output: after prose or in fences, with comments, single quotes, bare names, missing or extra
// commas, raw line breaks, or cut off. One pass, linear time; undefined without JSON.

import { valueOr } from '../base/attempt.ts'

const MAX_CHARS = 2_000_000
const MAX_DEPTH = 200

export function parseModelJson(given: string): { value: unknown } | undefined {
  const text = given.slice(0, MAX_CHARS).trim()
  const whole = parseJson(text)
  if (whole) return whole
  const fenced = /```(?:json[5c]?)?\s*\n?([\s\S]*?)(?:```|$)/i.exec(text)?.[1]
  for (const candidate of fenced === undefined ? [text] : [fenced, text]) {
    const found = readLenient(candidate)
    if (found) return { value: found.value }
  }
  return undefined
}

export function isCompleteJson(given: string): boolean {
  const text = given.slice(0, MAX_CHARS).trim()
  return parseJson(text) !== undefined || readLenient(text)?.isComplete === true
}

const parseJson = (text: string): { value: unknown } | undefined =>
  valueOr(undefined, () => ({ value: JSON.parse(text) as unknown }))

/** Empty brackets in prose, such as a template's, that are passed before the answer. */
const MAX_EMPTY = 20

/** The first object or list of a text that has content, as far as it goes. */
function readLenient(text: string): { value: unknown; isComplete: boolean } | undefined {
  const opening = /[[{]/g
  let first: { value: unknown; isComplete: boolean } | undefined
  for (let tries = 0; tries < MAX_EMPTY; tries++) {
    const start = opening.exec(text)?.index
    if (start === undefined) break
    const reader = new LenientReader(text, start)
    const value = reader.value(0)
    if (value === NOTHING) break
    const found = { value, isComplete: !reader.isCut }
    if (Object.keys(value as object).length > 0) return found
    first ??= found
    opening.lastIndex = Math.max(start + 1, reader.at)
  }
  return first
}

/** Nothing readable: the text ended, or the value was cut so that it may mean something else. */
const NOTHING = Symbol('nothing')

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’', '`': '`' }
const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  '': null,
  null: null,
  None: null,
  undefined: null,
  NaN: null,
}
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '\n': '' }

class LenientReader {
  at: number
  isCut = false
  readonly #text: string

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
  }

  value(depth: number): unknown {
    this.#skip()
    const sign = this.#text[this.at]
    if (sign === undefined || depth > MAX_DEPTH) return this.#cut()
    if (sign === '{') return this.#object(depth)
    if (sign === '[') return this.#list(depth)
    if (CLOSING[sign] !== undefined) return this.#string(CLOSING[sign])
    return this.#word()
  }

  #cut(): typeof NOTHING {
    this.isCut = true
    this.at = this.#text.length
    return NOTHING
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = []
    this.at += 1
    while (!this.#ends(']')) {
      const before = this.at
      const value = this.value(depth + 1)
      if (value !== NOTHING) list.push(value)
      if (this.at === before) this.at += 1
    }
    return list
  }

  #object(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = []
    this.at += 1
    while (!this.#ends('}')) {
      const before = this.at
      const sign = this.#text[this.at]!
      const name = CLOSING[sign] === undefined ? this.#bareName() : this.#string(CLOSING[sign])
      this.#skip()
      const isNamed = typeof name === 'string' && /[:=]/.test(this.#text[this.at] ?? '')
      if (isNamed) {
        this.at += 1
        const value = this.#grouped() ?? this.value(depth + 1)
        if (value !== NOTHING && name !== '__proto__') entries.push([name, value])
      }
      if (this.at === before) this.at += 1
    }
    return Object.fromEntries(entries)
  }

  /** Passes the closing sign, or what stands between two values. */
  #ends(close: string): boolean {
    this.#skip(',')
    const sign = this.#text[this.at]
    if (sign === undefined) this.isCut = true
    if (sign === close || sign === undefined || sign === '}' || sign === ']') {
      // The other closing sign belongs to what contains this value.
      if (sign === close) this.at += 1
      return true
    }
    return false
  }

  #string(close: string): string {
    const pieces: string[] = []
    let from = ++this.at
    for (;;) {
      const sign = this.#text[this.at]
      if (sign === undefined) this.isCut = true
      if (sign === undefined || (sign === close && this.#isEnd())) break
      if (sign === '\\') {
        const next = this.#text[this.at + 1] ?? ''
        const code = next === 'u' ? /^[\da-f]{4}/i.exec(this.#text.slice(this.at + 2, this.at + 6))?.[0] : undefined
        pieces.push(
          this.#text.slice(from, this.at),
          code ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES[next] ?? next),
        )
        this.at += code ? 6 : 2
        from = Math.min(this.at, this.#text.length)
      } else this.at += 1
    }
    pieces.push(this.#text.slice(from, this.at))
    this.at += 1
    return pieces.join('')
  }

  /** Quotes inside of a text are not always escaped: the last one has a separator behind it. */
  #isEnd(): boolean {
    return /^[ \t\r]*(?:[\n,:=}\]/#]|$)/.test(this.#text.slice(this.at + 1, this.at + 20))
  }

  /** "1,234": the comma of an amount. */
  #grouped(): number | undefined {
    const [number] =
      /^\s*[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?=\s*[,}\n])/.exec(this.#text.slice(this.at, this.at + 40)) ?? []
    this.at += number?.length ?? 0
    return number === undefined ? undefined : Number(number.replaceAll(',', ''))
  }

  #bareName(): string {
    const [name = ''] = /^[\p{L}_$][\p{L}\p{N}_$-]*/u.exec(this.#text.slice(this.at, this.at + 200)) ?? []
    this.at += name.length
    return name
  }

  #word(): unknown {
    const from = this.at
    while (this.at < this.#text.length && !/[,\]}\n]/.test(this.#text[this.at]!)) this.at += 1
    const word = this.#text
      .slice(from, this.at)
      .replace(/\s*(?:(?<!:)\/\/|#|\/\*).*$/, '')
      .trim()
    // A number at the end may lack digits.
    if (this.at >= this.#text.length) return this.#cut()
    if (Object.hasOwn(WORDS, word)) return WORDS[word]
    const number = /^[-+]?(?:\d|\.\d)/.test(word) ? Number(word.replace(/(?<=\d)_(?=\d)/g, '')) : Number.NaN
    return Number.isFinite(number) ? number : word
  }

  #skip(also = ''): void {
    for (;;) {
      const sign = this.#text[this.at]
      if (sign === undefined) return
      const two = this.#text.slice(this.at, this.at + 2)
      if (/\s/.test(sign) || sign === also) this.at += 1
      else if (two === '//' || sign === '#') this.at = this.#after('\n')
      else if (two === '/*') this.at = this.#after('*/')
      else return
    }
  }

  #after(mark: string): number {
    const end = this.#text.indexOf(mark, this.at + 1)
    return end < 0 ? this.#text.length : end + mark.length
  }
}
