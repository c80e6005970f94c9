// Tokenises text in normal form, so that two notations compare as equal: words without case, accents and punctuation,
// numbers by value, amounts in the smallest unit, currencies by code.

import { foldNumberWord, parseNumberWordsAt } from '../../base/parse-number-words.ts'
import { findUnit } from '../../base/parse-numbers.ts'
import { currencyOfSign } from '../currencies.ts'

export interface ValueToken {
  text: string
  /** Position in the source. */
  from: number
  to: number
  values?: readonly number[]
  measure?: MeasuredValue
}

export interface MeasuredValue {
  /** Dimension: length, weight, time and so on. */
  kind: number
  /** In the smallest unit of its kind. */
  amount: number
}

const NUMBER = String.raw`\d{1,3}(?:[ .,'’\u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*`
const TOKEN = new RegExp(
  String.raw`(${NUMBER})|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}]+|\p{Sc}|%`,
  'gu',
)
const SCALES: ReadonlyMap<string, number> = new Map([
  ...['k', 'thousand', 'tausend'].map((word) => [word, 1e3] as const),
  ...['mio', 'mn', 'million', 'millions', 'millionen', 'millones', 'milioni'].map((word) => [word, 1e6] as const),
  ...['bn', 'billion', 'billions', 'mrd', 'milliarden', 'milliard', 'milliards'].map((word) => [word, 1e9] as const),
])

type Raw = { word: string; from: number; to: number; isNumber: boolean }

export function tokenizeValues(text: string): ValueToken[] {
  const raw: Raw[] = []
  for (const match of text.matchAll(TOKEN)) {
    const [word] = match
    raw.push({
      word: match[1] === undefined ? foldNumberWord(word) : word,
      from: match.index,
      to: match.index + word.length,
      isNumber: match[1] !== undefined,
    })
  }
  const words = raw.map(({ word }) => word)
  const tokens: ValueToken[] = []
  for (let at = 0; at < raw.length; at++) {
    const { word, from, to, isNumber } = raw[at]!
    const spelled = isNumber ? undefined : parseNumberWordsAt(words, at)
    if (!isNumber && !spelled) {
      tokens.push({ text: currencyToken(word, text.slice(from, to)) ?? word, from, to })
      continue
    }
    at += (spelled?.length ?? 1) - 1
    const token = numberToken(text, from, spelled ? [spelled.value] : readingsOf(word), raw[at]!, raw[at + 1])
    tokens.push(token)
    if (token.to > raw[at]!.to) at += 1
  }
  return tokens
}

function numberToken(text: string, from: number, readings: readonly number[], last: Raw, after: Raw | undefined) {
  const next = after && after.from - last.to <= 1 ? after : undefined
  const scale = next && SCALES.get(next.word)
  const sign = /[-−]\s?$/.test(text.slice(Math.max(0, from - 2), from)) ? readings.map((value) => -value) : []
  if (next && scale !== undefined) {
    const scaled = readings.map((value) => roundValue(value * scale))
    return { text: `#${scaled[0]}`, from, to: next.to, values: [...scaled, ...readings, ...sign] }
  }
  const unit = next && findUnit(next.word)
  const amount = unit && roundValue(readings[0]! * unit.factor)
  const percent = next?.word === '%' ? readings.map((value) => roundValue(value / 100)) : []
  // `5m` is five metres or five million.
  const millions = next?.word === 'm' ? readings.map((value) => roundValue(value * 1e6)) : []
  return {
    text: unit ? `#${amount}:${unit.kind}` : `#${readings[0]}`,
    from,
    to: unit ? next.to : last.to,
    values: [...readings, ...sign, ...percent, ...millions],
    ...(unit ? { measure: { kind: unit.kind, amount: amount! } } : {}),
  }
}

const roundValue = (value: number): number => Number(value.toPrecision(12))

function currencyToken(word: string, written: string): string | undefined {
  const isSign = /^\p{Sc}$/u.test(written)
  if (!isSign && !/^[A-Z]{3}$/.test(written) && word !== 'euro' && word !== 'euros') return undefined
  const code = word === 'euros' ? 'EUR' : currencyOfSign(word)
  return code ? `$${code}` : undefined
}

/** Possible values of digits with separators, most likely first. */
function readingsOf(written: string): number[] {
  const bare = written.replace(/[ '’\u00a0\u202f]/g, '')
  const [comma, dot] = [bare.lastIndexOf(','), bare.lastIndexOf('.')]
  const parts = bare.split(/[.,]/)
  if (parts.length === 1) return [Number(bare)]
  const joined = Number(parts.join(''))
  const decimal = Number(`${parts.slice(0, -1).join('')}.${parts.at(-1)}`)
  if (comma >= 0 && dot >= 0) return [decimal]
  if (parts.length > 2) return parts.slice(1).every(({ length }) => length === 3) ? [joined] : [joined, decimal]
  return parts[1]!.length === 3 && parts[0] !== '0' ? [joined, decimal] : [decimal]
}
