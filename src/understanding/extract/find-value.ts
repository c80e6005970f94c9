// Finds the best-supported value of a field: structured data, metadata, labels, and unlabelled values near the main
// heading.

import type { Element } from 'domhandler'
import { decodePercent } from '../../base/attempt.ts'
import { parseDate } from '../../base/parse-dates.ts'
import { parseNumbersIn } from '../../base/parse-numbers.ts'
import { isObject, rememberByObject, setOfWords } from '../../base/values.ts'
import type { PageMetadata } from '../../content/metadata.ts'
import { findElement } from '../../content/parse-tree.ts'
import type { TextLine } from '../facts/read-visible-lines.ts'
import { findMoney } from '../money.ts'
import { stemText } from '../passages/stem-terms.ts'
import {
  type ConversionContext,
  convertRawValue,
  isSpanOfDays,
  plainTextOfValue,
  type RawValue,
} from './convert-raw-value.ts'
import {
  ANY_SUBJECT,
  FILLER_WORDS,
  type FieldQuery,
  KINDS_RECOGNISABLE_BY_VALUE,
  splitBound,
  TYPES_WITH_PAGES,
} from './field-query.ts'
import { areSynonyms, findTermById, schemaOrgTypesOfWord, typesOfLabel } from './field-terms.ts'
import {
  describesPageOrSite,
  type ExtractSubject,
  isFront,
  partsOfTitle,
  type StructuredObject,
  schemaTypesOf,
} from './find-extract-subject.ts'
import { type Byline, findByline } from './find-person-name.ts'
import { findStatements } from './find-statement.ts'
import { toComparablePhrase, tokenizeName } from './normalise-labels.ts'
import { elementToRawValue, isStruckThrough, type LabelledValue, type LabelSource, type PagePart } from './page-part.ts'

type FoundFieldValue = { value: unknown; score: number; source: string }

/** Where the fields of one object are searched. */
export interface FieldSearchScope {
  part: PagePart | undefined
  things: readonly StructuredObject[]
  /** Set for the page as a whole. */
  page?: PageScope | undefined
}

type PageScope = { subject: ExtractSubject; metadata: PageMetadata; url: string }

const ENOUGH = 0.5
const SURE = 0.9
/** Scores closer than this do not decide between two values. */
const TIE_MARGIN = 0.02

export function findValue(
  field: FieldQuery,
  place: FieldSearchScope,
  context: ConversionContext,
): FoundFieldValue | undefined {
  let best: FoundFieldValue | undefined
  let rival: FoundFieldValue | undefined
  const isWhose = makeQualifierCheck(field, place)
  const offer: Offer = (raw, score, source, said = ''): void => {
    // "2,050 € gross per month" says itself that it is monthly.
    const own =
      field.kind === 'money' && raw.isData !== true ? `${said} ${plainTextOfValue(raw.value).slice(0, 200)}` : said
    if (score < ENOUGH || !isWhose(own)) return
    if (best && best.score >= score + TIE_MARGIN) return
    const value = convertRawValue(raw, field, context)
    if (value === undefined || value === '') return
    const found = { value, score, source }
    const isOther = best !== undefined && best.value !== value
    if (best && best.score >= score) rival = isOther ? found : rival
    else [best, rival] = [found, isOther ? best : rival]
  }
  const about = thingsOf(field, place)
  // The visible heading is the title, whatever the data say; not that of a thing with data of its own.
  const isHeaded = field.kind === 'title' && !about.isOwn && place.page?.subject.heading?.isMain === true
  for (const { raw, score, key } of findInStructuredData(about.things, field, place.page !== undefined))
    offer(raw, isHeaded ? score * 0.95 : score, 'data', key)
  if (best && best.score >= SURE && !isHeaded) return best
  if (place.page && !about.isOther) offerHead(field, place.page, offer)
  if (place.part && field.kind === 'truth')
    for (const { value, text } of findStatements(field.name, place.part)) offer({ value }, 0.8, 'text', text)
  if (place.part) {
    offerLabels(field, place.part, offer)
    if (place.page && !about.isOther) offerShown(field, place.part, place.page, context, offer)
  }
  // Two values with equally weak support: neither is known to be the one.
  const isUnclear = best?.source === 'text' && rival !== undefined && best.score - rival.score < TIE_MARGIN
  return isUnclear && KINDS_OF_ONE_VALUE.has(field.kind) ? undefined : best
}

