// How to reach whoever stands behind a page, from links and running text: telephone, e-mail, postal address and its parts,
// hours. Of several that differ none is told, unless one stands where it must be meant.
import type { Element } from 'domhandler'
import { flatText } from '../../content/tree.ts'
import { readLines } from '../facts/lines.ts'
import { dateIn } from '../values/dates.ts'
import { type Candidate, candidate, first, isNear, mostOften, type Typed } from './candidate.ts'
import { type Postal, postalIn, STATES } from './postal.ts'
import type { Scope } from './scope.ts'
import { tokensOf } from './words.ts'

// --- telephone --------------------------------------------------------------------------------------------------------

const PHONE =
  /(?<![\d/.,#\p{L}-])(?:\+\d{1,3}[\s.-]?)?(?:\(\+?\d{1,5}\)|\d{2,5})[\s.\-–/]{1,2}\d{2,4}(?:[\s.\-–/]\d{2,5}){0,4}(?![\d/.-]*\d|\p{L})/gu
const FAX = /\b(?:fax|telefax|isbn|issn|ein|vat|order|sku|item)\b[^\d]{0,12}$/iu
const CALLED = /\b(?:phone|call|tel|telephone|telefon|teléfono|telefono|téléphone|mobile|hotline|text us|ring)\b|☎|📞/iu
const MAX_LINE = 300

export const phone: Typed = (scope) => {
  const linked = scope.elements
    .filter(({ element }) => isTo(element, 'tel:'))
    .map(({ element, isMain }) => ({ text: shownNumber(element), isMain }))
    .filter(({ text }) => digitsIn(text) >= 6)
  const [best] = oneOf(linked, 0.86)
  if (best) return [best]
  const spoken: { text: string; isMain: boolean; isCalled: boolean }[] = []
  for (const { text, isMain } of scope.lines) {
    if (text.length > MAX_LINE || spoken.length > 40 || !/\d{3}/.test(text)) continue
    for (const { 0: found, index } of text.matchAll(PHONE)) {
      const digits = digitsIn(found)
      if (digits < 9 || digits > 15 || /^\d{4}[-./]\d{2}[-./]\d{2}|^(?:19|20)\d{2}\s?[-–]\s?(?:19|20)\d{2}/.test(found))
        continue
      if (FAX.test(text.slice(Math.max(0, index - 25), index))) continue
      spoken.push({ text: found.trim(), isMain, isCalled: CALLED.test(text) })
    }
  }
  const called = spoken.filter(({ isCalled }) => isCalled)
  return oneOf(called.length > 0 ? called : spoken, called.length > 0 ? 0.76 : 0.68)
}

const digitsIn = (text: string): number => text.replace(/\D/g, '').length

/** The one value, the one of the main content, or the one that stands most often. */
function oneOf(found: readonly { text: string; isMain: boolean }[], score: number): Candidate[] {
  if (found.length === 0) return []
  const key = (text: string) => text.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '') || text.toLowerCase()
  const main = found.filter(({ isMain }) => isMain)
  const often = mostOften((main.length > 0 ? main : found).map(({ text }) => key(text)))
  if (!often) return [candidate(found[0]!.text, score * 0.66)]
  const chosen = found.find(({ text }) => key(text) === often.value)!
  return [candidate(chosen.text, often.isOnly ? score : score * 0.88)]
}

const isTo = ({ name, attribs }: Element, scheme: string): boolean =>
  name === 'a' && attribs.href?.trim().toLowerCase().startsWith(scheme) === true

function shownNumber(element: Element): string {
  const shown = flatText(element, 80)
  const target = decoded(element.attribs.href!.trim().slice(4).split('?', 1)[0]!)
  const number = /(?:\+|\(|\d)[\d\s().\-–/+]{4,24}\d/.exec(shown)?.[0]
  return number && digitsIn(number) >= Math.min(7, digitsIn(target)) ? number : target
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// --- e-mail -----------------------------------------------------------------------------------------------------------

const EMAIL =
  /[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}\s?(?:@|\s?[[(]\s?at\s?[\])]\s?)\s?[a-z\d-]{1,63}(?:(?:\.|\s\.\s|\s?[[(]\s?dot\s?[\])]\s?)[a-z\d-]{2,24}){1,3}/giu

export const email: Typed = (scope, { phrases, isLoose }) => {
  const found: { text: string; isMain: boolean; around: string }[] = []
  for (const { element, isMain } of scope.elements) {
    if (found.length > 60) break
    const hidden =
      element.attribs['data-cfemail'] ?? /email-protection#([\da-f]+)/.exec(element.attribs.href ?? '')?.[1]
    const text = hidden
      ? unveiled(hidden)
      : isTo(element, 'mailto:')
        ? decoded(element.attribs.href!.trim().slice(7).split('?', 1)[0]!)
        : ''
    if (text.includes('@')) found.push({ text, isMain, around: flatText(element, 80) })
  }
  for (const { text, isMain, block } of scope.lines) {
    // What stands in code is an example.
    if (
      block?.name === 'pre' ||
      block?.name === 'code' ||
      text.length > 2000 ||
      found.length > 100 ||
      !/@|[[(]\s?at\s?[\])]/i.test(text)
    )
      continue
    for (const { 0: written, index } of text.matchAll(EMAIL))
      found.push({ text: plainly(written), isMain, around: text.slice(Math.max(0, index - 80), index + 20) })
  }
  // `bugEmail`: the one that says so, in itself or in the words before it.
  const last = (phrases[0] ?? '').split(' ').slice(0, -1)
  if (isLoose && last.length > 0) {
    const said = found.filter(({ text, around }) => {
      const words = new Set(tokensOf(`${text.split('@')[0]} ${around}`))
      return last.some((word) => words.has(word))
    })
    const [one] = oneOf(said, 0.9)
    return one ? [one] : oneOf(found, new Set(found.map(({ text }) => text.toLowerCase())).size === 1 ? 0.74 : 0.5)
  }
  return oneOf(found, 0.84)
}

const plainly = (text: string): string =>
  text
    .replace(/\s?[[(]\s?at\s?[\])]\s?/gi, '@')
    .replace(/\s?[[(]\s?dot\s?[\])]\s?/gi, '.')
    .replace(/\s/g, '')

/** A well-known way to keep addresses from harvesters: the first byte is what all others are mixed with. */
function unveiled(hex: string): string {
  const bytes =
    hex
      .slice(0, 400)
      .match(/[\da-f]{2}/gi)
      ?.map((pair) => Number.parseInt(pair, 16)) ?? []
  return String.fromCharCode(...bytes.slice(1).map((byte) => byte ^ bytes[0]!))
}

// --- place ------------------------------------------------------------------------------------------------------------

/** The address near the heading; else those of the main content, else all. */
const postals = (scope: Scope): readonly Postal[] =>
  scope.memo('postals', () => {
    const all = postalIn(scope.lines)
    const close = all.filter(({ at }) => isNear(scope, at))
    const near = new Set(close.map(({ street }) => street)).size === 1 ? close.slice(0, 1) : []
    const main = all.filter(({ isMain }) => isMain)
    return near.length > 0 ? near : main.length > 0 ? main : all
  })

const partOf =
  (part: 'text' | 'street' | 'city' | 'region' | 'code'): Typed =>
  (scope) => {
    const values = postals(scope).flatMap((one) => one[part] ?? [])
    const often = mostOften(values)
    return often ? [candidate(often.value, often.isOnly ? 0.76 : 0.64)] : []
  }

const TOWN_CODE =
  /^(?<town>\p{Lu}[\p{L}'’ -]{1,40}?)\s?\((?<code>\d{4,5})\)$|^(?<code2>\d{5})\s(?<town2>\p{Lu}[\p{L}'’ -]{1,40})$/u

/** "Nantes (44000)" or "36037 Fulda" near the heading. */
const townNear = (scope: Scope, part: 'town' | 'code'): Candidate[] => {
  const line = scope.lines.find(({ text, at }) => (scope.isSmall || isNear(scope, at, 40)) && TOWN_CODE.test(text))
  const found = line && TOWN_CODE.exec(line.text)?.groups
  const value = found?.[part] ?? found?.[`${part}2`]
  return value ? [candidate(value, 0.74)] : []
}

export const street = partOf('street')
/** A town with its state is named often by whoever serves it; one that is named once may be anyone's. */
const IN_STATE = new RegExp(
  String.raw`(?<!\p{L})(\p{Lu}[\p{L}.'’-]+(?:\s\p{Lu}[\p{L}.'’-]+){0,2}),\s(?:${STATES.split(' ').join('|')})(?!\p{L})`,
  'gu',
)

export const city: Typed = (scope, wanted, ground) => {
  const own = partOf('city')(scope, wanted, ground)
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
function headedByTown({ headings, elements, isSmall }: Scope): Candidate[] {
  const [heading, more] = headings
  const isOffice = elements.some(({ element }) => element.name === 'address')
  const isTown = heading && !more && isOffice && /^\p{Lu}\p{L}+(?:[\s-]\p{Lu}?\p{L}+){0,2}$/u.test(heading.text)
  return isSmall && isTown ? [candidate(heading.text, 0.66)] : []
}

export const region = partOf('region')
export const postalCode: Typed = (scope, wanted, ground) => [
  ...partOf('code')(scope, wanted, ground),
  ...townNear(scope, 'code'),
]

export const address: Typed = (scope, wanted, ground) => {
  const found = first(scope, ({ name }) => name === 'address')
  const lines = found ? readLines(found.element, () => false).lines : []
  const text = lines
    .map((line) => line.text.replace(/,$/, ''))
    .join(', ')
    .slice(0, 400)
  const own =
    text && /\d/.test(text) && text.length < 160 && !text.includes('@') && !dateIn(text) ? [candidate(text, 0.72)] : []
  return [...partOf('text')(scope, wanted, ground), ...own]
}

// --- hours ------------------------------------------------------------------------------------------------------------

const DAY =
  /\b(?:mon|tues?|wed|thurs?|fri|sat|sun)(?:days?|nesday|urday|day)?\b|\bdaily\b|\bweekdays?\b|\bweekends?\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)s?\b|\b(?:mo|di|mi|do|fr|sa|so)\.?\s?[-–]/iu
const CLOCKS =
  /\d{1,2}(?:[:.h]\d{2})?\s?(?:[ap]\.?m\.?|uhr|h)?\s?(?:[-–—]|to|bis|until|à)\s?\d{1,2}(?:[:.h]\d{2})?\s?(?:[ap]\.?m\.?|uhr|h)?/iu
/** Of lines under a heading those of days, of hours or of both, as far as they follow each other. */
export function hoursAmong(texts: readonly string[]): string {
  const isOne = (text: string) =>
    text.length <= 80 && !/\d{3}[-.\s]\d{4}/.test(text) && (DAY.test(text) || CLOCKS.test(text))
  const from = texts.findIndex(isOne)
  const rest = from < 0 ? [] : texts.slice(from)
  const end = rest.findIndex((text) => !isOne(text))
  return rest.slice(0, end < 0 ? undefined : end).join(', ')
}

const MAX_HOURS = 10

/** `opens`, `closes`: the hours of the day, where the page has one span of them only. */
export const clockOfDay: Typed = (scope, wanted, ground) => {
  const spans = hours(scope, wanted, ground).flatMap(({ value }) =>
    String(value)
      .split(', ')
      .flatMap((line) => CLOCKS.exec(line)?.[0] ?? []),
  )
  return new Set(spans).size === 1 ? [candidate(spans[0]!, 0.64)] : []
}

/** "Call 01603 555 080 Mon–Fri 9–5": the hours begin with the day. */
const unled = (text: string): string => {
  const at = DAY.exec(text)?.index ?? 0
  return /\d{3}/.test(text.slice(0, at)) ? text.slice(at) : text
}

/** Lines with a day and a span of hours, one after the other. */
export const hours: Typed = ({ lines, isSmall }) => {
  if (isSmall) return []
  const isHours = (text: string) =>
    text.length <= 120 && DAY.test(text) && (CLOCKS.test(text) || /closed|geschlossen/i.test(text))
  // The days and their hours may stand in two lines.
  const texts = lines.map(({ text }, n) => {
    const next = lines[n + 1]?.text ?? ''
    return text.length <= 40 &&
      DAY.test(text) &&
      !CLOCKS.test(text) &&
      next.length <= 40 &&
      CLOCKS.test(next) &&
      !DAY.test(next)
      ? `${text} ${next}`
      : text
  })
  const from = texts.findIndex(
    (text) => isHours(text) && CLOCKS.test(text) && /\d\s?[ap]\.?m|\d[:.h]\d\d|\duhr|\d\suhr|\dh\b/i.test(text),
  )
  if (from < 0) return []
  const block: string[] = []
  for (let n = from; n < texts.length && block.length < MAX_HOURS; n++) {
    const text = unled(texts[n]!)
    if (!isHours(text)) break
    // "Open daily: 9–8 | (734) 555-0128": the hours end where something else begins.
    block.push(
      text
        .split(/\s+[|•·]\s+/u)
        .filter((part, k) => k === 0 || (CLOCKS.test(part) && !/\d{3}[-.\s]\d{4}/.test(part)))
        .join(' | '),
    )
    if (texts[n] !== lines[n]!.text) n += 1
  }
  return [candidate(block.join(', '), 0.68)]
}
