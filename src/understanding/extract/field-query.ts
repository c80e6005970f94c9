// Converts a schema field to a query: phrases that may label it, its term in the table, and the kind and unit of its
// value.

import { isUnit } from '../../base/parse-numbers.ts'
import { setOfWords } from '../../base/values.ts'
import { normalizeCurrencyCode } from '../currencies.ts'
import { stemText } from '../passages/stem-terms.ts'
import { type FieldTerm, findTermById, findTermsByPhrase, schemaOrgTypesOfWord, type ValueKind } from './field-terms.ts'
import { tokenizeName } from './normalise-labels.ts'
import type { SchemaShape } from './schema-shape.ts'

export interface FieldQuery {
  name: string
  shape: SchemaShape
  /** Phrases of the name and its description, most reliable first. */
  phrases: readonly string[]
  /** The term that the whole name means. */
  term: FieldTerm | undefined
  labels: ReadonlySet<string>
  /** Stems of the words that say whose value it is: "landlord" of `landlordPhone`. The page must say them too. */
  qualifiers: readonly string[]
  /** The schema.org types of the thing that the name says it belongs to: Recipe of `recipeName`. */
  about: readonly string[]
  /** Stems of what the field names: "society" of `society_name`. */
  names: readonly string[]
  /** Which end of a range: `salary_min`, `endDate`. */
  bound: Bound | undefined
  kind: ValueKind
  unit: string | undefined
  currency: string | undefined
}

/** As a prefix they add nothing. */
const MEANINGLESS_PREFIXES = setOfWords('listing talk session main full current')
const isSubject = (word: string): boolean => MEANINGLESS_PREFIXES.has(word) || schemaOrgTypesOfWord(word).length > 0
/** Words that only describe the type of value. */
export const FILLER_WORDS = setOfWords(
  'number num count total capacity name text value string list amount code id no nr has info of detail',
)
const LINK_WORDS = new Set(['url', 'link', 'href', 'website'])
const IN_UNIT = /\bin ([a-z²]{1,12})\b/i

/** `around`: names of the enclosing lists and objects, innermost last. */
export function makeFieldQuery(name: string, shape: SchemaShape, around: readonly string[] = []): FieldQuery {
  const { tokens, bound } = boundOf(tokenizeName(name).flatMap(partsOfCompound), shape)
  const last = tokens.at(-1) ?? ''
  const isNumeric = shape.kind === 'number' || shape.kind === 'integer'
  const currency = tokens.length > 1 && last.length === 3 ? normalizeCurrencyCode(last) : undefined
  // `tokenizeName` drops the plural of `lengthMetres`.
  const inName = isNumeric && tokens.length > 1 ? [last, `${last}s`].find(isUnit) : undefined
  const said = isNumeric ? IN_UNIT.exec(shape.description)?.[1]?.toLowerCase() : undefined
  const bare =
    currency !== undefined || (inName !== undefined && findTermsByPhrase(tokens.join(' ')).length === 0)
      ? tokens.slice(0, -1)
      : tokens
  const subjects = around.flatMap((outer) => tokenizeName(outer))
  const own = phrasesOf(bare, subjects)
  const described = descriptionPhrases(shape.description)
  const named = nounsNamed(tokens, shape)
  const about = named.length > 0 || tokens.length > 1 ? tokens.flatMap(schemaOrgTypesOfWord) : []
  const isTitle = named.length > 0 && about.some((type) => TYPES_WITH_PAGES.has(type))
  const term = isTitle ? findTermById('name') : termOf([...own, ...described], shape, inName !== undefined)
  const kind = kindOf(shape, term, bare)
  const qualifiers = qualifiersOf(bare, subjects).filter(
    (word) => term?.kind !== 'money' || !term.phrases.includes(word),
  )
  const isHeaded = qualifiers.length > 0 && KINDS_RECOGNISABLE_BY_VALUE.has(kind)
  const head = term ?? (isHeaded ? findTermsByPhrase(last).find((one) => one.kind === kind) : undefined)
  const isLink = LINK_WORDS.has(last) && tokens.length > 1 && term === undefined
  return {
    name,
    shape,
    phrases: [...new Set([...own, ...(inName ? [tokens.join(' ')] : []), ...described])],
    term,
    labels: new Set([...(head?.phrases ?? []), ...(isTitle ? (termOf(own, shape, false)?.phrases ?? []) : [])]),
    qualifiers,
    about,
    bound: bound ?? (term?.id === 'startDate' ? 'low' : term?.id === 'endDate' ? 'high' : undefined),
    names: named.flatMap((word) => stemText(word)),
    kind: isLink ? 'url' : kind,
    unit: inName ?? (said !== undefined && isUnit(said) ? said : undefined),
    currency,
  }
}

