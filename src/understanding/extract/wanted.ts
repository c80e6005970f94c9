// What one field asks for, in the words of the vocabulary: which phrases may name it on a page, which concepts it may be,
// what sort of value it wants and in which unit.

import { isUnit } from '../values/numbers.ts'
import type { Concept, Rules, WantedField } from './asking.ts'
import { conceptNamed, rulesOf } from './concepts/index.ts'
import type { Shape } from './shape.ts'
import { conceptsOf, SUBJECTS, type ValueKind } from './vocabulary.ts'
import { tokensOf } from './words.ts'

const CURRENCY = /^(?:usd|eur|gbp|jpy|chf|cad|aud|inr|cny|sek|nok|dkk|pln)$/
const EMPTY_WORDS = new Set('has number num nr no count total list text string value iso'.split(' '))
/** Which of several: pages tell but the one. */
const SOONEST = new Set(['next', 'upcoming', 'expected', 'estimated'])
const NUMBERS = new Set(['number', 'num', 'nr', 'no', 'id', 'code'])
const IN_UNIT = /\bin (?:whole |full )?([a-z²]{1,12}|sq ft|square met(?:er|re)s)\b/i

/** `around`: names of the objects that the field lies in, innermost last. */
export function wantedOf(name: string, shape: Shape, around: readonly string[] = []): WantedField {
  // `citationsSince2021`: a year is a word of its own.
  const tokens = tokensOf(name.replace(/(\p{L}{3,})((?:19|20)\d{2})(?!\d)/gu, '$1 $2'))
  const last = tokens.at(-1) ?? ''
  const currency = tokens.length > 1 && CURRENCY.test(last) ? last.toUpperCase() : undefined
  const isNumeric = shape.kind === 'number' || shape.kind === 'integer'
  const unitInName = tokens.length > 1 && isNumeric && isUnit(last) && conceptsOf(tokens.join(' ')).length === 0
  const described = isNumeric ? IN_UNIT.exec(shape.description)?.[1]?.toLowerCase() : undefined
  const unit = unitInName ? last : described && isUnit(described) ? described : undefined
  // `authorUrl` asks where the author is to be found.
  const isLink =
    tokens.length > 1 && shape.kind === 'string' && LINKS.has(last) && conceptsOf(tokens.join(' ')).length === 0
  const bare = currency || unitInName || isLink ? tokens.slice(0, -1) : tokens
  const named = phrasesFor(bare, shape, around)
  // `deliveryDays` may be written with its unit in its label, and then has none in its value.
  const phrases = unitInName ? [...named, tokens.join(' ')] : named
  const exact =
    conceptByLittleWord(name) ?? (last === 'name' && OF_A_HOUSE.test(shape.description) ? 'company' : undefined)
  const counts = isNumeric ? phrases.flatMap(countOf) : []
  const inner = around.at(-1) ?? ''
  const isPost = /\b(?:job|position|role|academic|professional)\b/i.test(shape.description)
  const isOfPerson = /(?:contact|person|agent|manager|author|speaker|representative|founder)$/i.test(inner)
  const isJob = name === 'title' && (isPost || isOfPerson)
  const meant = counts.length > 0 ? counts : phrases.flatMap(conceptsOf)
  // A room that is asked for in words is a place, not how many there are.
  const asked = isJob ? ['jobTitle'] : meant.filter((id) => !(rulesOf(id).isNumberOnly && shape.kind === 'string'))
  const ids = exact ? [exact] : [...new Set(asked)]
  const head =
    ids.length === 0 && bare.length > 1 ? conceptsOf(bare.at(-1)!).filter((id) => rulesOf(id).isKnownByHead) : []
  const concepts = [...ids, ...head].map(conceptNamed)
  const kind = isLink ? 'url' : isClock(bare, shape) ? 'clock' : kindFor(shape, concepts[0])
  const rules = concepts[0]?.rules ?? NO_RULES
  return { name, shape, phrases, concepts, rules, kind, unit, currency, isLoose: head.length > 0 }
}

const NO_RULES: Rules = {}

/** `reviews: 12`: a number asked for by the word of what it counts. */
function countOf(phrase: string): readonly string[] {
  const [own] = conceptsOf(phrase)
  const isCounted = own !== undefined && conceptNamed(own).kind === 'text'
  return isCounted ? [...conceptsOf(`${phrase} count`), ...conceptsOf(`number ${phrase}`)] : []
}

/** `name`, described as whose. */
const OF_A_HOUSE = /\bname of (?:the |this )?(?:company|business|organi[sz]ation|firm|agency)\b/i
const DONE =
  'started|asked|created|posted|submitted|opened|written|published|reviewed|uploaded|authored|reported|answered'
const LITTLE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:validfrom|startson)$/, 'startDate'],
  [/^(?:validto|validuntil|endson)$/, 'endDate'],
  [new RegExp(`^(?:${DONE})by$`), 'author'],
  [new RegExp(`^(?:${DONE})(?:on|at|date|time)$|^date(?:${DONE})$`), 'published'],
]

/** `startedBy` and `startedOn` differ in a word that says nothing elsewhere. */
function conceptByLittleWord(name: string): string | undefined {
  const squeezed = name.replace(/[^a-z]/gi, '').toLowerCase()
  return LITTLE_WORDS.find(([form]) => form.test(squeezed))?.[1]
}

const LINKS = new Set(['url', 'link', 'href', 'website'])
const CLOCKS = new Set('open close opens closes departure arrival checkin checkout departs arrives'.split(' '))