/** Of these, a page shows those of other things as well. */
const KINDS_OF_ONE_VALUE = setOfWords('number count duration money date time truth person email phone')

/** Kinds of values that pages state about their own subject, not about things that they mention. */
const KINDS_OF_PAGE_SUBJECT = new Set<FieldQuery['kind']>(['title', 'person', 'date'])

/** Things that a site publishes as articles of its own. */
const TYPES_PUBLISHED_AS_ARTICLES = setOfWords('Recipe Event Product VideoObject CollectionPage DiscussionForumPosting')

/** `bookTitle` is not the headline of an article, and `recipeName` is the name that the data give the recipe. */
function thingsOf({ about, kind }: FieldQuery, { page, things }: FieldSearchScope) {
  if (!page || about.length === 0 || !KINDS_OF_PAGE_SUBJECT.has(kind)) return { things, isOwn: false, isOther: false }
  const { types, heading } = page.subject
  const own = things.filter(
    (thing) => !describesPageOrSite(thing) && schemaTypesOf(thing).some((type) => about.includes(type)),
  )
  const name = plainTextOfValue(own[0]?.name)
  // A heading that the name only extends, by that of the shop, is the name.
  if (own.length > 0) return { things: own, isOwn: !heading || !name.startsWith(heading.text), isOther: false }
  const isAlso = (type: string) =>
    about.includes(type) || (type === 'Article' && about.some((one) => TYPES_PUBLISHED_AS_ARTICLES.has(one)))
  const isOther = types.length > 0 && !types.some(isAlso)
  return { things: isOther ? [] : things, isOwn: false, isOther }
}

/** `said`: the label, key or line that says what the value is. */
type Offer = (raw: RawValue, score: number, source: string, said?: string) => void

// --- whose value it is -----------------------------------------------------------------------------------------------

const subjectWords = new WeakMap<ExtractSubject, ReadonlySet<string>>()

/** Stems of what the page says that it is about: its types, title, heading, breadcrumbs and address. */
function wordsOfSubject({ subject, metadata, url }: PageScope): ReadonlySet<string> {
  const known = subjectWords.get(subject)
  if (known) return known
  const path = URL.canParse(url) ? new URL(url).pathname.replace(/[^\p{L}]+/gu, ' ') : ''
  const { heading, title, breadcrumbs, types } = subject
  const named = types.map((type) => tokenizeName(type).join(' '))
  const own = [heading?.text, title, metadata.title, ...breadcrumbs, ...named]
  const words = new Set(stemText([...own.flat(), path].filter(Boolean).join(' ')))
  subjectWords.set(subject, words)
  return words
}

/**
 * Whether each qualifier of the field is said by the label, the heading above it or the page's subject: `landlordPhone`
 * is not the only telephone number of a page.
 */
function makeQualifierCheck(field: FieldQuery, { page, part }: FieldSearchScope): (said: string) => boolean {
  const { name, names, kind } = field
  // A heading is the title of a job only where the page speaks of jobs: that of a person's page is a name.
  const qualifiers =
    field.qualifiers.length === 0 && kind === 'title'
      ? names.filter((word) => !ANY_SUBJECT.has(word))
      : field.qualifiers
  if (!page || qualifiers.length === 0) return () => true
  const about = wordsOfSubject(page)
  const types = typesOfPage(page, part)
  const isOfType = tokenizeName(name).some((word) => schemaOrgTypesOfWord(word).some((type) => types.has(type)))
  const open = qualifiers.filter((word) => !about.has(word) && ![...about].some((other) => areSynonyms(word, other)))
  if (open.length === 0 || isOfType) return () => true
  return (said) => {
    const words = stemText(said.replace(/(\p{Ll})(\p{Lu})|[._]/gu, '$1 $2'))
    return open.every((word) => words.some((other) => areSynonyms(word, other)))
  }
}