/** "Pay" is also a plural of the French for countries. */
const isMoneyWord = (word: string): boolean => findTermsByPhrase(word).some(({ kind }) => kind === 'money')

const LOW = setOfWords('min minimum lowest from')
const HIGH = setOfWords('max maximum highest to')

type Bound = 'low' | 'high'

/** "minimum price" → "price", the low end. The minute of "price per min" is no end. */
export function splitBound(words: readonly string[]): { rest: string[]; bound: Bound | undefined } {
  const at = words.findIndex((word, n) => (LOW.has(word) || HIGH.has(word)) && words[n - 1] !== 'per')
  return { rest: words.filter((_, n) => n !== at), bound: at < 0 ? undefined : LOW.has(words[at]!) ? 'low' : 'high' }
}

/** `salary_min` and `maxPrice` are the ends of an amount; the label of `maxSpeed` says "maximum" itself. */
function boundOf(tokens: string[], { kind }: SchemaShape): { tokens: string[]; bound?: Bound | undefined } {
  const { rest, bound } = splitBound(tokens)
  const isNumeric = kind === 'number' || kind === 'integer'
  return isNumeric && rest.some(isMoneyWord) ? { tokens: rest, bound } : { tokens }
}

/** Kinds with recognisable values, for which a label without a colon, or without the word for the kind, is enough. */
export const KINDS_RECOGNISABLE_BY_VALUE = setOfWords('money date year number count email phone duration code person')

/** Things that have a page of their own, whose heading is their name. */
export const TYPES_WITH_PAGES = setOfWords('Course DiscussionForumPosting Event JobPosting Product Recipe TouristTrip')

/** "society" of `society_name`, "course" of `course` and `course_title`. */
function nounsNamed(tokens: readonly string[], { kind }: SchemaShape): readonly string[] {
  if (kind !== 'string') return []
  if (tokens.length === 1) return schemaOrgTypesOfWord(tokens[0]!).length > 0 ? tokens : []
  return /^(?:name|title)$/.test(tokens.at(-1)!) ? tokens.slice(0, -1) : []
}

/** "hotelname" → "hotel", "name". */
function partsOfCompound(word: string): string[] {
  const subject = /^(\p{L}{3,}?)[sn]?name$/u.exec(word)?.[1]
  return subject && schemaOrgTypesOfWord(subject).length > 0 ? [subject, 'name'] : [word]
}

/** The full name, then without the words for what it belongs to. */
function phrasesOf(tokens: readonly string[], subjects: readonly string[]): string[] {
  const phrases = [tokens.join(' ')]
  let rest = tokens
  // A company's address is not the page's URL.
  const isLink = LINK_WORDS.has(tokens.at(-1) ?? '')
  const isStrippable = () =>
    rest.length > 1 &&
    findTermsByPhrase(rest.join(' ')).length === 0 &&
    ((isSubject(rest[0]!) && !isLink) || subjects.includes(rest[0]!))
  while (isStrippable()) {
    rest = rest.slice(1)
    phrases.push(rest.join(' '))
  }
  // Romance languages put it last: `nomeReceita`.
  if (rest.length === 2 && schemaOrgTypesOfWord(rest[1]!).length > 0 && findTermsByPhrase(rest.join(' ')).length === 0)
    phrases.push(rest[0]!)
  const significant = rest.filter((word) => !FILLER_WORDS.has(word))
  const isTerm = findTermsByPhrase(rest.join(' ')).length > 0
  if (!isTerm && significant.length > 0 && significant.length < rest.length) phrases.push(significant.join(' '))
  return phrases
}

/** Subjects of any page. */
export const ANY_SUBJECT = setOfWords(
  'page article item entry post document website site product listing detail info result current main full total',
)

