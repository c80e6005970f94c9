// Values with a form of their own that one look tells: a term of the year, an HTTP method and its path, how a word is
// spoken, the code of a course, the first and last day of a span.

import { flatText } from '../../content/tree.ts'
import { dateRangeIn } from '../values/date-ranges.ts'
import { type Candidate, candidate, isNear, type Typed } from './candidate.ts'
import type { Scope } from './scope.ts'
import type { Wanted } from './wanted.ts'

const MAX_LINE = 200

/** The only value that lines of the main content show in a form; near the heading the first of them. */
export function shownAs(scope: Scope, pattern: RegExp, score: number, most = MAX_LINE): Candidate[] {
  const found: { text: string; at: number }[] = []
  for (const { text, at, isMain } of scope.lines) {
    if (!isMain || text.length > most || found.length > 20) continue
    const match = pattern.exec(text)
    if (match) found.push({ text: (match[1] ?? match[0]).trim(), at })
  }
  const near = found.find(({ at }) => scope.isSmall || isNear(scope, at))
  if (near) return [candidate(near.text, score)]
  return new Set(found.map(({ text }) => text)).size === 1 ? [candidate(found[0]!.text, score - 0.04)] : []
}

const TERM = /\b(?:spring|summer|fall|autumn|winter)(?:\s(?:term|semester|quarter))?,?\s20\d{2}\b/i
export const term: Typed = (scope) => shownAs(scope, TERM, 0.7)

const METHOD = /(?:^|\s)(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(?:https?:\/\/[^\s/]+)?(\/[\w{}:./-]*)/
export const method: Typed = (scope) => shownAs(scope, METHOD, 0.76)
export const path: Typed = (scope) => shownAs(scope, new RegExp(METHOD.source.replace('(GET', '(?:GET')), 0.76)

const SPOKEN = /(?:^|\s)(\/[^/\s\d]{2,30}(?:\s[^/\s\d]{1,20}){0,3}\/|\[[^\]\s\d]{2,40}\])(?=$|[\s,;])/u
export const pronunciation: Typed = (scope) => shownAs(scope, SPOKEN, 0.74, 80)

const PART_OF_SPEECH =
  /^[([]?((?:transitive |intransitive |proper |plural )?(?:noun|verb|adjective|adverb|pronoun|preposition|conjunction|interjection|determiner|substantiv|adjektiv|nom|verbe|adjectif|sustantivo|verbo|adjetivo))[)\].,]?$/i
export const partOfSpeech: Typed = (scope) => {
  for (const { runs, at, isMain } of scope.lines) {
    if (!isMain || !(scope.isSmall || isNear(scope, at))) continue
    const said = runs.slice(0, 8).flatMap(({ text }) => PART_OF_SPEECH.exec(text.trim())?.[1] ?? [])[0]
    if (said) return [candidate(said, 0.76)]
  }
  return []
}

const COURSE = /(?<![\p{L}\d])([A-Z]{2,5}[\s-]?\d{2,4}[A-Z]?)(?![\p{L}\d])/u
export const courseCode: Typed = (scope) => {
  const titled = COURSE.exec(`${scope.main?.text ?? ''} ${scope.title ?? ''}`)?.[1]
  return titled ? [candidate(titled, 0.74)] : []
}

/** The first or last day of the span that stands near the heading, or of the only one there is. */
const daysOf =
  (which: 'from' | 'to'): Typed =>
  (scope, _, { language }) => {
    const spans: { from: string; to: string; at: number }[] = []
    for (const { text, at, isMain } of scope.lines) {
      if (!isMain || text.length > MAX_LINE || !/\d/.test(text) || spans.length > 20) continue
      const span = dateRangeIn(text, language)
      if (span) spans.push({ ...span, at })
    }
    const near = spans.find(({ at }) => scope.isSmall || isNear(scope, at))
    const only = new Set(spans.map(({ from, to }) => `${from} ${to}`)).size === 1 ? spans[0] : undefined
    const span = near ?? only
    return span ? [candidate(span[which], near ? 0.76 : 0.7)] : []
  }
export const firstDay = daysOf('from')
export const lastDay = daysOf('to')

