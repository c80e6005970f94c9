// Where something is: a postal address and its parts, and how large and how furnished a home is.
import { readLines } from '../../facts/lines.ts'
import { dateIn } from '../../values/dates.ts'
import type { Candidate, Rows, ValueFinder } from '../asking.ts'
import { candidate, first, isNear, mostOften, shownAs } from '../candidate.ts'
import type { PagePart } from '../page-part.ts'
import { type Postal, postalIn, STATES } from '../postal.ts'

/** The address near the heading; else those of the main content, else all. */
const postals = (scope: PagePart): readonly Postal[] =>
  scope.memo('postals', () => {
    const all = postalIn(scope.lines)
    const close = all.filter(({ at }) => isNear(scope, at))
    const near = new Set(close.map(({ street }) => street)).size === 1 ? close.slice(0, 1) : []
    const main = all.filter(({ isMain }) => isMain)
    return near.length > 0 ? near : main.length > 0 ? main : all
  })

const partOf =
  (part: 'text' | 'street' | 'city' | 'region' | 'code') =>
  (scope: PagePart): Candidate[] => {
    const often = mostOften(postals(scope).flatMap((one) => one[part] ?? []))
    return often ? [candidate(often.value, often.isOnly ? 0.76 : 0.64)] : []
  }

const TOWN_CODE =
  /^(?<town>\p{Lu}[\p{L}'’ -]{1,40}?)\s?\((?<code>\d{4,5})\)$|^(?<code2>\d{5})\s(?<town2>\p{Lu}[\p{L}'’ -]{1,40})$/u

/** "Nantes (44000)" or "36037 Fulda" near the heading. */
const townNear = (scope: PagePart, part: 'town' | 'code'): Candidate[] => {
  const line = scope.lines.find(({ text, at }) => (scope.isSmall || isNear(scope, at, 40)) && TOWN_CODE.test(text))
  const found = line && TOWN_CODE.exec(line.text)?.groups
  const value = found?.[part] ?? found?.[`${part}2`]
  return value ? [candidate(value, 0.74)] : []
}

/** A town with its state is named often by whoever serves it; one that is named once may be anyone's. */
const IN_STATE = new RegExp(
  String.raw`(?<!\p{L})(\p{Lu}[\p{L}.'’-]+(?:\s\p{Lu}[\p{L}.'’-]+){0,2}),\s(?:${STATES.split(' ').join('|')})(?!\p{L})`,
  'gu',
)

const city: ValueFinder = (scope) => {
  const own = partOf('city')(scope)
  const town = townNear(scope, 'town')
  if (town.length > 0) return town
  if (own.length > 0 || scope.isSmall) return [...own, ...headedByTown(scope)]
  const towns = scope.lines
    .slice(0, 2000)
    .flatMap(({ text }) =>
      [...text.slice(0, 1000).matchAll(IN_STATE)].map(([, town]) => town!.replace(/^(?:In|Near|Of|The|To|And)\s/u, '')),
    )
  const often = mostOften(towns)
  const headed = towns.find((town) => scope.main?.text.includes(town))
  if (headed) return [candidate(headed, 0.7)]
  return often && towns.filter((town) => town === often.value).length > Math.max(1, towns.length * 0.6)
    ? [candidate(often.value, often.isOnly ? 0.68 : 0.62)]
    : []
}

/** Cards of offices are headed by their towns. */
function headedByTown({ headings, elements, isSmall }: PagePart): Candidate[] {
  const [heading, more] = headings
  const isOffice = elements.some(({ element }) => element.name === 'address')
  const isTown = heading && !more && isOffice && /^\p{Lu}\p{L}+(?:[\s-]\p{Lu}?\p{L}+){0,2}$/u.test(heading.text)
  return isSmall && isTown ? [candidate(heading.text, 0.66)] : []
}

const address: ValueFinder = (scope) => {
  const found = first(scope, ({ name }) => name === 'address')
  const lines = found ? readLines(found.element, () => false).lines : []
  const text = lines
    .map((line) => line.text.replace(/,$/, ''))
    .join(', ')
    .slice(0, 400)
  const own =
    text && /\d/.test(text) && text.length < 160 && !text.includes('@') && !dateIn(text) ? [candidate(text, 0.72)] : []
  return [...partOf('text')(scope), ...own]
}

const TO_MAP = /[\s,|-]*(?:get directions?|(?:view|see|open)(?: on| in)? (?:google )?maps?|directions|map)$/i
const SIZE = /^(\d{1,5}(?:[.,]\d{1,2})?\s?(?:m²|m2|sqm|qm|sq\.? ?ft|ft²))$/iu

const AREAS = [
  ['sqft', 'sqft'],
  ['square f', 'sqft'],
  ['sqm', 'sqm'],
] as const

export const PLACE: Rows = {
  address: {
    find: address,
    clean: (said) => said.replace(TO_MAP, '').slice(0, 400),
    isLong: true,
    isSiteWide: true,
    isOfFrame: true,
    isSplitByLine: true,
  },
  street: { find: partOf('street'), isSiteWide: true },
  city: { find: city, isSiteWide: true, mayEcho: true },
  region: { find: partOf('region'), isSiteWide: true },
  postalCode: {
    find: (scope) => [...partOf('code')(scope), ...townNear(scope, 'code')],
    hasForm: true,
    isSiteWide: true,
  },
  venue: {
    // "The Tannery, 12 Brook Street": where it is was not asked for.
    clean: (said, { name }) =>
      /venue/i.test(name) ? (/^(.{3,60}?),\s\d/u.exec(said)?.[1] ?? said.slice(0, 200)) : undefined,
  },
  size: { find: (scope) => (scope.isSmall ? shownAs(scope, SIZE, 0.72, 30) : []), mayBeNumbers: true },
  area: { unitIn: (phrases) => AREAS.find(([name]) => phrases.some((one) => one.includes(name)))?.[1] },
  rooms: { isNumberOnly: true },
  bedrooms: { countedAs: ['bedroom', 'bed'] },
  bathrooms: { countedAs: ['bathroom', 'bath'] },
  furnished: { isClaimed: true },
}
