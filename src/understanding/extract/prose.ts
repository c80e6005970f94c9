// Amounts, dates and numbers that a page tells in a sentence: the sentence must speak of the field in its own words, and
// the value must stand beside them. Where two sentences disagree nothing is told.

import { tableOf } from '../../base/table.ts'
import { findMoney } from '../money.ts'
import { dateIn } from '../values/dates.ts'
import type { Candidate, FieldContext, WantedField } from './asking.ts'
import { candidate } from './candidate.ts'
import type { PagePart } from './page-part.ts'
import { phraseOf, tokensOf } from './words.ts'

interface Sentence {
  text: string
  /** Its words, and those of the heading it stands under. */
  words: readonly string[]
  over: readonly string[]
}

const MAX_SENTENCES = 3000
const MAX_CHARS = 600
const SENTENCE = /(?<=[.!?。])\s+(?=[\p{Lu}"“(])/u

/** Sentences of the main content that hold a number. */
function sentencesOf(scope: PagePart): readonly Sentence[] {
  const found: Sentence[] = []
  let next = 0
  let over: readonly string[] = []
  for (const { text, at, isMain } of scope.lines) {
    for (; next < scope.headings.length && scope.headings[next]!.at <= at; next++)
      over = scope.headings[next]!.level === 1 ? [] : tokensOf(scope.headings[next]!.text)
    if (!isMain || !/\d/.test(text)) continue
    for (const one of text.split(SENTENCE)) {
      if (found.length >= MAX_SENTENCES) break
      if (/\d/.test(one) && one.length <= MAX_CHARS) found.push({ text: one, words: tokensOf(one, MAX_CHARS), over })
    }
  }
  return found
}

/** Words that say how much is asked for, not of what; and how pages put it. */
const BOUNDS = tableOf<RegExp>({
  minimum: /\b(?:minimum|min\.?|at least|or (?:higher|above|more|older)|must be|from|starting|no less)\b/i,
  min: /\b(?:minimum|min\.?|at least|or (?:higher|above|more|older)|must be|from|starting|no less)\b/i,
  maximum: /\b(?:maximum|max\.?|up to|at most|no more|not (?:to )?exceed|limit)\b/i,
  max: /\b(?:maximum|max\.?|up to|at most|no more|not (?:to )?exceed|limit)\b/i,
  limit: /\b(?:limit|maximum|max\.?|up to|at most|no more|not (?:to )?exceed|cap)\b/i,
})
const EMPTY = new Set(
  'number num count total amount value estimated estimate approximate average in per unit usd eur gbp dollar euro year date day month week hour minute time percent percentage rate current start end whole iso yyyy mm dd text the page'.split(
    ' ',
  ),
)

export function prose(scope: PagePart, wanted: WantedField, ground: FieldContext): Candidate[] {
  if (scope.isSmall) return []
  if (!isReported(wanted)) return codes(scope, wanted)
  const asked = tokensOf(wanted.name)
  const bounds = asked.flatMap((word) => BOUNDS[word] ?? [])
  const own = asked.filter((word) => !EMPTY.has(word) && !BOUNDS[word] && word !== wanted.unit)
  if (own.length === 0) return []
  const more = tokensOf(wanted.shape.description).filter(
    (word) => !EMPTY.has(word) && !own.includes(word) && word.length > 3,
  )
  const votes = new Map<string, number>()
  for (const sentence of scope.memo('sentences', () => sentencesOf(scope))) {
    const fit = fitOf(sentence, own, more, bounds, wanted.unit !== undefined)
    if (fit === 0) continue
    const value = valueIn(sentence, own, wanted, ground)
    if (value !== undefined) votes.set(value, Math.max(votes.get(value) ?? 0, fit))
  }
  const [best, second] = [...votes].sort((a, b) => b[1] - a[1])
  if (!best || (second && second[1] >= best[1])) return []
  return [candidate(best[0], best[1])]
}

/** "a grant (K23AT4432)": the one code that stands right after the word it is a number of. */
function codes(scope: PagePart, { name, shape, concepts }: WantedField): Candidate[] {
  const words = tokensOf(name)
  const last = words.at(-1) ?? ''
  const told =
    shape.kind === 'string' && words.length > 1 && CODED.has(last) ? numbered(scope, words.slice(0, -1)) : undefined
  if (told) return [candidate(told, 0.74)]
  if (shape.kind !== 'string' || concepts.length > 0 || words.length < 2 || !CODED.has(last)) return []
  const found = new Set<string>()
  for (const { text } of scope.memo('sentences', () => sentencesOf(scope)))
    for (const { 0: code, index } of text.matchAll(CODE)) {
      const before = tokensOf(text.slice(Math.max(0, index - 40), index))
      if (words.slice(0, -1).every((word) => before.includes(word))) found.add(code)
    }
  return found.size === 1 ? [candidate([...found][0]!, 0.66)] : []
}

/** "company no. 0998877": the words, what says that a number follows, and the number. */
function numbered({ lines }: PagePart, words: readonly string[]): string | undefined {
  const pattern = new RegExp(
    String.raw`(?<!\p{L})${words.join(String.raw`\p{L}{0,3}[\s-]`)}\p{L}{0,3}\s?(?:no\.?|nr\.?|number|num\.?|id|code|#|№)\s?[:#.]?\s?((?=[A-Z\d./-]*\d)[A-Z\d][A-Z\d./-]{2,24})(?![\p{L}\d])`,
    'iu',
  )
  const found = new Set(lines.flatMap(({ text }) => (text.length <= MAX_CHARS ? (pattern.exec(text)?.[1] ?? []) : [])))
  return found.size === 1 ? [...found][0]!.replace(/[./-]+$/, '') : undefined
}

const CODED = new Set(['number', 'code', 'id', 'no', 'identifier'])
const CODE = /(?<![\p{L}\d-])(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])[A-Z\d][A-Z\d-]{4,24}(?![\p{L}\d-])/gu

const isReported = ({ kind, shape }: WantedField): boolean =>
  kind === 'money' ||
  kind === 'date' ||
  kind === 'number' ||
  kind === 'count' ||
  kind === 'duration' ||
  shape.kind === 'number' ||
  shape.kind === 'integer'

/** How surely a sentence speaks of the field; 0 when it lacks one of its words. */
function fitOf(
  { text, words, over }: Sentence,
  own: readonly string[],
  more: readonly string[],
  bounds: readonly RegExp[],
  hasUnit: boolean,
): number {
  const here = own.filter((word) => words.some((other) => isAlike(word, other)))
  const above = own.filter((word) => !here.includes(word) && over.some((other) => isAlike(word, other)))
  if (here.length + above.length < own.length) return 0
  // A single common word says little unless the bound or the description is there too.
  const said = more.filter((word) => words.some((other) => isAlike(word, other))).length
  const bound = bounds.length > 0 && bounds.some((pattern) => pattern.test(text)) ? 1 : 0
  if (bounds.length > 0 && bound === 0) return 0
  const sure = own.length > 1 || bound > 0 || hasUnit ? 0.64 : said > 0 ? 0.62 : 0.58
  return Math.min(0.74, sure + Math.min(0.06, said * 0.02) + bound * 0.02 - above.length * 0.02)
}

/** The same word in another form: warranty, warrantied; apply, application. */
const isAlike = (one: string, other: string): boolean =>
  one === other ||
  (one.length >= 5 && other.length >= 5 && one.slice(0, 5) === other.slice(0, 5)) ||
  (one.length === 4 && other.startsWith(one) && other.length <= 6)

function valueIn(
  sentence: Sentence,
  own: readonly string[],
  wanted: WantedField,
  ground: FieldContext,
): string | undefined {
  const { text } = sentence
  const { kind, currency, unit, name } = wanted
  if (kind === 'money' || currency || /\b(?:in )?(?:dollars|euros|usd|eur)\b/i.test(wanted.shape.description)) {
    const found = findMoney(text, ground.money)
    return only(
      found.map(({ formatted, at }) => ({ value: formatted, at })),
      text,
      own,
    )
  }
  if (kind === 'date')
    return dateIn(text, ground.language)
      ? text.slice(dateIn(text, ground.language)!.at, dateIn(text, ground.language)!.end)
      : undefined
  if (kind === 'duration') {
    const found = /\d+(?:[.,]\d+)?\s?-?(?:hours?|hrs?|minutes?|mins?|days?|weeks?|months?|years?)\b/iu.exec(text)
    return found?.[0]
  }
  if (/percent/i.test(name)) return /(\d+(?:[.,]\d+)?)\s?(?:%|percent)/iu.exec(text)?.[1]
  if (unit)
    return new RegExp(
      String.raw`(?<![\d.,])(\d{1,6}(?:[.,]\d{1,2})?)[\s-]?${unit.replace(/s$/, '')}s?(?!\p{L})`,
      'iu',
    ).exec(text)?.[1]
  const numbers = [
    ...text.matchAll(
      /(?<![\d.,#:/\p{L}-])\d{1,3}(?:,\d{3})+(?!\d)|(?<![\d.,#:/\p{L}-])\d{1,9}(?:\.\d{1,3})?(?![\d%:/]|[.,]\d|\s?[ap]m\b)/giu,
    ),
  ]
  return only(
    numbers.map(({ 0: value, index }) => ({ value, at: index })),
    text,
    own,
    40,
  )
}

/** The one value, or of several the one that stands closest to the field's words. */
function only(
  found: readonly { value: string; at: number }[],
  text: string,
  own: readonly string[],
  within = 120,
): string | undefined {
  const places = [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    .filter(({ 0: word }) => own.some((one) => isAlike(one, phraseOf(word))))
    .map(({ index }) => index)
  if (places.length === 0) return found.length === 1 ? found[0]!.value : undefined
  const near = found
    .map(({ value, at }) => ({ value, far: Math.min(...places.map((place) => Math.abs(place - at))) }))
    .filter(({ far }) => far <= within)
    .sort((a, b) => a.far - b.far)
  return near[0]?.value
}
