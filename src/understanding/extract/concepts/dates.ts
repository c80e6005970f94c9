// When something was written, changed, begins and ends.
import type { Element } from 'domhandler'
import { flatText, isElement, textOf } from '../../../content/tree.ts'
import { dateRangeIn } from '../../values/date-ranges.ts'
import { dateIn } from '../../values/dates.ts'
import type { Candidate, Rows, ValueFinder } from '../asking.ts'
import { agreed, candidate, isNear } from '../candidate.ts'
import { markedDate } from '../marks.ts'
import type { PagePart, SeenElement } from '../page-part.ts'

const UPDATED =
  /updated|modified|revised|edited|aktualisiert|mis à jour|actualizado|aggiornato|bijgewerkt|обновлено|更新/iu
/** Dates of a later change, a later word, or of the writer. */
const NOT_FIRST = new RegExp(
  `${UPDATED.source}|last (?:post|reply|active|seen|visit)|latest (?:post|reply)|joined`,
  'iu',
)
const IN_ADDRESS = /\/(20\d{2})[/-](\d{2})[/-](\d{2})(?:[/-]|$)/

const published: ValueFinder = (scope, { shape }, { language }) => {
  const marked = markedDate(scope)
  if (marked) return [candidate(marked, 0.86, { when: marked })]
  const isHere = ({ at, isMain }: SeenElement) => isMain && (scope.isSmall || isNear(scope, at))
  const times = scope.elements.filter(({ element, isMain }) => isMain && isTime(element))
  const near = times.find(
    (one) =>
      (isHere(one) || (times.length === 1 && (!scope.main || isNear(scope, one.at, 400)))) &&
      !NOT_FIRST.test(aroundText(one.element)),
  )
  if (near) {
    const shown = flatText(near.element, 60)
    const when = near.element.attribs.datetime ?? near.element.attribs.title
    return [candidate(shown || (when ?? ''), 0.78, { when })]
  }
  const dated = scope.lines.filter(
    ({ text, isMain }) => isMain && text.length <= (scope.isSmall ? 200 : 120) && /\d{2}/.test(text),
  )
  const line = scope.isSmall
    ? (dated.find(({ text }) => !NOT_FIRST.test(text) && dateIn(text, language)) ??
      dated.find(({ text }) => dateIn(text, language)))
    : dated.find(({ text, at }) => isNear(scope, at) && !NOT_FIRST.test(text) && dateIn(text, language))
  const date = line && dateIn(line.text, language)
  if (line && date) {
    const exact = shape.format ? line.text : line.text.slice(date.at, date.end)
    return [candidate(exact, scope.isSmall ? 0.75 : 0.68)]
  }
  return [...inAddress(scope), ...onlyDate(scope, language)]
}

const isTime = ({ name, attribs }: Element): boolean =>
  name === 'time' ||
  attribs.datetime !== undefined ||
  (/timeago|date/.test(attribs.class ?? '') && /^\d{4}-\d\d-\d\d/.test(attribs.title ?? ''))

function inAddress({ address }: PagePart): Candidate[] {
  const found = IN_ADDRESS.exec(address ?? '')
  return found ? [candidate(`${found[1]}-${found[2]}-${found[3]}`, 0.66)] : []
}

/** Dates far from the heading count when all that stand by themselves are one. */
function onlyDate({ lines, isSmall }: PagePart, language: string): Candidate[] {
  if (isSmall) return []
  const short = lines.filter(
    ({ text, isMain }) => isMain && text.length <= 60 && /\d{4}/.test(text) && !UPDATED.test(text),
  )
  return agreed(
    short.slice(0, 50).flatMap(({ text }) => (isDateAlone(text, language) ? [text] : [])),
    0.62,
  )
}

/** A date with a word or two, not a sentence that holds one. */
function isDateAlone(text: string, language: string): boolean {
  const date = dateIn(text, language)
  return date !== undefined && text.length - (date.end - date.at) <= 25 && !text.endsWith('.')
}

const modified: ValueFinder = ({ elements, lines }, _, { language }) => {
  const time = elements.find(({ element }) => element.name === 'time' && UPDATED.test(aroundText(element)))
  if (time) return [candidate(flatText(time.element, 60), 0.8, { when: time.element.attribs.datetime })]
  const line = lines.find(({ text }) => text.length < 120 && UPDATED.test(text) && dateIn(text, language))
  const at = line ? line.text.search(UPDATED) : 0
  const date = line && (dateIn(line.text.slice(at), language) ?? dateIn(line.text, language))
  return line && date ? [candidate(dateIn(line.text.slice(at), language) ? line.text.slice(at) : line.text, 0.72)] : []
}

const aroundText = (element: Element): string => (isElement(element.parent) ? textOf(element.parent, 120) : '')

const MAX_SPAN = 200

/** The first or last day of the span that stands near the heading, or of the only one there is. */
const daysOf =
  (which: 'from' | 'to'): ValueFinder =>
  (scope, _, { language }) => {
    const spans: { from: string; to: string; at: number }[] = []
    for (const { text, at, isMain } of scope.lines) {
      if (!isMain || text.length > MAX_SPAN || !/\d/.test(text) || spans.length > 20) continue
      const span = dateRangeIn(text, language)
      if (span) spans.push({ ...span, at })
    }
    const near = spans.find(({ at }) => scope.isSmall || isNear(scope, at))
    const only = new Set(spans.map(({ from, to }) => `${from} ${to}`)).size === 1 ? spans[0] : undefined
    const span = near ?? only
    return span ? [candidate(span[which], near ? 0.76 : 0.7)] : []
  }

export const DATES: Rows = {
  published: {
    find: published,
    isOfFrame: true,
    isOfPage: true,
    isOfAnyPage: true,
    isOfAnything: true,
    isOfPost: true,
  },
  modified: { find: modified, isOfPage: true, isOfAnyPage: true },
  startDate: {
    find: (scope, wanted, ground) => [...daysOf('from')(scope, wanted, ground), ...published(scope, wanted, ground)],
    span: 'from',
    isOfAnyPage: true,
  },
  endDate: { find: daysOf('to'), span: 'to' },
  validThrough: { find: daysOf('to') },
}
