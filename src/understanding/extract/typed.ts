// Values that show what they are without a label, by what the field means: who finds which. Numbers with their word,
// links that say where they lead and claims that a page makes are found for any field.

import { tableOf } from '../../base/table.ts'
import { textOf } from '../../content/tree.ts'
import { clocksIn } from '../values/dates.ts'
import { converted, numbersIn } from '../values/numbers.ts'
import { type Candidate, candidate, isNear, type Typed } from './candidate.ts'
import type { Ground } from './ground.ts'
import { isPerson } from './person.ts'
import type { Scope } from './scope.ts'
import { author } from './typed-author.ts'
import { address, city, clockOfDay, email, hours, phone, postalCode, region, street } from './typed-contact.ts'
import {
  discount,
  duration,
  employees,
  employer,
  employment,
  handle,
  incorporated,
  led,
  payEnd,
  position,
  totalResults,
  vatId,
} from './typed-lines.ts'
import { callToAction, isTold, PROFILES } from './typed-links.ts'
import { currency, listPrice, price, rating, ratingCount, salary, sku, stock } from './typed-shop.ts'
import {
  age,
  courseCode,
  firstDay,
  lastDay,
  lastPage,
  lifeEnd,
  method,
  owner,
  partOfSpeech,
  path,
  pronunciation,
  quoted,
  shownAs,
  term,
} from './typed-small.ts'
import {
  description,
  isFigure,
  lead,
  link,
  modified,
  picture,
  published,
  section,
  subtitle,
  title,
  wholeText,
} from './typed-story.ts'
import type { Wanted } from './wanted.ts'
import { tokensOf } from './words.ts'

export function typed(scope: Scope, wanted: Wanted, ground: Ground): Candidate[] {
  const ids = wanted.concepts.slice(0, 2).map(({ id }) => id)
  const found = ids.flatMap((id, n) =>
    (BY_CONCEPT[id]?.(scope, wanted, ground) ?? []).map((one) => ({ ...one, score: one.score - n * 0.1 })),
  )
  if (wanted.kind === 'count' || wanted.kind === 'number') found.push(...counted(scope, wanted))
  if (wanted.shape.kind === 'number' || wanted.shape.kind === 'integer')
    found.push(...measured(scope, wanted), ...sized(scope, wanted, ground))
  found.push(...led(scope, wanted), ...quoted(scope, wanted))
  if (wanted.kind === 'url' && !ids.some((id) => id in PROFILES)) found.push(...linkNamed(scope, wanted))
  if (wanted.kind === 'text' && wanted.shape.kind === 'string' && scope.isSmall && ids.length === 0)
    found.push(...mentioned(scope, wanted))
  if (wanted.shape.kind === 'boolean' && (ids.length === 0 || ids[0] === 'furnished'))
    found.push(...claimed(scope, wanted))
  if (scope.isSmall && wanted.kind === 'text' && wanted.phrases.includes('time'))
    found.push(...shownAs(scope, CLOCK, 0.76, 80))
  if (wanted.kind === 'clock' && !scope.isSmall && ids.some((id) => id === 'startDate' || id === 'endDate'))
    found.push(...spanNear(scope, ids[0] === 'endDate'))
  if (scope.isSmall && wanted.kind === 'text' && FIGURES.test(wanted.phrases[0] ?? ''))
    found.push(
      ...scope.lines
        .filter(({ text }) => isFigure(text))
        .slice(0, 1)
        .map(({ text }) => candidate(text, 0.86)),
    )
  if (wanted.kind === 'clock' && scope.isSmall)
    found.push(
      ...scope.lines
        .filter(({ text }) => /\d[:h]\d\d|\d\s?[ap]m/i.test(text))
        .slice(0, 1)
        .map(({ text }) => candidate(text, 0.72)),
    )
  if (wanted.kind === 'clock' && !scope.isSmall && wanted.phrases.some((phrase) => OPENING.test(phrase)))
    found.push(...clockOfDay(scope, wanted, ground))
  if (wanted.phrases.some((phrase) => PAGES.test(phrase))) found.push(...lastPage(scope, wanted, ground))
  if (scope.isSmall && wanted.phrases.includes('day')) found.push(...weekday(scope))
  return found
}

