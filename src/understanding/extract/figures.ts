// Numbers that stand with a word: what is counted, what is measured in a unit, what a line leads with the field's own words,
// the parts of a quote, the last page of a row of pages.
import { flatText } from '../../content/tree.ts'
import { converted, numbersIn } from '../values/numbers.ts'
import type { Candidate, FieldContext, WantedField } from './asking.ts'
import { agreed, candidate, isNear, linesNear } from './candidate.ts'
import type { PagePart } from './page-part.ts'
import { phrasesNaming } from './vocabulary.ts'
import { phraseOf } from './words.ts'

const NUMBER = String.raw`((?:\d{1,3}(?:[.,\s]\d{3})+|\d{1,9}(?:[.,]\d{1,2})?\s?[kKmM]?)\+?)`
const wordsOf = (phrase: string): string =>
  phrase
    .split(' ')
    .filter((word) => !/^(?:number|count|total|num)$/.test(word))
    .map((word) => `${word.replace(/y$/, '(?:y|ie)')}(?:s|es|n|en)?`)
    .join(String.raw`[\s-]`)

/** "3 bedrooms", "1,204 ratings": a number and the very word. */
export function counted(scope: PagePart, { phrases, rules }: WantedField): Candidate[] {
  const names = [...phrases, ...(rules.countedAs ?? [])].map(wordsOf).filter((word) => word.length > 5)
  if (names.length === 0) return []
  const pattern = new RegExp(
    String.raw`(?<![\d.,\p{L}${rules.countedNotAfter ?? ''}])${NUMBER}\s(?:(?:customer|user|total|global|verified|active|full)\s)?(?:${[...new Set(names)].join('|')})(?!\p{L})(?:\s(?:of|out of|von|sur|de|di|van)\s${NUMBER})?`,
    'iu',
  )
  const values = new Set<string>()
  const aside = new Set<string>()
  let close: string | undefined
  for (const { text, isMain, at } of scope.lines) {
    if (text.length > 300 || values.size > 3) continue
    const found = pattern.exec(text)
    // "24 items of 33": all there are.
    const value = found?.[2] ?? found?.[1]
    if (value) (isMain ? values : aside).add(value.trim())
    if (value && isMain && isNear(scope, at)) close ??= value.trim()
  }
  const [value] = values
  if (close !== undefined && values.size > 1) return [candidate(close, 0.7)]
  if (value !== undefined) return [candidate(value, values.size === 1 ? 0.8 : scope.isSmall ? 0.68 : 0.5)]
  const [other] = aside
  return other !== undefined && aside.size === 1 ? [candidate(other, 0.66)] : []
}

/** "2-year warranty", "14-day free trial": a number in the unit asked for, in a line that names the field. */
export function measured({ lines }: PagePart, { phrases, unit: given, name }: WantedField): Candidate[] {
  const unit = /percent/i.test(name) ? '(?:%|percent|per cent)' : given
  if (!unit) return []
  const word = unit.replace(/s$/, '')
  const pattern = new RegExp(`(?<![\\d.,])(\\d{1,4}(?:[.,]\\d{1,2})?)[\\s-]?${word}s?(?!\\p{L})`, 'giu')
  const values = new Set<string>()
  for (const { text } of lines) {
    if (text.length > MAX_MEASURED || values.size > 1) continue
    for (const found of text.matchAll(pattern)) {
      const near = text.slice(Math.max(0, found.index - 60), found.index + 80).toLowerCase()
      if (phrases.some((phrase) => phrase.split(' ').every((part) => near.includes(part)))) values.add(found[1]!)
    }
  }
  return agreed(values, 0.74)
}

const MAX_MEASURED = 1500

