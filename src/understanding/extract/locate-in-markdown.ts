// The text of a page's markdown with the position of each character, to locate values: whole words only, in any common
// notation of numbers and dates.

import { countUntil } from '../../base/large-array-helpers.ts'
import { once } from '../../base/values.ts'

export interface MarkdownSpan {
  /** In characters of the markdown. */
  from: number
  to: number
  /** As the page writes it. */
  said: string
}

export interface MarkdownLocator {
  /** The first occurrence within the range. */
  find(value: unknown, from?: number, to?: number): MarkdownSpan | undefined
}

const MAX_SOUGHT = 2000
const MAX_SAID = 300
/** Partial-word matches before the search gives up. */
const MAX_PARTIAL_MATCHES = 200
/** Single letters and digits occur everywhere. */
const isSought = (text: string): boolean => text.length > 1

export function makeMarkdownLocator(markdown: string): MarkdownLocator {
  const plain = plainOf(markdown)
  // Letters whose length changes in lower case would shift all positions after them.
  const lower = plain.text.toLowerCase()
  const words = lower.length === plain.text.length ? lower : plain.text
  const isFolded = words === lower
  const spotAt = (at: number, length: number): MarkdownSpan => {
    const from = plain.at[at]!
    const to = plain.at[at + length - 1]! + 1
    return { from, to, said: plain.text.slice(at, at + length).slice(0, MAX_SAID) }
  }
  const inWords = (text: string, from: number, to: number): MarkdownSpan | undefined => {
    const sought = (isFolded ? text.toLowerCase() : text).replace(/\s+/g, ' ').trim().slice(0, MAX_SOUGHT)
    if (!isSought(sought)) return undefined
    let at = from <= 0 ? 0 : countUntil(plain.at, (one) => one < from)
    for (let tries = 0; tries < MAX_PARTIAL_MATCHES; tries++, at++) {
      at = words.indexOf(sought, at)
      if (at < 0) return undefined
      const spot = isWhole(words, at, sought.length) ? spotAt(at, sought.length) : undefined
      if (spot || plain.at[at]! >= to) return spot && spot.to <= to ? spot : undefined
    }
    return undefined
  }
  const inAddresses = (text: string, from: number, to: number): MarkdownSpan | undefined => {
    for (let tries = 0, at = from; tries < MAX_PARTIAL_MATCHES; tries++, at++) {
      at = markdown.indexOf(text, at)
      const end = at + text.length
      if (at < 0 || end > to) return undefined
      if (!/[\w/?#&=.%-]/.test(markdown[end] ?? ' ')) return { from: at, to: end, said: text.slice(0, MAX_SAID) }
    }
    return undefined
  }
  return {
    find(value, from = 0, to = markdown.length) {
      for (const text of spellings(value)) {
        const spot = /^https?:\/\//.test(text) ? inAddresses(text, from, to) : inWords(text, from, to)
        if (spot) return spot
      }
      return undefined
    },
  }
}

/** `5` is not in `2015`, nor in `5.50`. */
function isWhole(text: string, at: number, length: number): boolean {
  const first = text[at]!
  const last = text[at + length - 1]!
  const isPart = (inner: string, outer: string, beyond: string) =>
    (/[\p{L}\p{N}]/u.test(inner) && /[\p{L}\p{N}]/u.test(outer) && !isWide(inner)) ||
    (/\d/.test(inner) && /[.,]/.test(outer) && /\d/.test(beyond))
  return (
    !isPart(first, text[at - 1] ?? ' ', text[at - 2] ?? ' ') &&
    !isPart(last, text[at + length] ?? ' ', text[at + length + 1] ?? ' ')
  )
}

/** Scripts without spaces between words. */
const isWide = (letter: string): boolean => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(letter)

/** The visible text with collapsed white space, and the position of every character. */
function plainOf(markdown: string): { text: string; at: Uint32Array } {
  const at = new Uint32Array(markdown.length)
  const kept: string[] = []
  let size = 0
  let isBlank = true
  for (let n = 0; n < markdown.length; n++) {
    const letter = markdown[n]!
    if (letter === ']' && markdown[n + 1] === '(') {
      const end = markdown.indexOf(')', n)
      if (end >= 0 && end - n < 3000) n = end
      continue
    }
    if (letter === '\\' && /[!-/:-@[-`{-~]/.test(markdown[n + 1] ?? '')) continue
    if (isMark(markdown, n)) continue
    const isSpace = letter === '|' || letter <= ' ' || letter === '\u00a0'
    if (isSpace && isBlank) continue
    at[size++] = n
    kept.push(isSpace ? ' ' : letter)
    isBlank = isSpace
  }
  return { text: kept.join(''), at: at.subarray(0, size) }
}

/** Markdown syntax; a `_` between letters and an escaped character are text. */
function isMark(text: string, n: number): boolean {
  const letter = text[n]!
  if (text[n - 1] === '\\') return false
  if (letter === '*' || letter === '`' || letter === '[' || letter === ']') return true
  if (letter === '_') return !(/\w/.test(text[n - 1] ?? '') && /\w/.test(text[n + 1] ?? ''))
  const isLineStart = n === 0 || text[n - 1] === '\n' || (text[n - 1] === letter && letter === '#')
  return isLineStart && (letter === '#' || letter === '>')
}

/** Notations of a value, longest first, so that `49.90` is not matched as `49.9`. */
function spellings(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...days(value)]
  if (typeof value !== 'number' || !Number.isFinite(value)) return []
  const bare = String(value)
  const fixed = Number.isInteger(value) ? bare : value.toFixed(2)
  const grouped = value.toLocaleString('en-US', {
    minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
    maximumFractionDigits: 20,
  })
  const swapped = grouped.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'))
  const withComma = [fixed, bare].map((text) => text.replace('.', ','))
  const all = [fixed, bare, grouped, swapped, grouped.replaceAll(',', ' '), ...withComma]
  // Whole prices are often written with cents.
  if (Number.isInteger(value)) all.push(`${bare}.00`, `${bare},00`, `${grouped}.00`, `${swapped},00`)
  return [...new Set(all)]
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/
const LOCALES = ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES']
const writers = once(() =>
  LOCALES.flatMap((locale) =>
    (['long', 'medium', 'short'] as const).map(
      (dateStyle) => new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }),
    ),
  ),
)

/** Common notations of a date. */
function days(text: string): string[] {
  const found = DAY.exec(text)
  if (!found) return []
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1) return []
  return [...new Set([text.slice(0, 10), ...writers().map((writer) => writer.format(date))])]
}