const pageTypes = new WeakMap<ExtractSubject, ReadonlySet<string>>()

/** The types of things that the page is about: by its data, title and address, or as it labels what only they have. */
function typesOfPage(page: PageScope, part: PagePart | undefined): ReadonlySet<string> {
  const known = pageTypes.get(page.subject)
  if (known) return known
  const { host, pathname } = URL.canParse(page.url) ? new URL(page.url) : { host: '', pathname: '' }
  const { heading, title, breadcrumbs, site } = page.subject
  const said = [host, pathname, heading?.text, title, page.metadata.title, site, ...breadcrumbs].flat().join(' ')
  const words = tokenizeName(said.replace(/[^\p{L}]+/gu, ' '), 2000)
  const labels = part ? trueLabelsOf(part).map(({ phrase }) => phrase) : []
  const implied = [...words.flatMap(schemaOrgTypesOfWord), ...labels.flatMap(typesOfLabel)]
  const types = new Set([...page.subject.types, ...implied])
  pageTypes.set(page.subject, types)
  return types
}

// --- structured data -------------------------------------------------------------------------------------------------

/**
 * The value at a path such as `offers.price`; in lists, the first one that has it. `interactionStatistic:View` takes the
 * statistic of that interaction.
 */
function valueAtPath(value: unknown, path: string): unknown {
  let here: unknown[] = [value]
  for (const step of path.split('.')) {
    const [name = '', type] = step.split(':')
    here = here
      .flat()
      .slice(0, 200)
      .flatMap((one) => (isObject(one) && Object.hasOwn(one, name) ? [one[name]] : []))
      .filter((one) => one !== null && one !== undefined && one !== '')
    if (type !== undefined)
      here = here.flat().filter((one) => isObject(one) && JSON.stringify(one.interactionType ?? '').includes(type))
    if (here.length === 0) return undefined
  }
  return here.length === 1 ? here[0] : here
}

const MAX_KEYS = 300

export function findInStructuredData(
  things: readonly StructuredObject[],
  field: FieldQuery,
  isPage = true,
): { raw: RawValue; value: unknown; score: number; key: string }[] {
  const { term, phrases, kind, shape, bound } = field
  const found: { raw: RawValue; value: unknown; score: number; key: string }[] = []
  for (const [n, thing] of things.slice(0, 6).entries()) {
    // The name of the site or its owner is not the subject's name.
    if (isPage && describesPageOrSite(thing) && (kind === 'title' || kind === 'image' || (kind === 'url' && n > 0)))
      continue
    const rank = n === 0 ? 1 : 0.9
    const paths = (term?.paths ?? []).map((path) =>
      bound === 'high' ? path.replace('minValue', 'maxValue').replace('lowPrice', 'highPrice') : path,
    )
    const isOfBound = (path: string) => bound === undefined || kind !== 'money' || BOUND_PATH[bound].test(path)
    const add = (value: unknown, score: number, key: string) => {
      if (value === undefined || value === null || value === '') return
      const one =
        Array.isArray(value) && shape.kind !== 'array' && kind !== 'text' && kind !== 'person' ? value[0] : value
      found.push({ raw: structuredToRawValue(one), value, score: score * rank, key })
    }
    for (const key of Object.keys(thing).slice(0, MAX_KEYS))
      if (!key.startsWith('@') && phrases.includes(toComparablePhrase(key)))
        add(thing[key], toComparablePhrase(key) === phrases[0] ? 1 : 0.94, key)
    for (const [m, path] of paths.entries()) if (isOfBound(path)) add(valueAtPath(thing, path), 0.96 - m * 0.01, path)
    for (const extra of [thing.additionalProperty].flat().slice(0, 200))
      if (isObject(extra) && typeof extra.name === 'string' && isLabelOf(toComparablePhrase(extra.name), field))
        add(extra.value, 0.93, extra.name)
  }
  return found.sort((a, b) => b.score - a.score)
}