const CLOCK = /(?<![\d:.])(\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\.?|\s?uhr)?|\d{1,2}\s?[ap]\.?m\.?|\d{1,2}h\d{2})(?![\d:])/iu

/** "9:30 am – 5 pm" near the heading: the end only of a span. */
const spanNear = (scope: Scope, isEnd: boolean): Candidate[] =>
  scope.lines
    .filter(({ text, at, isMain }) => isMain && text.length <= 120 && isNear(scope, at, 80))
    .map(({ text }) => ({ text, clocks: clocksIn(text) }))
    .filter(({ clocks }) => clocks.length === 2 || (clocks.length === 1 && !isEnd))
    .slice(0, 1)
    .map(({ text }) => candidate(text, 0.72))

/** What stands in quotes was said. */
const QUOTED = /^[“"«„].{8,}$/su

const FIGURES = /^(?:value|number|figure|metric|stat|statistic|stat value)$/

const PAGES = /^(?:total page|page count|number page|last page|page total)$/
const OPENING = /^(?:opens?|closes?|opening time|closing time|open time|close time)$/

const FOUNDED =
  /\b(?:founded|established|est\.?|gegründet|opgericht|fondée?|fundad[ao]|fondat[ao]|założon[ay]|основан[ао]?)\b[^.\d]{0,25}(\d{4})(?!\d)/iu
/** Much has been so since some year; a short line that says it speaks of the house. */
const SINCE = /\b(?:since|seit|sinds|depuis|desde|dal)\b[^.\d]{0,12}(\d{4})(?!\d)/iu
const MAX_SINCE = 120
const OWN_SINCE =
  /\b(?:serving|serv|own\p{L}*|operat\p{L}*|business|family|trusted|proud\p{L}*|open|making|made|familie\p{L}*|betrieb\p{L}*|inhaber\p{L}*)\b|©/iu
const BORN = /\b(?:born|geboren|née?|nacid[ao]|nat[ao]|urodzon[ay])\b[^.\d]{0,40}(\d{4})(?!\d)/iu

/** The year of a short sentence that says since when. */
const sentenceSince = (text: string): string | undefined =>
  text
    .split(/(?<=[.!?])\s/)
    .filter((sentence) => sentence.length <= 40 || (sentence.length <= MAX_SINCE && OWN_SINCE.test(sentence)))
    .map((sentence) => SINCE.exec(sentence)?.[1])
    .find(Boolean)

const since =
  (pattern: RegExp): Typed =>
  ({ lines }) => {
    const yearIn = (text: string) =>
      text.length < 600
        ? (pattern.exec(text)?.[1] ?? (pattern === FOUNDED ? sentenceSince(text) : undefined) ?? '')
        : ''
    const years = new Set(lines.map(({ text }) => yearIn(text)).filter(Boolean))
    const [year] = years
    return year !== undefined && years.size === 1 ? [candidate(year, 0.72)] : []
  }

const VERSION = /(?<![\d.\p{L}])v?(\d+\.(?:\d+|x)(?:\.(?:\d+|x)){0,2}(?:-[\w.]+)?)(?![\d.]\d|\p{L})/iu

const versioned: Typed = ({ lines, headings, isSmall, title }, { phrases }) => {
  if (!isSmall) {
    // Lists of releases begin with the newest.
    const newest = /latest|newest|current/.test(phrases[0] ?? '')
      ? headings.flatMap(({ text, isMain }) => (isMain ? (VERSION.exec(text)?.[1] ?? []) : []))[0]
      : undefined
    if (newest) return [candidate(newest, 0.72)]
    const titled = VERSION.exec(title ?? '')?.[1]
    if (titled) return [candidate(titled, 0.66)]
    const alone = lines.filter(({ text }) => /^v(?:ersion)?\s?\d+(?:\.\w+){1,3}$/i.test(text))
    const versions = new Set(alone.flatMap(({ text }) => VERSION.exec(text)?.[1] ?? []))
    return versions.size === 1 ? [candidate([...versions][0]!, 0.64)] : []
  }
  const texts = [...headings.map(({ text }) => text), ...lines.map(({ text }) => text)].slice(0, 10)
  const version = texts.map((text) => VERSION.exec(text)?.[1]).find(Boolean)
  return version ? [candidate(version, 0.78)] : []
}

const BY_CONCEPT = tableOf<Typed>({
  ...PROFILES,
  cta: callToAction,
  name: title,
  jobTitle: (scope, wanted, ground) => {
    if (!scope.isSmall && scope.main && isPerson(scope.main.text)) return position(scope)
    return wanted.phrases.includes('job title') ? title(scope, wanted, ground) : []
  },
  founded: since(FOUNDED),
  age,
  birthDate: (scope, wanted, ground) => [
    ...since(BORN)(scope, wanted, ground),
    ...lifeEnd('from')(scope, wanted, ground),
  ],
  deathDate: lifeEnd('to'),
  version: versioned,
  url: link,
  website: (scope, wanted, ground) =>
    scope.isSmall ? link(scope, wanted, ground).map((one) => ({ ...one, score: 0.65 })) : [],
  image: picture,
  email,
  phone,
  street,
  city,
  region,
  postalCode,
  address,
  openingHours: hours,
  price,
  listPrice,
  currency,
  salary,
  sku,
  inStock: stock,
  rating,
  reviewCount: ratingCount,
  author: (scope, wanted, ground) => [...handle(scope, wanted, ground), ...author(scope, wanted, ground)],
  discount,
  duration,
  employees,
  year: (scope) =>
    scope.isSmall ? shownAs(scope, /(?:^|\s[·•|]\s|\()((?:19|20)\d{2})(?=$|\s[·•|]|\))/u, 0.72, 80) : [],
  license: (scope) =>
    scope.isSmall
      ? []
      : shownAs(
          scope,
          /\b(?:licen[sc]ed|released|available) under (?:the |an? )?(\p{Lu}[\w.+ -]{1,40}?)(?=[.,;)]|$)/u,
          0.72,
          300,
        ),
  size: (scope) =>
    scope.isSmall ? shownAs(scope, /^(\d{1,5}(?:[.,]\d{1,2})?\s?(?:m²|m2|sqm|qm|sq\.? ?ft|ft²))$/iu, 0.72, 30) : [],
  instructor: (scope) =>
    scope.isSmall
      ? shownAs(
          scope,
          /^(?:with|led by|taught by|mit|avec|con)\s(\p{Lu}[\p{L}.'’-]+(?:\s\p{Lu}[\p{L}.'’-]+){1,3})$/u,
          0.74,
          60,
        )
      : [],
  totalResults,
  employmentType: employment,
  salaryMin: payEnd('low'),
  salaryMax: payEnd('high'),
  vatId,
  published,
  startDate: (scope, wanted, ground) => [...firstDay(scope, wanted, ground), ...published(scope, wanted, ground)],
  endDate: lastDay,
  validThrough: lastDay,
  servings: (scope) => shownAs(scope, /^(?:makes|yields?|serves)[:\s]+(?:about\s)?(.{1,40})$/i, 0.7, 60),
  views: (scope) => shownAs(scope, /\bviewed\s(\d[\d.,]*\s?[kKmM]?)\s(?:times|x)\b/i, 0.76, 60),
  term,
  method,
  path,
  pronunciation,
  partOfSpeech,
  courseCode,
  modified,
  subtitle,
  section,
  category: section,
  description: (scope, wanted, ground) => [...description(scope, wanted, ground), ...lead(scope, wanted)],
  body: wholeText,
  company: (scope, wanted, ground) => [
    ...incorporated(scope),
    ...employer(scope, wanted, ground),
    ...owner(scope, wanted, ground),
  ],
  reviewText: (scope, wanted, ground) =>
    scope.isSmall ? [...shownAs(scope, QUOTED, 0.82, 600), ...wholeText(scope, wanted, ground)] : [],
})

