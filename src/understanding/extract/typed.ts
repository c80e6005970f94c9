// Values that show what they are without a label, by what the field means: a table of who finds what. Numbers with their
// word, links that say where they lead and claims that a page makes are found for any field.
import { textOf } from '../../content/tree.ts'
import { clocksIn } from '../values/dates.ts'
import { type Candidate, candidate, isNear, shownAs, type Typed } from './candidate.ts'
import type { Ground } from './ground.ts'
import { isPerson } from './person.ts'
import type { Scope } from './scope.ts'
import { author } from './typed-author.ts'
import { address, city, clockOfDay, email, hours, phone, postalCode, region, street } from './typed-contact.ts'
import { firstDay, lastDay, modified, published } from './typed-dates.ts'
import {
  discount,
  duration,
  employer,
  employment,
  incorporated,
  led,
  payEnd,
  position,
  totalResults,
} from './typed-lines.ts'
import { callToAction, isTold, PROFILES } from './typed-links.ts'
import { currency, listPrice, price, rating, ratingCount, salary, sku, stock } from './typed-shop.ts'
import { description, section, subtitle, wholeText } from './typed-text.ts'
import { link, picture, title } from './typed-title.ts'
import type { Wanted } from './wanted.ts'
import { tokensOf } from './words.ts'

export function typed(scope: Scope, wanted: Wanted, ground: Ground): Candidate[] {
  const ids = wanted.concepts.slice(0, 2).map(({ id }) => id)
  const found = ids.flatMap((id, n) =>
    (FINDERS.get(id)?.(scope, wanted, ground) ?? []).map((one) => ({ ...one, score: one.score - n * 0.1 })),
  )
  if (wanted.kind === 'count' || wanted.kind === 'number') found.push(...counted(scope, wanted))
  found.push(...led(scope, wanted))
  if (wanted.kind === 'url' && !ids.some((id) => PROFILES.has(id))) found.push(...linkNamed(scope, wanted))
  if (wanted.shape.kind === 'boolean' && (ids.length === 0 || ids[0] === 'furnished'))
    found.push(...claimed(scope, wanted))
  if (scope.isSmall && wanted.kind === 'text' && wanted.phrases.includes('time'))
    found.push(...shownAs(scope, CLOCK, 0.76, 80))
  if (wanted.kind === 'clock') found.push(...clockIn(scope, wanted, ids, ground))
  return found
}

const CLOCK = /(?<![\d:.])(\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\.?|\s?uhr)?|\d{1,2}\s?[ap]\.?m\.?|\d{1,2}h\d{2})(?![\d:])/iu
const OPENING = /^(?:opens?|closes?|opening time|closing time|open time|close time)$/

/** An hour: of a card its first line with one, of a page that of the hours it keeps or of the span near its heading. */
function clockIn(scope: Scope, wanted: Wanted, ids: readonly string[], ground: Ground): Candidate[] {
  if (scope.isSmall) {
    const line = scope.lines.find(({ text }) => /\d[:h]\d\d|\d\s?[ap]m/i.test(text))
    return line ? [candidate(line.text, 0.72)] : []
  }
  const isSpan = ids.some((id) => id === 'startDate' || id === 'endDate')
  return [
    ...(isSpan ? spanNear(scope, ids[0] === 'endDate') : []),
    ...(wanted.phrases.some((phrase) => OPENING.test(phrase)) ? clockOfDay(scope, wanted, ground) : []),
  ]
}

/** Two hours in a line near the heading: the end only of a span. */
const spanNear = (scope: Scope, isEnd: boolean): Candidate[] =>
  scope.lines
    .filter(({ text, at, isMain }) => isMain && text.length <= 120 && isNear(scope, at, 80))
    .map(({ text }) => ({ text, clocks: clocksIn(text) }))
    .filter(({ clocks }) => clocks.length === 2 || (clocks.length === 1 && !isEnd))
    .slice(0, 1)
    .map(({ text }) => candidate(text, 0.72))

const FOUNDED =
  /\b(?:founded|established|est\.?|gegründet|opgericht|fondée?|fundad[ao]|fondat[ao]|założon[ay]|основан[ао]?)\b[^.\d]{0,25}(\d{4})(?!\d)/iu
const BORN = /\b(?:born|geboren|née?|nacid[ao]|nat[ao]|urodzon[ay])\b[^.\d]{0,40}(\d{4})(?!\d)/iu

const since =
  (pattern: RegExp): Typed =>
  ({ lines }) => {
    const yearIn = (text: string) => (text.length < 600 ? (pattern.exec(text)?.[1] ?? '') : '')
    const years = new Set(lines.map(({ text }) => yearIn(text)).filter(Boolean))
    const [year] = years
    return year !== undefined && years.size === 1 ? [candidate(year, 0.72)] : []
  }

const YEAR = /(?:^|\s[·•|]\s|\()((?:19|20)\d{2})(?=$|\s[·•|]|\))/u

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

/** By concept: what finds it where no label does. */
const FINDERS: ReadonlyMap<string, Typed> = new Map<string, Typed>([
  ...PROFILES,
  ['cta', callToAction],
  ['name', title],
  [
    'jobTitle',
    (scope, wanted, ground) => {
      if (!scope.isSmall && scope.main && isPerson(scope.main.text)) return position(scope)
      return wanted.phrases.includes('job title') ? title(scope, wanted, ground) : []
    },
  ],
  ['founded', since(FOUNDED)],
  ['birthDate', since(BORN)],
  ['version', versioned],
  ['url', link],
  [
    'website',
    (scope, wanted, ground) =>
      scope.isSmall ? link(scope, wanted, ground).map((one) => ({ ...one, score: 0.65 })) : [],
  ],
  ['image', picture],
  ['email', email],
  ['phone', phone],
  ['street', street],
  ['city', city],
  ['region', region],
  ['postalCode', postalCode],
  ['address', address],
  ['openingHours', hours],
  ['price', price],
  ['listPrice', listPrice],
  ['currency', currency],
  ['salary', salary],
  ['sku', sku],
  ['inStock', stock],
  ['rating', rating],
  ['reviewCount', ratingCount],
  ['author', author],
  ['discount', discount],
  ['duration', duration],
  ['year', (scope) => (scope.isSmall ? shownAs(scope, YEAR, 0.72, 80) : [])],
  ['totalResults', totalResults],
  ['employmentType', employment],
  ['salaryMin', payEnd('low')],
  ['salaryMax', payEnd('high')],
  ['published', published],
  ['startDate', (scope, wanted, ground) => [...firstDay(scope, wanted, ground), ...published(scope, wanted, ground)]],
  ['endDate', lastDay],
  ['validThrough', lastDay],
  ['modified', modified],
  ['subtitle', subtitle],
  ['section', section],
  ['category', section],
  ['description', description],
  ['body', wholeText],
  ['company', (scope, wanted, ground) => [...incorporated(scope), ...employer(scope, wanted, ground)]],
  ['reviewText', (scope, wanted, ground) => (scope.isSmall ? wholeText(scope, wanted, ground) : [])],
])

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

const PLAIN_WORDS: Readonly<Record<string, readonly string[]>> = {
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
}