const BOUND_PATH = { low: /minValue|lowPrice/, high: /maxValue|highPrice/ }

const isLabelOf = (phrase: string, { phrases, labels }: FieldQuery): boolean =>
  phrases.includes(phrase) || labels.has(phrase)

export function structuredToRawValue(value: unknown): RawValue {
  const url = isObject(value) ? (value.url ?? value.contentUrl ?? value['@id']) : undefined
  const address = typeof url === 'string' ? url : undefined
  return { value, href: address, src: address, isData: true }
}

// --- head ------------------------------------------------------------------------------------------------------------

const METADATA_PREFIX = /^(?:og|twitter|article|product|citation|dc|dcterms)[:._]/i

/** Metadata about the document, not about its subject. */
const DOCUMENT_METADATA_NAMES = new Set(['ogType', 'og:type', 'type', 'viewport', 'generator', 'robots', 'language'])

function offerHead(field: FieldQuery, { subject, metadata, url }: PageScope, offer: Offer): void {
  const { term, kind, phrases } = field
  const add = (value: string | string[] | undefined, score: number) => {
    const one = Array.isArray(value) ? value.join(', ') : value
    if (one) offer({ value: one, href: one, src: one, when: one, isData: true }, score, 'head')
  }
  if (term?.id !== 'company') offerNames(field, subject, metadata, offer)
  const isOrganisation = term?.id === 'company' || (kind === 'title' && field.about.includes('Organization'))
  if (isOrganisation) {
    offerOrganisation({ subject, url }, offer)
    return
  }
  // The heading of a home page is often a slogan; its name is the site's.
  const isSlogan =
    isFront(url) &&
    subject.site !== undefined &&
    subject.things.every(describesPageOrSite) &&
    phrases.some((phrase) => /\bname$/.test(phrase))
  const { site = '', title = '' } = subject
  if (kind === 'title' && isSlogan) offer({ value: site }, 0.97, 'heading', site)
  else if (kind === 'title') offer({ value: title }, subject.heading ? 0.97 : 0.8, 'heading')
  else for (const key of term?.meta ?? []) add(metadata[key], 0.78)
  if (term?.id === 'url') add(url, 0.8)
  if (term?.id === 'publisher') add(subject.site, 0.8)
  for (const key of Object.keys(metadata).filter((one) => !DOCUMENT_METADATA_NAMES.has(one)))
    if (toComparablePhrase(key.replace(METADATA_PREFIX, '')) === phrases[0] && kind !== 'title')
      add(metadata[key], 0.76)
}

/** "Quernby Allotment Society" is the name of a society, wherever the page says it. */
function offerNames({ names, about }: FieldQuery, subject: ExtractSubject, { title }: PageMetadata, offer: Offer) {
  const said = [subject.heading?.text, subject.site, ...partsOfTitle([title].flat()[0] ?? '')]
  for (const text of names.length > 0 ? said : []) {
    const words = tokenizeName(text ?? '')
    const stems = words.flatMap((word) => stemText(word))
    const isNamed =
      names.every((name) => stems.includes(name)) ||
      words.flatMap(schemaOrgTypesOfWord).some((type) => about.includes(type))
    if (isNamed && words.length > names.length && words.length <= MAX_NAME_WORDS)
      offer({ value: text }, 0.9, 'heading', text)
  }
}

const MAX_NAME_WORDS = 8

/**
 * The company of a page about nothing else is the one that the data describe, else the owner of the site. A job, a
 * product or an article names another one.
 */
function offerOrganisation({ subject, url }: Pick<PageScope, 'subject' | 'url'>, offer: Offer) {
  const { site, things, types } = subject
  if (types.length > 0 && !isFront(url)) return
  const own = things.find((thing) => schemaTypesOf(thing).includes('Organization') && typeof thing.name === 'string')
  if (own) offer({ value: own.name, isData: true }, 0.7, 'data')
  else if (site) offer({ value: site }, 0.62, 'head')
}

// --- labels ----------------------------------------------------------------------------------------------------------