/** What a link says that leads there. */
const DOING: ReadonlyMap<string, readonly string[]> = new Map([
  ['booking', ['book', 'réserver', 'reservar', 'buchen', 'prenota', 'boek']],
  ['reservation', ['book', 'reserve', 'réserver', 'reservar']],
  ['registration', ['register', 'signup', 'enrol', 'anmelden']],
  ['application', ['apply']],
  ['ticket', ['ticket', 'get ticket', 'buy ticket', 'billetterie', 'entradas']],
])

/** A link in a sentence counts when it says nothing else. */
const isWhole = (text: string, names: readonly string[]): boolean => names.includes(tokensOf(text).join(''))

/** `downloadUrl`: a link that says so, or is called so. */
function linkNamed({ elements, isSmall }: Scope, { phrases }: Wanted): Candidate[] {
  const names = phrases.map((phrase) => phrase.replaceAll(' ', '')).filter((name) => name.length > 2)
  const words = names.flatMap((name) => DOING.get(name) ?? [])
  for (const { element, isMain } of elements) {
    const { href, class: classes, id, rel } = element.attribs
    if (!isMain || element.name !== 'a' || !href || href.startsWith('#')) continue
    if (/\.(?:png|jpe?g|gif|webp|svg)(?:$|\?)/i.test(href)) continue
    if (!isSmall && element.parent && isTold(element) && !isWhole(textOf(element, 60), names)) continue
    const text = textOf(element, 60)
    const said = [text, classes, id, rel, href]
      .join(' ')
      .toLowerCase()
      .replace(/[\s_-]/g, '')
    const isAsked = words.length > 0 && words.some((word) => text.trim().toLowerCase().startsWith(word))
    // A short word is met by chance in a long address.
    const spoken = new Set(tokensOf(`${text} ${href.replace(/^https?:\/\/[^/]*/, '')}`))
    const isCalled = names.some((name) => (name.length < 6 ? spoken.has(name) : said.includes(name)))
    if (isAsked || isCalled) return [candidate(href, 0.74, { href })]
  }
  const hrefs = new Set(
    isSmall ? elements.flatMap(({ element }) => (element.name === 'a' ? (element.attribs.href ?? []) : [])) : [],
  )
  const [only] = hrefs
  return only && hrefs.size === 1 && words.length > 0 ? [candidate(only, 0.66, { href: only })] : []
}