function isClock(tokens: readonly string[], { kind, format, description }: Shape): boolean {
  if (kind !== 'string') return false
  return (
    format === 'time' ||
    /\bHH:MM\b/i.test(description) ||
    tokens.some((word) => CLOCKS.has(word)) ||
    /^(?:check (?:in|out)|(?:start|end|begin|finish|opening|closing|check in|check out|door) time)$/.test(
      tokens.join(' '),
    )
  )
}

function phrasesFor(tokens: readonly string[], shape: Shape, around: readonly string[]): string[] {
  const whole = tokens.join(' ')
  const phrases = [whole]
  const add = (words: readonly string[]) => {
    const phrase = words.join(' ')
    if (phrase !== '' && !phrases.includes(phrase)) phrases.push(phrase)
  }
  const isKnown = () => phrases.some((phrase) => conceptsOf(phrase).length > 0)
  const outer = around.map((one) => tokensOf(one)).at(-1)
  if (outer && !isNeutral(around.at(-1)!)) {
    phrases.unshift([...outer, ...tokens].join(' '))
    // The name of an author is not the name of the page.
    const [likeliest] = conceptsOf(whole)
    const isName = likeliest !== undefined && rulesOf(likeliest).isName
    const isOwn = conceptsOf(whole).some((id) => !rulesOf(id).isOfAnything)
    const isSomebody = outer.at(-1) === 'contact' && isName
    if (!isOwn && (!CONTAINERS.has(outer.at(-1)!) || isSomebody)) {
      // Whose title it is says nothing of the title.
      const calls = isName && whole !== 'title' ? [outer.join(' ')] : []
      return [phrases[0]!, ...calls]
    }
  }
  // `numRatings` and `totalReviews` count.
  const counted = ['number', ...tokens.slice(1)]
  if (EMPTY_WORDS.has(tokens[0] ?? '') && tokens.length > 1 && !isKnown() && conceptsOf(counted.join(' ')).length > 0)
    add(counted)
  // `productName` on a page about a product asks for the name.
  if (!isKnown()) {
    const [first = '', ...rest] = tokens
    if (rest.length > 0 && (SUBJECTS.has(first) || EMPTY_WORDS.has(first) || SOONEST.has(first))) add(rest)
  }
  // `companyNumber` as text is a number of the company, not its name.
  const telling = tokens.filter((word) => !EMPTY_WORDS.has(word))
  const isCode = shape.kind === 'string' && tokens.some((word) => NUMBERS.has(word))
  if (!isKnown() && tokens.length > 1 && !(isCode && mayBeAnyones(telling.join(' ')))) add(telling)
  // A unit that nobody knows: `maxTorqueNm`, `rateLimitPerMinute`.
  if (shape.kind !== 'string' && tokens.length > 1) {
    const per = tokens.indexOf('per')
    if (per > 0) add(tokens.slice(0, per))
    else if (tokens.at(-1)!.length <= 3 || tokens.at(-1) === 'percent') add(tokens.slice(0, -1))
  }
  // A description may say it in the words of the page.
  const said = tokensOf(
    (shape.description.split(/[.;,(]/, 1)[0] ?? '')
      .replace(/^(?:the )?(?:full |exact )?(?:names?|titles?|texts?|values?) of (?:the |a )?/i, '')
      .replace(/ (?:in|auf) \p{L}+$/iu, ''),
  )
  if (said.length > 0 && said.length <= 4) add(said)
  // "Capacity of the course".
  const whose = /^(?:the )?(\p{L}{5,} ?\p{L}*) of (?:the|this|an?) /iu.exec(shape.description)?.[1]
  if (whose && !isKnown() && !isOfAnything(tokensOf(whose))) add(tokensOf(whose))
  // "Sub-forum the thread is in": what comes before the clause, when it is a known name of several words.
  const head = tokensOf(shape.description.split(/ (?:the|that|which|in which) /i, 1)[0] ?? '')
  if (head.length > 1 && head.length <= 3 && conceptsOf(head.join(' ')).length > 0) add(head)
  return phrases
}

/** "Names of the …", "Number of the …" say nothing of their own. */
const isOfAnything = (words: readonly string[]): boolean =>
  words.some((word) => EMPTY_WORDS.has(word) || mayBeAnyones(word))

const mayBeAnyones = (phrase: string): boolean => conceptsOf(phrase).some((id) => rulesOf(id).isOfAnything)

/** Words for a box that only gathers: what lies in it is the page's own. */
const CONTAINERS = new Set(
  'contact pricing price offer location address specification spec availability dimension nutrition time timing social metadata meta rating review schedule date stock'.split(
    ' ',
  ),
)
/** Fields of some sentences rather than a few words. */
export const isLong = ({ concepts }: WantedField): boolean => concepts.some(({ rules }) => rules.isLong)

/** A name that says what the page is about anyway (`product`, `data`). */
export const isNeutral = (name: string): boolean => tokensOf(name).every((word) => SUBJECTS.has(word))

function kindFor({ kind, format }: Shape, concept: Concept | undefined): ValueKind {
  if (format === 'date' || format === 'date-time') return 'date'
  if (format === 'uri' || format === 'url' || format === 'uri-reference')
    return concept?.kind === 'image' ? 'image' : 'url'
  if (format === 'email') return 'email'
  if (format === 'duration') return 'duration'
  if (concept) return concept.kind
  return kind === 'integer' ? 'count' : kind === 'number' ? 'number' : kind === 'boolean' ? 'truth' : 'text'
}