type Weights = Readonly<Record<LabelSource, number>>
const WEIGHT_OF_LABEL_SOURCE: Weights = { label: 0.95, head: 0.95, name: 0.8, start: 0.82, end: 0.8 }
const COUNTED = new Set<FieldQuery['kind']>(['number', 'count', 'duration', 'money'])

function offerLabels(field: FieldQuery, part: PagePart, offer: Offer): void {
  const labelled = part.labelled()
  const ask = (phrase: string, weight: number, isMeant: (one: LabelledValue) => boolean = () => true) => {
    const all = (labelled.get(phrase) ?? []).filter(isMeant)
    const isRepeated = COUNTED.has(field.kind) && isOfItems(all)
    const counts = new Set(all.flatMap(({ source, text, isMain }) => (source === 'end' && isMain ? [text] : [])))
    for (const one of all)
      if (one.source === 'end' ? counts.size < 2 : !isRepeated || !isBefore(one))
        offerLabelled(one, field, weight, offer, whoseIs(phrase, one, part))
  }
  for (const [n, phrase] of field.phrases.entries()) ask(phrase, n === 0 ? 1 : 0.97)
  for (const phrase of field.labels) ask(phrase, 0.93)
  // The end of "April 16–17" is labelled as the start is.
  if (field.term?.id === 'endDate')
    for (const phrase of findTermById('startDate').phrases) ask(phrase, 0.9, ({ text }) => isSpanOfDays(text ?? ''))
  const offerEnd: Offer = (raw, ...more) => offer({ ...raw, isEnd: true }, ...more)
  // "Minimum price" is that end itself.
  if (field.bound !== undefined && field.kind === 'money')
    for (const { phrase, values } of trueLabelsOf(part)) {
      const { rest, bound } = splitBound(phrase.split(' '))
      if (bound === field.bound && field.phrases.includes(rest.join(' ')))
        for (const one of values) offerLabelled(one, field, 1.02, offerEnd, whoseIs(phrase, one, part))
    }
  offerSimilar(field, part, offer)
}

/**
 * A label with all the words of the name and one more at most: "Processor model" for `processorModel`, "Loco weight" for
 * `weightKg`. A price or number needs only the words that say whose it is: "Student pass: £90" for `student_price`. Rows
 * of a table differ in one word ("Student fee", "Senior fee"): of several values none is the field's.
 */
function offerSimilar(field: FieldQuery, part: PagePart, offer: Offer): void {
  const { qualifiers, kind, term, unit, phrases } = field
  const isWhose = qualifiers.length > 0 && LABELLED_BY_QUALIFIER.has(kind)
  // A term lists its own labels.
  if (!isWhose && term !== undefined && unit === undefined && !COUNTED.has(kind)) return
  const asked = isWhose ? qualifiers : significantWordsOf(phrases[0] ?? '')
  const spare = isWhose || asked.length > 1 || unit !== undefined ? 1 : 0
  const found = trueLabelsOf(part).filter(
    ({ words, phrase }) =>
      asked.length > 0 &&
      phrase !== phrases[0] &&
      (field.bound === undefined || splitBound(phrase.split(' ')).bound === undefined) &&
      words.length <= asked.length + spare &&
      asked.every((one) => words.some((other) => areSynonyms(one, other))),
  )
  const values = found.flatMap(({ phrase, values: all }) => all.map((value) => ({ phrase, value })))
  const [only] = values
  if (only && new Set(values.map(({ value }) => value.text)).size === 1)
    offerLabelled(only.value, field, isWhose ? 0.9 : 0.8, offer, whoseIs(only.phrase, only.value, part))
}

const LABELLED_BY_QUALIFIER = new Set<FieldQuery['kind']>(['money', 'phone', 'email'])

/** A label and the heading that it is under. */
const whoseIs = (phrase: string, { at: place }: LabelledValue, { headings }: PagePart): string =>
  `${phrase} ${headings.findLast((heading) => heading.at < place)?.text ?? ''}`

type TrueLabel = { phrase: string; words: readonly string[]; values: readonly LabelledValue[] }