/** "Up to 10 members": a short line of a card that holds the very word. */
function mentioned({ lines }: Scope, { phrases }: Wanted): Candidate[] {
  const isIt = (text: string) => phrases.some((phrase) => phrase.length > 3 && tokensOf(text).includes(phrase))
  const line = lines.find(({ text }) => text.length <= 50 && /\d/.test(text) && isIt(text))
  return line ? [candidate(line.text, 0.66)] : []
}

const NOT =
  /\b(?:not|no|non|nicht|kein\p{L}*|never|without|ohne|sans|sin|senza|geen|niet|isn't|aren't|cannot)\b[^.]{0,12}$/iu

/** "Dishwasher safe": the page says so in the very words, or says that it is not so. */
function claimed(scope: Scope, { phrases }: Wanted): Candidate[] {
  const names = phrases
    .filter((phrase) => phrase.length > (scope.isSmall ? 3 : 7))
    .map((phrase) =>
      phrase
        .split(' ')
        .map((word) => `${word.replace(/e?s$/, '')}\\p{L}{0,3}`)
        .join('[\\s-]'),
    )
  if (names.length === 0) return []
  const pattern = new RegExp(`(?<!\\p{L})(?:${names.join('|')})(?!\\p{L})`, 'iu')
  for (const { text, isMain } of scope.lines) {
    const found = isMain ? pattern.exec(text) : null
    if (!found) continue
    const from = Math.max(text.lastIndexOf('. ', found.index), text.lastIndexOf('? ', found.index)) + 1
    const end = /[.!?](?:\s|$)/.exec(text.slice(found.index))
    // What is only asked, or holds under a condition, is not claimed.
    if (end?.[0].startsWith('?') || /\b(?:if|unless|whether|falls|wenn|si)\b/i.test(text.slice(from, found.index)))
      continue
    return [candidate(NOT.test(text.slice(from, found.index)) ? 'no' : 'yes', 0.68)]
  }
  return []
}

