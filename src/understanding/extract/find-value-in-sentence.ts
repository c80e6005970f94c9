// Reads a value from a sentence that speaks of the field: "Dogs are welcome", "We take £3 per dog". Every word of the
// field's name must be in the sentence or its heading, and exactly one value of the right kind near it.

import { findTimes } from '../../base/parse-dates.ts'
import { findMoney } from '../money.ts'
import { splitIntoSentences } from '../passages/split-into-sentences.ts'
import { isStopWord, stemText, synonymStemsOf } from '../passages/stem-terms.ts'
import { foldNumberWord, parseNumberWordsAt } from '../values/parse-number-words.ts'
import { convertUnit, isUnit, parseNumbersIn } from '../values/parse-numbers.ts'
import { type ConversionContext, convertRawValue } from './convert-raw-value.ts'
import type { FieldQuery } from './field-query.ts'
import { areSynonyms, findTermById } from './field-terms.ts'
import { tokenizeName } from './normalise-labels.ts'
import type { PagePart } from './page-part.ts'

const MAX_SENTENCES = 2000
const MAX_SENTENCE = 400

/** Words of a name that tell the kind of its value, not what it is about. */
const KIND_WORDS = stems(
  'price cost fee charge amount number count total time hour date phone email address is has have per supplement preis kosten gebühr anzahl uhrzeit zeit telefon prix coût frais nombre heure téléphone precio coste número hora teléfono suplemento prezzo costo',
)
/** Words of a yes-or-no name that the page may put in another way. */
const YES_WORDS = stems(
  'allowed allow permitted accepted accept admit welcome included include available possible safe friendly can may offer provide have certified erlaubt willkommen inklusive möglich dürfen vorhanden accepté bienvenu inclus autorisé possible permitido admiten bienvenido incluido disponible ammesso',
)
const NO_WORDS = stems('not no never without neither nor cannot nicht kein keine ohne pas sans ni sin nunca non senza')
const CLOCK_WORDS = stems('time hour uhrzeit zeit heure hora ora closing opening')

function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').flatMap((word) => stemText(word)))
}

export function findValueInSentence(field: FieldQuery, part: PagePart, context: ConversionContext): unknown {
  const read = readerOf(field, context)
  if (!read) return undefined
  const named = tokenizeName(field.name.replace(/(\p{L})(\d)/gu, '$1 $2')).flatMap((word) => stemText(word))
  const isTruth = field.shape.kind === 'boolean'
  const about = named.filter(
    (word) => !isUnitOf(word, field) && !KIND_WORDS.has(word) && !(isTruth && YES_WORDS.has(word)),
  )
  const labels = field.kind === 'phone' ? findTermById('phone').phrases.flatMap((phrase) => stemText(phrase)) : []
  if (about.length === 0 && labels.length === 0) return undefined
  const found: { value: unknown; score: number }[] = []
  const kinds = named.filter((word) => KIND_WORDS.has(word))
  for (const { text, heading } of sentencesIn(part)) {
    const words = wordsOf(text)
    const isHere = (word: string) => words.findIndex(({ term }) => areSynonyms(word, term))
    const places = (about.length > 0 ? about : labels).map(isHere)
    const own = places.filter((place) => place >= 0)
    const isAbout =
      about.length === 0
        ? own.length > 0
        : own.length > 0 && about.every((word, n) => places[n]! >= 0 || heading.some((term) => areSynonyms(word, term)))
    if (!isAbout) continue
    const value = read(text, words, own)
    // Of two sentences, the one that also says what kind of value it is: "A night costs £24".
    const isKind = kinds.some((kind) => words.some(({ term }) => term === kind || synonymStemsOf(kind).has(term)))
    if (value !== undefined) found.push({ value, score: own.length + (isKind ? 0.5 : 0) })
  }
  const best = Math.max(...found.map(({ score }) => score))
  const values = new Set(found.filter(({ score }) => score === best).map(({ value }) => value))
  return values.size === 1 ? [...values][0] : undefined
}

const isUnitOf = (word: string, { unit, currency }: FieldQuery): boolean =>
  (unit !== undefined && stemText(unit).includes(word)) || word === currency?.toLowerCase()

interface Word {
  word: string
  term: string
  at: number
  end: number
}

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: word, index }) => {
    const [term] = stemText(word)
    return term === undefined ? [] : [{ word: foldNumberWord(word), term, at: index, end: index + word.length }]
  })