/** All words but the last, unless the whole name is a term. A list's own name need not occur in its items. */
function qualifiersOf(tokens: readonly string[], subjects: readonly string[]): string[] {
  if (tokens.length < 2 || findTermsByPhrase(tokens.join(' ')).length > 0) return []
  const isSubjectLast = tokens.length === 2 && schemaOrgTypesOfWord(tokens[1]!).length > 0
  const words = isSubjectLast ? tokens.slice(1) : tokens.slice(0, -1)
  return words
    .filter((word) => !ANY_SUBJECT.has(word) && !FILLER_WORDS.has(word) && !subjects.includes(word))
    .flatMap((word) => stemText(word))
}

const MAX_DESCRIBED = 4

/** A short description often uses the page's wording: "Thread starter", "License number of the company". */
function descriptionPhrases(description: string): string[] {
  const first = description.split(/[.;,(:]/, 1)[0] ?? ''
  const head = first.split(/\s(?:of|in|that|which|for|with|per|from)\s/i, 1)[0] ?? ''
  // "Name of the best seller" tells the type of the value, not what it is.
  const isType = (words: readonly string[]) => words.every((word) => FILLER_WORDS.has(word) || word === 'title')
  const phrases = [first, head]
    .map((text) => tokenizeName(text))
    .filter((words) => words.length > 0 && words.length <= MAX_DESCRIBED && (head === first || !isType(words)))
    // "minutes" is the unit of the value.
    .filter((words) => words.length > 1 || ![words[0]!, `${words[0]}s`].some(isUnit))
  return phrases.map((words) => words.join(' '))
}

/** `isMeasured`: the name ends in a unit, so that `size` and `weight` are numbers too. */
function termOf(phrases: readonly string[], { kind }: SchemaShape, isMeasured: boolean): FieldTerm | undefined {
  const isNumeric = kind === 'number' || kind === 'integer'
  for (const phrase of phrases) {
    const named = findTermsByPhrase(phrase)
    // `reviews: 12` counts what `reviews: [...]` lists.
    const lists = kind === 'array' ? named.filter(({ isList }) => isList) : []
    const numeric = isNumeric ? named.filter((term) => NUMERIC.has(term.kind)) : []
    const fitting = numeric.length > 0 || (isNumeric && !isMeasured) ? numeric : lists.length > 0 ? lists : named
    if (fitting.length > 0) return fitting[0]
  }
  return undefined
}

const NUMERIC = new Set<ValueKind>(['money', 'number', 'count', 'duration', 'year', 'date'])
const DATE_WORDS = new Set(['date', 'datum', 'fecha', 'data', 'tarih', 'day'])
const COUNT_WORDS = new Set(['count', 'number', 'total', 'num', 'limit'])

function kindOf(shape: SchemaShape, term: FieldTerm | undefined, tokens: readonly string[]): ValueKind {
  const { kind, format = '' } = shape
  const stated = FORMATS[format]
  if (stated) return stated === 'url' && term?.kind === 'image' ? 'image' : stated
  if (kind === 'boolean') return term?.kind === 'stock' ? 'stock' : 'truth'
  if (kind === 'number' || kind === 'integer') return numericKind(term, tokens)
  if (term) return term.kind
  const last = tokens.at(-1) ?? ''
  if (DATE_WORDS.has(last)) return 'date'
  const [head] = findTermsByPhrase(last)
  // A qualified name has the kind of its last word: `supportEmail`, `salePrice`, `coAuthor`.
  return head && tokens.length > 1 && QUALIFIED.has(head.kind) ? head.kind : 'text'
}

const FORMATS: Readonly<Record<string, ValueKind>> = {
  date: 'date',
  'date-time': 'date',
  uri: 'url',
  url: 'url',
  'uri-reference': 'url',
  email: 'email',
}

function numericKind(term: FieldTerm | undefined, tokens: readonly string[]): ValueKind {
  if (term && NUMERIC.has(term.kind)) return term.kind
  if (tokens.some(isMoneyWord)) return 'money'
  return tokens.some((word) => COUNT_WORDS.has(word)) ? 'count' : 'number'
}

const QUALIFIED = setOfWords('money date person url image email phone address duration time')