const PAGER = /(?:^|[\s_-])(?:pagination|paginate|pager|page-?numbers?|paging)(?:$|[\s_-])/i
const MAX_PAGES = 100_000

/** The last page that the row of pages leads to. */
export const lastPage: Typed = ({ elements, isSmall }) => {
  if (isSmall) return []
  const box = elements.find(
    ({ element: { attribs } }) =>
      PAGER.test((attribs.class ?? '').slice(0, 200)) || /pagination/i.test(attribs['aria-label'] ?? ''),
  )
  const numbers = box ? [...flatText(box.element, 400).matchAll(/(?<![\d.,])\d{1,6}(?![\d.,])/g)].map(Number) : []
  const last = Math.max(0, ...numbers.filter((number) => number <= MAX_PAGES))
  return numbers.length > 1 && last > 1 ? [candidate(String(last), 0.7)] : []
}

const OWNER =
  /(?:©|\(c\)|copyright)\s*(?:©\s*)?(?:(?:19|20)\d{2}(?:\s?[-–]\s?(?:(?:19|20)\d{2}|present))?)?[,.]?\s*(?:by\s)?(\p{Lu}[\p{L}\p{N}&'’.\- ]{1,48}?)(?:,?\s(?:inc|llc|ltd|gmbh|corp|co)\b\.?)?(?=\s*(?:$|[|•·,.]|all rights|(?:19|20)\d{2}))/iu

/** Whoever the line with the copyright names, when all such lines name one. */
export const owner: Typed = ({ lines, isSmall }) => {
  const names = new Set(
    lines.flatMap(({ text }) => {
      const name =
        !isSmall && text.length <= MAX_LINE && /©|\(c\)|copyright/i.test(text) ? OWNER.exec(text)?.[1] : undefined
      return name &&
        !/^(?:all|the|copyright|notice|policy|by|all rights.*|alle rechte.*|tous droits.*)$/i.test(name.trim())
        ? [name.trim().replace(/[\s\-–—|,.]+$/u, '')]
        : []
    }),
  )
  return names.size === 1 ? [candidate([...names][0]!, 0.65)] : []
}

const QUOTE = /^(\d[\d.,]*)\s([+\-−–]\s?\d[\d.,]*)\s\(?([+\-−–]?\s?\d[\d.,]*)\s?%\)?/u
const PART_OF_QUOTE: ReadonlyMap<string, number> = new Map([
  ['price', 1],
  ['last price', 1],
  ['stock price', 1],
  ['share price', 1],
  ['current price', 1],
  ['change', 2],
  ['price change', 2],
  ['change amount', 2],
  ['change percent', 3],
  ['percent change', 3],
  ['change percentage', 3],
  ['price change percent', 3],
])

/** "214.60 +3.20 (+1.51%)" below the heading: the price, by how much it moved, and by what share. */
export function quoted(scope: Scope, { phrases }: Wanted): Candidate[] {
  const part = phrases.map((phrase) => PART_OF_QUOTE.get(phrase)).find((one) => one !== undefined)
  if (part === undefined) return []
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

const LIFE = 10

/** "June 3, 1941 – February 21, 2026" right below a name: a span of so many years is a life. */
export const lifeEnd =
  (which: 'from' | 'to'): Typed =>
  (scope, _, { language }) => {
    if (scope.isSmall) return []
    const spans = scope.lines
      .filter(({ text, at }) => text.length <= 80 && /\d{4}/.test(text) && isNear(scope, at, 40))
      .flatMap(({ text }) => dateRangeIn(text, language) ?? [])
      .filter(({ from, to }) => Number(to.slice(0, 4)) - Number(from.slice(0, 4)) > LIFE)
    return spans[0] ? [candidate(spans[0][which], 0.76)] : []
  }

/** The name that heads the page, and a number after it. */
export const age: Typed = ({ main, lines, isSmall }) => {
  if (isSmall || !main) return []
  const line = lines.find(({ text, at }) => at > main.at && text.startsWith(`${main.text}, `))
  const years =
    line && /^, (?:aged? )?(\d{1,3})(?:,|\s(?:years|of|from)\b)/.exec(line.text.slice(main.text.length))?.[1]
  return years ? [candidate(years, 0.78)] : []
}