function* sentencesIn({ lines }: PagePart): Generator<{ text: string; heading: readonly string[] }> {
  let count = 0
  let heading: string[] = []
  for (const { text, block, isMain } of lines) {
    if (!isMain) continue
    if (block && /^h[1-6]$/.test(block.name)) heading = stemText(text)
    else if (block && /^(?:p|li|dd|div|section|article|main|td)$/.test(block.name))
      for (const { start, end } of splitIntoSentences(text)) {
        if (++count > MAX_SENTENCES) return
        if (end - start <= MAX_SENTENCE) yield { text: text.slice(start, end), heading }
      }
  }
}

type Read = (text: string, words: readonly Word[], places: readonly number[]) => unknown

function readerOf(field: FieldQuery, context: ConversionContext): Read | undefined {
  const { shape, kind, name } = field
  if (shape.choices) return undefined
  if (shape.kind === 'boolean') return truthIn
  const isClock = tokenizeName(name).some((word) => stemText(word).some((term) => CLOCK_WORDS.has(term)))
  if (shape.kind === 'string' && (kind === 'text' || kind === 'hours') && isClock) return clockIn
  if (shape.kind === 'string' && kind === 'phone') return (text) => convertRawValue({ value: text }, field, context)
  if (shape.kind !== 'number' && shape.kind !== 'integer') return undefined
  if (kind === 'money') return amountIn(field, context)
  return kind === 'year' || kind === 'date' ? undefined : numberIn(field, context)
}

/** A question or a condition states nothing. */
const truthIn: Read = (text, words) => {
  if (/[?？]$/u.test(text) || /^(?:if|wenn|falls|si|se)\b/iu.test(text)) return undefined
  if (words.some(({ term }) => NO_WORDS.has(term))) return false
  return words.some(({ term }) => YES_WORDS.has(term)) ? true : undefined
}

/** The only time of the sentence, or the only one after the field's words up to the next comma. */
const clockIn: Read = (text, words, places) => {
  const whole = findTimes(text)
  const after = text.slice(words[Math.max(...places)]!.end).split(/[,;]/, 1)[0]!
  const [clocks] = [whole, findTimes(after)].filter(({ length }) => length === 1)
  return clocks?.[0]
}

const amountIn =
  ({ currency }: FieldQuery, { money }: ConversionContext): Read =>
  (text) => {
    const found = findMoney(text, money).filter((one) => !currency || !one.currency || one.currency === currency)
    return found.length === 1 ? found[0]!.amount : undefined
  }

/** Words between a count and what it counts. */
const MAX_WORDS_BETWEEN = 2

const numberIn =
  ({ unit, shape }: FieldQuery, { language, money }: ConversionContext): Read =>
  (text, words, places) => {
    const amounts = findMoney(text, money)
    const numbers = [...parseNumbersIn(text, language), ...spelledIn(words)].filter(
      ({ at }) => !amounts.some((one) => at >= one.at && at < one.end),
    )
    const read = numbers.flatMap(({ value, at, end }) => {
      const [, word = ''] = /^\s?([a-z]{1,12}(?:\/[a-z])?[²2]?)/i.exec(text.slice(end)) ?? []
      const measured = unit
        ? convertUnit(value, word, unit)
        : isUnit(word) && !/^(?:in|d|l|m)$/.test(word)
          ? undefined
          : value
      const between = Math.min(...places.map((place) => distance(words, place, at, end)))
      return measured === undefined || (!unit && between > MAX_WORDS_BETWEEN) ? [] : [{ value: measured, between }]
    })
    const [nearest, next] = read.sort((one, other) => one.between - other.between)
    if (!nearest || (next && (unit !== undefined || next.between === nearest.between))) return undefined
    return shape.kind === 'integer' && !Number.isInteger(nearest.value) ? undefined : nearest.value
  }

const distance = (words: readonly Word[], place: number, at: number, end: number): number => {
  const { at: from, end: to } = words[place]!
  return words.filter((word) => (word.at >= end && word.end <= from) || (word.at >= to && word.end <= at)).length
}

function spelledIn(words: readonly Word[]): { value: number; at: number; end: number }[] {
  const plain = words.map(({ word }) => word)
  const found: { value: number; at: number; end: number }[] = []
  for (let n = 0; n < words.length; n++) {
    const spelled = parseNumberWordsAt(plain, n)
    if (!spelled || isStopWord(plain[n]!)) continue
    found.push({ value: spelled.value, at: words[n]!.at, end: words[n + spelled.length - 1]!.end })
    n += spelled.length - 1
  }
  return found
}