/** Labels that are labels by their form, with their words; made once for a part. */
const trueLabelsOf = rememberByObject((part: PagePart): readonly TrueLabel[] =>
  [...part.labelled()].flatMap(([phrase, all]) => {
    const values = all.filter(({ source }) => source === 'label')
    return values.length > 0 ? [{ phrase, words: significantWordsOf(phrase), values }] : []
  }),
)

const MOST_VALUES = 2

/** A label with many values counts something of each item of a list, not of the page. */
function isOfItems(all: readonly LabelledValue[]): boolean {
  return new Set(all.filter(isBefore).map(({ text }) => text)).size > MOST_VALUES
}

/** "Posts: 12", not "12 posts". */
const isBefore = ({ source }: LabelledValue): boolean => source !== 'end' && source !== 'head'

const significantWordsOf = (phrase: string): string[] => {
  const words = phrase.split(' ').filter((word) => !FILLER_WORDS.has(word))
  return words.flatMap((word) => stemText(word))
}

const SHORT = new Set<FieldQuery['kind']>(['text', 'title', 'person', 'org', 'code', 'stock', 'hours'])
const BLOCK = /^(?:p|div|ul|ol|li|table|section|article|h[1-6]|form|nav)$/

/** Several blocks inside: a container, not a value. */
function hasBlocks(element: Element): boolean {
  let count = 0
  return findElement(element, ({ name }) => (BLOCK.test(name) || name === 'a') && ++count > 1, 60) !== undefined
}

const DOCUMENT_DATES = new Set(['published', 'modified'])

function offerLabelled(labelled: LabelledValue, field: FieldQuery, weight: number, offer: Offer, said: string): void {
  const { element, text, source, trust, isMain, at: place } = labelled
  const isOut = !isMain && !field.term?.isSiteWide
  if (!isLabelEnough(labelled, field, weight) || (isOut && !isEnoughOutside(labelled, field))) return
  const unsure = source === 'name' && field.kind === 'long' ? 0.85 : 1
  const score = WEIGHT_OF_LABEL_SOURCE[source] * trust * weight * unsure * (isOut ? 0.75 : 1) - place * 1e-7
  if (score >= ENOUGH) offer(elementToRawValue(element, text), score, source === 'label' ? 'label' : 'text', said)
}

function isLabelEnough({ element, text, source, trust, isMain }: LabelledValue, field: FieldQuery, weight: number) {
  const { kind, term } = field
  const isBox = SHORT.has(kind) && element !== undefined && (source === 'name' || !isMain) && hasBlocks(element)
  switch (source) {
    case 'start':
      // Within a paragraph "by" is no byline.
      if (kind === 'person' && trust < 1) return false
      return KINDS_RECOGNISABLE_BY_VALUE.has(kind) && !isBox && (!COUNTED.has(kind) || NUMBER_FIRST.test(text ?? ''))
    case 'end':
      return isCountable(field) && endsWithNumber(text ?? '', kind)
    case 'name':
      if (isBox || kind === 'title' || (kind === 'text' && weight < 0.95)) return false
      // A class "date" names the date of the page; `eventDate` is that of its subject.
      return kind !== 'date' || weight >= 1 || DOCUMENT_DATES.has(term?.id ?? '')
    default:
      return !isBox
  }
}

/**
 * Outside the main content only a real label counts, or a class whose value has the right form; a sentence below a
 * heading advertises another page.
 */
function isEnoughOutside({ source, text }: LabelledValue, { kind }: FieldQuery): boolean {
  if (SHORT.has(kind)) return source === 'label' && !/\s\S+\s\S+[.!?…]$/u.test(text ?? '')
  return source === 'label' || source === 'name'
}

const isCountable = ({ kind, shape, term }: FieldQuery): boolean =>
  COUNTED.has(kind) || (kind === 'text' && shape.kind === 'string' && !term)

/** Trailing words label a number only when it is directly before them: "Over 1,000" of "Over 1,000 colleges". */
function endsWithNumber(text: string, kind: FieldQuery['kind']): boolean {
  const words = text.split(' ')
  return words.length <= 2 && (kind === 'text' ? /\d/ : /\d[\d.,kKmM%+]*$/u).test(words.at(-1)!)
}

