// Values that show what they are without a label: the finder of what the field means, and what is found for any field:
// numbers with their word, links that say where they lead, claims that a page makes, clocks.
import { textOf } from '../../content/tree.ts'
import { clocksIn } from '../values/dates.ts'
import type { Candidate, FieldContext, WantedField } from './asking.ts'
import { candidate, isNear, shownAs } from './candidate.ts'
import { clockOfDay } from './concepts/hours.ts'
import { isFigure } from './concepts/naming.ts'
import { isReported } from './concepts/profiles.ts'
import { counted, lastPage, led, measured, quoted, sized } from './figures.ts'
import type { PagePart } from './page-part.ts'
import { tokensOf } from './words.ts'

export function unlabelled(scope: PagePart, wanted: WantedField, ground: FieldContext): Candidate[] {
  const concepts = wanted.concepts.slice(0, 2)
  const found = concepts.flatMap(({ rules }, n) =>
    (rules.find?.(scope, wanted, ground) ?? []).map((one) => ({ ...one, score: one.score - n * 0.1 })),
  )
  if (wanted.kind === 'count' || wanted.kind === 'number') found.push(...counted(scope, wanted))
  if (wanted.shape.kind === 'number' || wanted.shape.kind === 'integer')
    found.push(...measured(scope, wanted), ...sized(scope, wanted, ground))
  found.push(...led(scope, wanted), ...quoted(scope, wanted))
  if (wanted.kind === 'url' && !concepts.some(({ rules }) => rules.isProfile)) found.push(...linkNamed(scope, wanted))
  if (wanted.kind === 'text' && wanted.shape.kind === 'string' && scope.isSmall && concepts.length === 0)
    found.push(...mentioned(scope, wanted))
  if (wanted.shape.kind === 'boolean' && (concepts.length === 0 || wanted.rules.isClaimed))
    found.push(...claimed(scope, wanted))
  if (scope.isSmall && wanted.kind === 'text' && wanted.phrases.includes('time'))
    found.push(...shownAs(scope, CLOCK, 0.76, 80))
  if (wanted.kind === 'clock' && !scope.isSmall && concepts.some(({ rules }) => rules.span))
    found.push(...spanNear(scope, wanted.rules.span === 'to'))
  if (scope.isSmall && wanted.kind === 'text' && FIGURES.test(wanted.phrases[0] ?? ''))
    found.push(...firstLine(scope, isFigure, 0.86))
  if (wanted.kind === 'clock' && scope.isSmall)
    found.push(...firstLine(scope, (text) => /\d[:h]\d\d|\d\s?[ap]m/i.test(text), 0.72))
  if (wanted.kind === 'clock' && !scope.isSmall && wanted.phrases.some((phrase) => OPENING.test(phrase)))
    found.push(...clockOfDay(scope))
  if (wanted.phrases.some((phrase) => PAGES.test(phrase))) found.push(...lastPage(scope))
  if (scope.isSmall && wanted.phrases.includes('day')) found.push(...weekday(scope))
  return found
}

function firstLine({ lines }: PagePart, test: (text: string) => boolean, score: number): Candidate[] {
  const line = lines.find(({ text }) => test(text))
  return line ? [candidate(line.text, score)] : []
}

const CLOCK = /(?<![\d:.])(\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\.?|\s?uhr)?|\d{1,2}\s?[ap]\.?m\.?|\d{1,2}h\d{2})(?![\d:])/iu

/** "9:30 am – 5 pm" near the heading: the end only of a span. */
const spanNear = (scope: PagePart, isEnd: boolean): Candidate[] =>
  scope.lines
    .filter(({ text, at, isMain }) => isMain && text.length <= 120 && isNear(scope, at, 80))
    .map(({ text }) => ({ text, clocks: clocksIn(text) }))
    .filter(({ clocks }) => clocks.length === 2 || (clocks.length === 1 && !isEnd))
    .slice(0, 1)
    .map(({ text }) => candidate(text, 0.72))

const FIGURES = /^(?:value|number|figure|metric|stat|statistic|stat value)$/

const PAGES = /^(?:total page|page count|number page|last page|page total)$/
const OPENING = /^(?:opens?|closes?|opening time|closing time|open time|close time)$/

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
function linkNamed({ elements, isSmall }: PagePart, { phrases }: WantedField): Candidate[] {
  const names = phrases.map((phrase) => phrase.replaceAll(' ', '')).filter((name) => name.length > 2)
  const words = names.flatMap((name) => DOING.get(name) ?? [])
  for (const { element, isMain } of elements) {
    const { href, class: classes, id, rel } = element.attribs
    if (!isMain || element.name !== 'a' || !href || href.startsWith('#')) continue
    if (/\.(?:png|jpe?g|gif|webp|svg)(?:$|\?)/i.test(href)) continue
    if (!isSmall && element.parent && isReported(element) && !isWhole(textOf(element, 60), names)) continue
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
function mentioned({ lines }: PagePart, { phrases }: WantedField): Candidate[] {
  const isIt = (text: string) => phrases.some((phrase) => phrase.length > 3 && tokensOf(text).includes(phrase))
  const line = lines.find(({ text }) => text.length <= 50 && /\d/.test(text) && isIt(text))
  return line ? [candidate(line.text, 0.66)] : []
}

const NOT =
  /\b(?:not|no|non|nicht|kein\p{L}*|never|without|ohne|sans|sin|senza|geen|niet|isn't|aren't|cannot)\b[^.]{0,12}$/iu

/** "Dishwasher safe": the page says so in the very words, or says that it is not so. */
function claimed(scope: PagePart, { phrases }: WantedField): Candidate[] {
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

const DAYS =
  /^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mi[eé]|jue|vie|s[aá]b|dom|gio|maa|din|woe|don|vri|zat|zon)\p{L}*(?=$|[\s.:,–-])/iu

function weekday({ lines }: PagePart): Candidate[] {
  const day = lines.map(({ text }) => DAYS.exec(text)?.[0]).find(Boolean)
  return day ? [candidate(day, 0.8)] : []
}