/** "64 m²" in a card, or near the heading: the one number in a unit of area. */
function sized(scope: Scope, { concepts, unit, phrases }: Wanted, { language }: Ground): Candidate[] {
  const asked =
    unit ??
    (concepts[0]?.id === 'area'
      ? AREA_NAMES.find(([name]) => phrases.some((one) => one.includes(name)))?.[1]
      : undefined)
  if (!asked || converted(1, 'm2', asked) === undefined) return []
  const values = new Set<number>()
  for (const { text, at, isMain } of scope.lines) {
    if (!isMain || text.length > 80 || !/\d/.test(text) || !(scope.isSmall || isNear(scope, at))) continue
    for (const { value, end } of numbersIn(text, language, 10)) {
      const given = /^\s?(m²|m2|qm|sqm|sq\.?\s?m|sq\.?\s?ft|sqft|ft²)(?!\p{L})/iu.exec(text.slice(end))?.[1]
      const inUnit = given && converted(value, given.replace(/[.\s]/g, '').replace('²', '2').toLowerCase(), asked)
      if (inUnit) values.add(inUnit)
    }
  }
  const [value] = values
  return value !== undefined && values.size === 1 ? [candidate(String(value), 0.72)] : []
}

const AREA_NAMES = [
  ['sqft', 'sqft'],
  ['square f', 'sqft'],
  ['sqm', 'sqm'],
] as const

/** "2-year warranty", "14-day free trial": a number in the unit asked for, in a line that names the field. */
function measured({ lines }: Scope, { phrases, unit: given, name }: Wanted): Candidate[] {
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
  const [value] = values
  return value !== undefined && values.size === 1 ? [candidate(value, 0.74)] : []
}

const MAX_MEASURED = 1500

const DAYS =
  /^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mi[eé]|jue|vie|s[aá]b|dom|gio|maa|din|woe|don|vri|zat|zon)\p{L}*(?=$|[\s.:,–-])/iu

function weekday({ lines }: Scope): Candidate[] {
  const day = lines.map(({ text }) => DAYS.exec(text)?.[0]).find(Boolean)
  return day ? [candidate(day, 0.8)] : []
}

const NUMBER = String.raw`((?:\d{1,3}(?:[.,\s]\d{3})+|\d{1,9}(?:[.,]\d{1,2})?\s?[kKmM]?)\+?)`
const wordsOf = (phrase: string): string =>
  phrase
    .split(' ')
    .filter((word) => !/^(?:number|count|total|num)$/.test(word))
    .map((word) => `${word.replace(/y$/, '(?:y|ie)')}(?:s|es|n|en)?`)
    .join(String.raw`[\s-]`)

/** "3 bedrooms", "1,204 ratings": a number and the very word. */
function counted(scope: Scope, { phrases, concepts }: Wanted): Candidate[] {
  const names = [...phrases, ...(concepts[0] ? (PLAIN_WORDS[concepts[0].id] ?? []) : [])]
    .map(wordsOf)
    .filter((word) => word.length > 5)
  if (names.length === 0) return []
  const pattern = new RegExp(
    String.raw`(?<![\d.,\p{L}${concepts[0]?.id === 'employees' ? '<–-' : ''}])${NUMBER}\s(?:(?:customer|user|total|global|verified|active|full)\s)?(?:${[...new Set(names)].join('|')})(?!\p{L})(?:\s(?:of|out of|von|sur|de|di|van)\s${NUMBER})?`,
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

const PLAIN_WORDS = tableOf<readonly string[]>({
  reviewCount: ['review', 'rating', 'bewertung', 'avis', 'recension', 'opinion', 'vote'],
  servings: ['serving', 'portion', 'personen', 'people'],
  bedrooms: ['bedroom', 'bed'],
  bathrooms: ['bathroom', 'bath'],
  views: ['view'],
  downloads: ['download'],
  employees: ['employee', 'mitarbeiter'],
  pages: ['page', 'seite'],
  calories: ['calorie', 'kcal'],
  readingTime: ['min read', 'minute read', 'minute of reading', 'minute to read', 'min de lecture', 'min lesezeit'],
})