/** "Serves about 4", not "Serve with rice for 2". */
const NUMBER_FIRST = /^(?:\p{L}+\s){0,2}[^\p{L}\d]*\d/u

// --- what is shown without a label -----------------------------------------------------------------------------------

/** Nodes around the main heading within which dates, names and prices belong to it. */
const MAX_NODES_BEFORE_HEADING = 40
const MAX_NODES_AFTER_HEADING = 160
const MAX_NODES_TO_NEXT_HEADING = 12
/** A byline is recognised by its form, so it may be further away. */
const MAX_NODES_TO_BYLINE = 120

interface Shown {
  field: FieldQuery
  part: PagePart
  subject: ExtractSubject
  types: ReadonlySet<string>
  context: ConversionContext
  offer: Offer
  /** Lines around the main heading. */
  near: readonly TextLine[]
  byline(): Byline | undefined
}

function offerShown(field: FieldQuery, part: PagePart, page: PageScope, context: ConversionContext, offer: Offer) {
  const { subject } = page
  const from = subject.heading ? subject.heading.at - MAX_NODES_BEFORE_HEADING : 0
  const top = subject.heading?.at ?? 0
  // What follows another heading is about something else: a related product, a section.
  const next = part.headings.find(({ at: place }) => place > top + MAX_NODES_TO_NEXT_HEADING)?.at
  const to = Math.min(next ?? Number.POSITIVE_INFINITY, top + MAX_NODES_AFTER_HEADING)
  const linesTo = (end: number) =>
    part.lines.filter(({ at: place, isMain }) => place >= from && place <= end && (subject.heading || isMain))
  const byline = () => findByline(linesTo(to + MAX_NODES_TO_BYLINE), context.language)
  const read = field.term
    ? UNLABELLED_VALUE_FINDERS[field.term.id]
    : CONTACTS.has(field.kind)
      ? offerContact
      : undefined
  read?.({ field, part, subject, types: typesOfPage(page, part), context, offer, near: linesTo(to), byline })
}

/** The only element of that name: several sign testimonials. */
function offerAddress({ part, offer }: Shown): void {
  const [only, ...others] = part.elements.filter(({ element }) => element.name === 'address')
  if (only && others.length === 0) offer(elementToRawValue(only.element), 0.7, 'text')
}

function offerAuthor({ part, offer, byline }: Shown): void {
  for (const { element } of part.elements)
    if (element.attribs.rel === 'author') offer(elementToRawValue(element), 0.85, 'text')
  const { author, dated } = byline() ?? {}
  if (author) offer({ value: author, isData: true }, dated ? 0.84 : 0.74, 'text')
}

function offerPublished({ near, context, offer, byline }: Shown): void {
  const { dated } = byline() ?? {}
  if (dated) offer({ value: dated }, 0.74, 'text')
  for (const { text, block } of near)
    if (text.length <= 80 && parseDate(text, context.language)) offer(elementToRawValue(block, text), 0.7, 'text')
}

/** Several amounts near a heading without a label: none of them is known to be the price. */
function offerPrice({ near, context, offer, field }: Shown): void {
  const isFormer = field.term?.id === 'listPrice'
  const runs = near.flatMap(({ runs }) => runs.filter(({ element }) => isStruckThrough(element) === isFormer))
  // "or 3 payments of £56" and "Was £145" are not the price beside them.
  const alone = runs.filter(({ text }) => ONLY_AMOUNT.test(text))
  const amounts = alone.flatMap(({ text }) => findMoney(text, context.money))
  if (new Set(amounts.map(({ amount }) => amount)).size === 1) offer({ value: amounts[0]!.formatted }, 0.66, 'text')
}

const ONLY_AMOUNT = /^\P{L}*\d[\d.,\s]*(?:\P{L}*|\s?\p{Lu}{3})$/u