/** "64 m²" in a card, or near the heading: the one number in a unit of area. */
export function sized(scope: PagePart, { rules, unit, phrases }: WantedField, { language }: FieldContext): Candidate[] {
  const asked = unit ?? rules.unitIn?.(phrases)
  if (!asked || converted(1, 'm2', asked) === undefined) return []
  const values: string[] = []
  for (const { text } of linesNear(scope, 80).filter((line) => /\d/.test(line.text)))
    for (const { value, end } of numbersIn(text, language, 10)) {
      const given = /^\s?(m²|m2|qm|sqm|sq\.?\s?m|sq\.?\s?ft|sqft|ft²)(?!\p{L})/iu.exec(text.slice(end))?.[1]
      const inUnit = given && converted(value, given.replace(/[.\s]/g, '').replace('²', '2').toLowerCase(), asked)
      if (inUnit) values.push(String(inUnit))
    }
  return agreed(values, 0.72)
}

const MAX_LINE = 60
const PARTS = /\s+[|·•]\s+/u

/** A line that begins with the field's own words and goes on with a number or a date. */
export function led(scope: PagePart, { phrases, concepts, kind }: WantedField): Candidate[] {
  if (/^(?:url|image|email|phone)$/.test(kind)) return []
  const asked = [...phrases, ...(concepts[0] ? phrasesNaming(concepts[0].id) : [])].filter(
    (phrase) => phrase.length > 3,
  )
  // "Step 1", "Step 2" count themselves.
  return agreed(
    leadsIn(scope).flatMap(({ phrase, value }) => (asked.includes(phrase) ? value : [])),
    0.78,
  )
}

const LED = /^(\p{L}+(?:\s\p{L}+)??)\s((?:in\s|since\s)?(?:\p{L}{3,9}\.?\s)?\d.*)$/u

const leadsIn = (scope: PagePart): readonly { phrase: string; value: string }[] =>
  scope.memo('leads', () =>
    linesNear(scope, MAX_LINE * 3, 300)
      .filter(({ text }) => /\d/.test(text))
      .flatMap(({ text }) => text.split(PARTS, 8))
      .map((part) => (part.length <= MAX_LINE ? LED.exec(part) : null))
      .flatMap((found) => (found ? { phrase: phraseOf(found[1]!), value: found[2]! } : [])),
  )

const QUOTE = /^(\d[\d.,]*)\s([+\-−–]\s?\d[\d.,]*)\s\(?([+\-−–]?\s?\d[\d.,]*)\s?%\)?/u
/** What its parts are called. */
const PARTS_OF_QUOTE: readonly (readonly string[])[] = [
  ['price', 'last price', 'stock price', 'share price', 'current price'],
  ['change', 'price change', 'change amount'],
  ['change percent', 'percent change', 'change percentage', 'price change percent'],
]

/** "214.60 +3.20 (+1.51%)" below the heading: the price, by how much it moved, and by what share. */
export function quoted(scope: PagePart, { phrases }: WantedField): Candidate[] {
  const part = phrases.map((phrase) => PARTS_OF_QUOTE.findIndex((names) => names.includes(phrase)) + 1).find(Boolean)
  if (!part) return []
  const line = scope.lines.find(
    ({ text, at }) => text.length <= 80 && (scope.isSmall || isNear(scope, at, 60)) && QUOTE.test(text),
  )
  const value =
    line &&
    QUOTE.exec(line.text)
      ?.[part]?.replace(/[−–]\s?/u, '-')
      .replace(/^\+\s?/, '')
  return value ? [candidate(value, 0.82)] : []
}

const PAGER = /(?:^|[\s_-])(?:pagination|paginate|pager|page-?numbers?|paging)(?:$|[\s_-])/i
const MAX_PAGES = 100_000

/** The last page that the row of pages leads to. */
export function lastPage({ elements, isSmall }: PagePart): Candidate[] {
  if (isSmall) return []
  const box = elements.find(
    ({ element: { attribs } }) =>
      PAGER.test((attribs.class ?? '').slice(0, 200)) || /pagination/i.test(attribs['aria-label'] ?? ''),
  )
  const numbers = box ? [...flatText(box.element, 400).matchAll(/(?<![\d.,])\d{1,6}(?![\d.,])/g)].map(Number) : []
  const last = Math.max(0, ...numbers.filter((number) => number <= MAX_PAGES))
  return numbers.length > 1 && last > 1 ? [candidate(String(last), 0.7)] : []
}