function offerRating({ near, context, offer }: Shown): void {
  const described = near.flatMap(({ block, runs }) => [block, ...runs.map(({ element }) => element)])
  const labels = described.flatMap((element) => element?.attribs['aria-label'] ?? element?.attribs.title ?? [])
  for (const text of [...near.map((line) => line.text), ...labels]) {
    const [value, best] = text.length <= 60 ? parseNumbersIn(text, context.language) : []
    const isRated = value !== undefined && value.value <= 5 && (best?.value === 5 || /[★⭐]|stars?\b/iu.test(text))
    if (isRated) offer({ value: String(value.value), isData: true }, 0.7, 'text')
  }
}

function offerContact(shown: Shown): void {
  const { field, part, offer } = shown
  const { kind, qualifiers, term } = field
  const isFax = term?.id === 'fax'
  const scheme = kind === 'email' ? 'mailto:' : 'tel:'
  const isOwn = isOfSubject(shown)
  for (const placed of part.elements) {
    const { element } = placed
    if (element.attribs.href?.startsWith(scheme) && isOwn(placed)) {
      const address = decodePercent(element.attribs.href.slice(scheme.length).split('?')[0] ?? '')
      offer({ value: address }, 0.7, 'text')
    }
  }
  if (kind === 'phone' && !isFax) offerOnlyPhone(part, qualifiers, offer, isOwn)
  // An address in a sentence is recognised by its form alone.
  if (kind === 'email')
    for (const line of part.lines)
      if (line.text.includes('@') && isOwn(line)) offer({ value: line.text }, 0.7, 'text', line.text)
}

/**
 * Whether a contact is that of the page's subject: in the content, or anywhere on a page about the site itself. What a
 * heading outside the content is over belongs to that heading.
 */
function isOfSubject({ part: { headings }, subject: { heading, site, title }, types }: Shown) {
  const isOfSite =
    (site !== undefined && (heading?.text ?? title) === site) ||
    (types.has('Organization') && ![...types].some((type) => TYPES_WITH_PAGES.has(type)))
  return ({ at, isMain }: { at: number; isMain: boolean }) =>
    isOfSite || (isMain && headings.findLast((one) => one.at < at && one.at > (heading?.at ?? 0))?.isMain !== false)
}

/** The only telephone number of the content, or of the lines that say the qualifiers of the field. */
function offerOnlyPhone(
  { lines }: PagePart,
  qualifiers: readonly string[],
  offer: Offer,
  isOfPage: (line: TextLine) => boolean,
): void {
  const found = lines.flatMap((line) => {
    const { text } = line
    const written = text.length <= MAX_PHONE_LINE ? (text.match(WRITTEN_PHONE) ?? []) : []
    const numbers = written.length > 0 && isOfPage(line) ? written : []
    const stems = numbers.length > 0 && qualifiers.length > 0 ? stemText(text) : []
    const isOwn = qualifiers.every((word) => stems.some((stem) => areSynonyms(word, stem) || stem.startsWith(word)))
    return isOwn ? numbers.map((number) => ({ number, text })) : []
  })
  const [only] = found
  if (only && new Set(found.map(({ number }) => number)).size === 1)
    offer({ value: only.number }, 0.64, 'text', `${only.text} ${qualifiers.join(' ')}`)
}

const MAX_PHONE_LINE = 200
/** With a group of three digits or five of two: not a date or opening hours. */
const WRITTEN_PHONE =
  /(?<![\p{L}\d/.-])(?=[\d\s()./‑–+-]*\d{3}|0\d(?:\s\d{2}){4})(?:\+\d|\(?0\d|\(\d{3}\)|\d{3}-\d{3}-\d)\d*(?:[\s()/‑–-]+\d+){1,6}/gu

const CONTACTS = new Set<FieldQuery['kind']>(['email', 'phone'])

/** Finds the value of a field without a label, by the id of its term. */
const UNLABELLED_VALUE_FINDERS: Readonly<Record<string, (shown: Shown) => void>> = {
  address: offerAddress,
  author: offerAuthor,
  published: offerPublished,
  price: offerPrice,
  listPrice: offerPrice,
  rating: offerRating,
  email: offerContact,
  phone: offerContact,
}
