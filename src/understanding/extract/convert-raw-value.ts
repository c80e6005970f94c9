// Converts a raw value to the field's type; undefined when it does not fit. It rejects prices without an amount,
// invalid dates, and headlines where a person is wanted.

import { decodeHTMLStrict } from 'entities'
import { findTimes, parseDate, parseDuration, toIsoDate, toIsoDateTime } from '../../base/parse-dates.ts'
import { convertUnit, isUnit, parseNumbersIn } from '../../base/parse-numbers.ts'
import { setOfWords } from '../../base/values.ts'
import { collapseSpaces } from '../../content/parse-tree.ts'
import { isHttpUrl, type ResolveLink } from '../../content/resolve-links.ts'
import type { MoneyHint } from '../currencies.ts'
import { findCurrency, findMoney } from '../money.ts'
import type { FieldQuery } from './field-query.ts'
import { acceptKnownName, findPersonName } from './find-person-name.ts'
import { toComparablePhrase } from './normalise-labels.ts'

export interface RawValue {
  value: unknown
  /** The element's link and time. */
  href?: string | undefined
  src?: string | undefined
  when?: string | undefined
  isStruck?: boolean
  /** From structured data: numbers are in machine format. */
  isData?: boolean
  /** Its label says which end of a range it is: "Minimum price". */
  isEnd?: boolean
}

export type ConversionContext = { language: string; money: MoneyHint; resolve: ResolveLink }

const MAX_TEXT = 20_000
const MAX_LINE = 300
/** More counts the ratings. */
const MAX_RATING = 10

export function convertRawValue(raw: RawValue, field: FieldQuery, context: ConversionContext): unknown {
  const { shape, kind } = field
  if (raw.value === null || raw.value === undefined || raw.value === '') return undefined
  if (raw.isStruck && kind === 'money' && field.term?.id !== 'listPrice') return undefined
  if (shape.choices) return choiceOf(raw, shape.choices)
  if (shape.kind === 'boolean') return truthOf(raw.value)
  if (shape.kind === 'number' || shape.kind === 'integer') {
    const number = numberOf(raw, field, context)
    const isInRange = field.term?.id !== 'rating' || Number(number) <= MAX_RATING
    const isWhole =
      number !== undefined &&
      Number.isFinite(number) &&
      isInRange &&
      (shape.kind === 'number' || Number.isInteger(number))
    return isWhole ? number : undefined
  }
  const said = plainTextOfValue(raw.value)
  return said === '' ? undefined : (TEXTS[kind] ?? textOf)(said, raw, field, context)
}

type ReadText = (said: string, raw: RawValue, field: FieldQuery, context: ConversionContext) => string | undefined

/** What pages print where there is no value. */
const NO_VALUE =
  /^(?:n\/?a|none|vacant|unknown|tb[acd]|k\.\s?a\.|keine?r?|unbekannt|aucune?|inconnue?|ningun[oa]|vacante)$/iu

const textOf: ReadText = (said, { isData }, { term, name }) => {
  const bare = schemaWord(said, !isData)
  if (!isData && (bare.length > MAX_LINE || /^\(.*\)$/u.test(bare) || NO_VALUE.test(bare))) return undefined
  // "Coronation Hall, County Square, Ulverston": the name of a place ends where its address begins.
  const named = term?.id === 'location' && /name$/i.test(name) ? bare.split(', ')[0]! : bare
  return /[\p{L}\p{N}]/u.test(named) ? named.slice(0, MAX_TEXT) : undefined
}
const readShortText =
  (most: number, needs: RegExp): ReadText =>
  (said) =>
    said.length <= most && needs.test(said) ? said : undefined

const addressOf: ReadText = (said, raw, { kind }, { resolve }) => {
  const given = kind === 'image' ? (raw.src ?? raw.href) : raw.href
  const written = /^(?:https?:\/\/|\/|www\.)\S+$/i.test(said)
    ? said
    : /^[a-z\d-]+(?:\.[a-z\d-]+)+(?:\/\S*)?$/i.test(said)
      ? `https://${said}`
      : undefined
  const href = given ?? written
  const url = href && resolve(href.startsWith('www.') ? `https://${href}` : href)
  return url && isHttpUrl(url) ? url : undefined
}

/** Programs write the epoch for an unknown date. */
const UNKNOWN_DATE = '1970-01-01'

/** "April 16–17, 2026", "20. bis 31. Oktober 2025", but not "7–9 pm" or "12-05-2026". */
const SPAN =
  /(?<![\d:.,/-])(\d{1,2})(\.?)\s?(?:[-–]|to|bis|au|al)\s?(\d{1,2}\.?)(?!\d|[:./-]\d|\s?(?:[ap]\.?m\b|uhr\b|h\b))/iu
export const isSpanOfDays = (text: string): boolean => SPAN.test(text)
const dayOfSpan = (said: string, bound: 'low' | 'high'): string => said.replace(SPAN, bound === 'low' ? '$1$2' : '$3')

/** A clock as it is written: "10am", "7.00 pm", "19:30", "18 Uhr". */
const CLOCK = /(?<!\d)\d{1,2}(?:[:.h]\d{2}(?![\d.])(?:\s?(?:[ap]\.?m\b|uhr\b))?|\s?(?:[ap]\.?m\b|uhr\b|h\b))/giu

/** "19:30 daily", but not "12.05. daily". */
const CLOCK_FIRST = /^\D*\d{1,2}[:.h]\d{2}(?!\.)/

const readTime: ReadText = (said, { isData }, { term }, { language }) => {
  if (isData) return parseDate(said, language)?.time ?? said.match(CLOCK)?.[0]
  const clocks = said.length <= MAX_LINE ? (said.match(CLOCK) ?? []) : []
  return term?.id === 'endTime' ? clocks.at(-1) : clocks[0]
}

const readDate: ReadText = (said, { when }, { shape, bound }, { language }) => {
  const stated = bound ? dayOfSpan(said, bound) : said
  // The time of an element is that of the first day.
  const start = bound === 'high' && stated !== said ? undefined : when
  const date =
    (start === undefined || stated !== said ? parseDate(stated, language) : undefined) ??
    (start === undefined ? undefined : (parseDate(start, language) ?? parseDate(said, language)))
  if (date && toIsoDate(date) === UNKNOWN_DATE) return undefined
  if (shape.format === 'date') return date && toIsoDate(date)
  if (shape.format === 'date-time') return date && toIsoDateTime(date)
  if (date) return date.time ? toIsoDateTime(date).replace(/:00Z$/, date.zone ? ':00Z' : ':00') : toIsoDate(date)
  return stated.length <= 40 && /\d/.test(stated) && !CLOCK_FIRST.test(stated) ? stated : undefined
}

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,3}\.[a-z]{2,24}/iu
/** "name [at] host", against harvesters. */
const SPELLED_AT = /\s?[[({](?:at|ät)[\])}]\s?/i
const PHONE = /(?:\+|\(|\d)[\d\s()./‑–-]{5,24}\d/u
const SENTENCE = /[.!?…]\s+\p{Lu}|[.!?…]$/u

/** A price in a column of prices needs no currency sign. */
const BARE_AMOUNT = /^\d[\d.,\s]*$/

const TEXTS: Partial<Record<FieldQuery['kind'], ReadText>> = {
  url: addressOf,
  image: addressOf,
  date: readDate,
  time: readTime,
  email: (said) => EMAIL.exec(said.slice(0, 500).replace(SPELLED_AT, '@'))?.[0],
  phone: (said) => phoneOf(said),
  money: (said, { isData }, _, { money }) =>
    said.length <= 60 && (isData || isFree(said) || BARE_AMOUNT.test(said) || findMoney(said, money).length > 0)
      ? said
      : undefined,
  number: readShortText(80, /\d/),
  count: readShortText(80, /\d/),
  duration: readShortText(80, /\d/),
  year: (said) => /(?<!\d)(?:1[5-9]|20)\d{2}(?!\d)/.exec(said)?.[0],
  code: (said) => codeIn(said),
  hours: readShortText(MAX_LINE, /\d/),
  currency: (said, _, __, { money }) => findCurrency(said.slice(0, 60), money),
  stock: (said, { isData }) =>
    readShortText(60, /\p{L}/u)(schemaWord(said, !isData), { value: said }, undefined!, undefined!),
  person: (said, { isData }, { term }) =>
    findPersonName(said, term?.id === 'author') ?? (isData ? acceptKnownName(said) : undefined),
  org: (said, _, field, context) =>
    said.length <= 80 && !SENTENCE.test(said.replace(/\b(?:inc|ltd|co|corp|e\.v|s\.a|gmbh)\./gi, ''))
      ? textOf(said, { value: said }, field, context)
      : undefined,
  title: (said, _, field, context) =>
    said.length <= MAX_LINE ? textOf(said, { value: said }, field, context) : undefined,
  long: (said) => said.slice(0, MAX_TEXT),
  address: (said) => (/\p{L}/u.test(said) && said.length <= 200 ? said : undefined),
}

/** "Item # J755020" → "J755020"; a code of several words stays whole. */
function codeIn(said: string): string | undefined {
  if (said.length > 60 || !/\d/.test(said)) return undefined
  const marked = /^\D*[#:]\s*(\S+)/u.exec(said)?.[1]
  return marked && /\d/.test(marked) ? marked : said
}

function phoneOf(said: string): string | undefined {
  const found = PHONE.exec(said.slice(0, 300))?.[0].trim()
  const digits = found?.replace(/\D/g, '').length ?? 0
  return found && digits >= 6 && digits <= 16 && !parseDate(found) ? found : undefined
}

const SCHEMA_VALUE = /^https?:\/\/schema\.org\/(\w+)$/
/** `FULL_TIME` in data; on a page it is a name: `FILE_SHARE_READ`. */
const CONSTANT = /^[A-Z]+(?:_[A-Z]+)+$/
/** `https://schema.org/InStock` → "In Stock". */
const schemaWord = (said: string, isShown = false): string => {
  const word = SCHEMA_VALUE.exec(said)?.[1]
  if (!isShown && CONSTANT.test(said)) return `${said[0]}${said.slice(1).replaceAll('_', '-').toLowerCase()}`
  return word ? word.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2') : said
}

/** A value as readable text without tags: an object by its name, a list joined. */
export function plainTextOfValue(value: unknown, depth = 0): string {
  if (typeof value === 'string') return withoutTags(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || typeof value !== 'object' || depth > 3) return ''
  if (Array.isArray(value)) {
    const parts = value.slice(0, 50).map((one) => plainTextOfValue(one, depth + 1))
    return parts.filter((part, n) => part !== '' && parts.indexOf(part) === n).join(', ')
  }
  const thing = value as Record<string, unknown>
  if (thing.streetAddress !== undefined || thing.addressLocality !== undefined) return postalAddress(thing, depth)
  if (isGroup(thing)) return plainTextOfValue(thing.itemListElement, depth)
  const named =
    (isStep(thing) ? thing.text : undefined) ??
    thing.name ??
    thing.headline ??
    thing.text ??
    thing.value ??
    thing['@value'] ??
    thing.url ??
    thing.contentUrl
  const unit =
    named !== undefined && named === thing.value && typeof thing.unitText === 'string' ? ` ${thing.unitText}` : ''
  return named === undefined ? '' : `${plainTextOfValue(named, depth + 1)}${unit}`
}

const hasType = ({ '@type': types }: Record<string, unknown>, form: RegExp): boolean =>
  [types].flat().some((type) => form.test(String(type)))
/** The name of a step only repeats or numbers its text. */
const isStep = (thing: Record<string, unknown>): boolean => hasType(thing, /^HowTo(?:Step|Direction|Tip)$/)
const isGroup = (thing: Record<string, unknown>): boolean =>
  thing.itemListElement !== undefined && hasType(thing, /^(?:HowToSection|ItemList)$/)

function postalAddress(thing: Record<string, unknown>, depth: number): string {
  const part = (name: string) => plainTextOfValue(thing[name], depth + 1)
  const place = [part('addressRegion'), part('postalCode')].filter(Boolean).join(' ')
  return [part('streetAddress'), part('addressLocality'), place, part('addressCountry')].filter(Boolean).join(', ')
}

const TAG = /<\/?[a-z][^<>]{0,500}>/gi

function withoutTags(value: string): string {
  const cut = value.slice(0, MAX_TEXT).replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
  return collapseSpaces(decodeHTMLStrict(cut.includes('<') ? cut.replace(TAG, ' ') : cut))
}

function choiceOf({ value }: RawValue, choices: readonly unknown[]): unknown {
  if (choices.includes(value)) return value
  const said = toComparablePhrase(schemaWord(plainTextOfValue(value)))
  if (said === '') return undefined
  const words = choices.filter((choice) => typeof choice === 'string')
  const squeezed = said.replaceAll(' ', '')
  const exact = words.find((choice) => toComparablePhrase(choice).replaceAll(' ', '') === squeezed)
  const within = words.filter((choice) => ` ${said} `.includes(` ${toComparablePhrase(choice)} `))
  return exact ?? (within.length === 1 ? within[0] : undefined)
}

/**
 * Words for yes and no, in the languages of field-names.json; "no" first, since "not available" contains "available".
 */
const WORDS_FOR_NO = setOfWords(
  'no false none nein non nee nao não nie nej ne hayir нет いいえ 否 off 0 outofstock soldout discontinued unavailable ausverkauft vergriffen épuisé agotado esaurito uitverkocht esgotado wyprzedane slutsåld vyprodáno tükendi 在庫切れ 缺货',
)
const YES = setOfWords(
  'yes true ja oui si sí sì sim tak ano evet да はい 是 on 1 instock available included allowed permitted lieferbar verfügbar enstock disponible disponibile emestoque opvoorraad dostępny ilager skladem stokta вналичии 在庫あり 有货',
)
const NEGATION = /\b(?:not|un(?:available)|out of|sold out|nicht|pas|no|non|niet|inte|nie|není)\b/iu

function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const said = schemaWord(plainTextOfValue(value)).toLowerCase()
  // A question says neither.
  if (said === '' || said.length > 60 || said.includes('?')) return undefined
  const squeezed = said.replace(/[^\p{L}\p{N}]/gu, '')
  const words = said.split(/[^\p{L}\p{N}]+/u)
  const isNo = WORDS_FOR_NO.has(squeezed) || words.some((word) => word.length > 3 && WORDS_FOR_NO.has(word))
  if (isNo || /^[✗✘×❌]$/u.test(said)) return false
  const isYes = YES.has(squeezed) || words.some((word) => word.length > 2 && YES.has(word)) || /in[\s-]stock/.test(said)
  if (isYes) return !NEGATION.test(said)
  return /^[✓✔✅]$/u.test(said) ? true : undefined
}

const FREE = /^(?:free|gratis|kostenlos|gratuit[oa]?|za darmo|zdarma|ücretsiz|бесплатно|無料|免费)\b/iu
const isFree = (said: string): boolean => FREE.test(said)

function numberOf(raw: RawValue, field: FieldQuery, context: ConversionContext): number | undefined {
  const { kind, unit } = field
  if (typeof raw.value === 'number') return raw.value
  const said = plainTextOfValue(raw.value)
  if (raw.isData && /^-?\d+(?:\.\d+)?$/.test(said)) return Number(said)
  if (said.length > 200) return undefined
  if (kind === 'money' || field.currency) return amountOf(said, raw, field, context)
  if (kind === 'date' || kind === 'year') return yearOf(said, context.language)
  // The length of a ship is not a duration.
  const isTime = unit === undefined || convertUnit(1, unit, 's') !== undefined
  if (kind === 'duration' && isTime) return lengthOf(said, unit ?? 'minutes', context.language)
  // An amount of money is not a count, but the number of `postage`.
  const [amount, ...others] = findMoney(said, context.money)
  if (amount) return kind === 'number' && field.term === undefined && others.length === 0 ? amount.amount : undefined
  const numbers = parseNumbersIn(said, context.language)
  const inUnit = unit && numberInUnit(said, numbers, unit)
  if (inUnit) return inUnit.value
  const [first, second] = numbers
  if (!first) return undefined
  // Two numbers are a range or ratio unless the second explains the first: "4.4 out of 5", "12 (3 new)".
  const isSpan = second && (first.at > 12 || /^\s*[-–x×:]\s*$/u.test(said.slice(first.end, second.at)))
  return isSpan ? undefined : first.value
}

function yearOf(said: string, language: string): number | undefined {
  const date = parseDate(said, language)
  const year = date ? date.year : Number(/(?<!\d)(?:1[5-9]|20)\d{2}(?!\d)/.exec(said)?.[0])
  return Number.isFinite(year) ? year : undefined
}

/** The number that has the unit, else one in another unit of the same dimension; metres are no weight. */
function numberInUnit(said: string, numbers: readonly { value: number; end: number }[], unit: string) {
  const exact = numbers.find(({ end }) => convertUnit(1, unitAfter(said, end), unit) === 1)
  if (exact) return exact
  const value = numbers
    .map((number) => convertUnit(number.value, unitAfter(said, number.end), unit))
    .find((one) => one !== undefined)
  return value !== undefined || numbers.some(({ end }) => isUnit(unitAfter(said, end))) ? { value } : undefined
}

const unitAfter = (said: string, end: number): string =>
  /^\s?([a-z]{1,12}(?:\/[a-z])?[²2]?)/i.exec(said.slice(end))?.[1] ?? ''

function amountOf(
  said: string,
  { isEnd }: RawValue,
  { currency, bound }: FieldQuery,
  { language, money }: ConversionContext,
): number | undefined {
  const all = findMoney(said, money)
  const [first] = all
  if (first && currency && first.currency && first.currency !== currency) return undefined
  if (!first && isFree(said)) return 0
  if (bound && !isEnd) {
    const [low, high] = spanOf(said, all, language)
    return bound === 'low' ? low : high
  }
  if (first) return first.amount
  const numbers = parseNumbersIn(said, language)
  return numbers.length === 1 && said.length <= 30 ? numbers[0]!.value : undefined
}

const TO = /^[\s\p{Sc}]*(?:[-–]|to|bis|à|a)[\s\p{Sc}]*$/iu
const UP_TO = /(?:up to|max(?:imum|\.)?|bis(?: zu)?|jusqu['’]à|hasta|fino a)\s*$/iu

/**
 * The ends of a range of amounts: "€31,500 to €36,000", "45.000 – 55.000 €". One amount alone is the lower end, "up to
 * €40,000" the higher one; amounts of several things are no range.
 */
function spanOf(said: string, amounts: ReturnType<typeof findMoney>, language: string): (number | undefined)[] {
  const numbers = amounts.map(({ amount, at, end }) => ({ value: amount, at, end }))
  const [one, other] = numbers.length > 1 ? numbers : parseNumbersIn(said, language)
  if (one && other && TO.test(said.slice(one.end, other.at))) return [one.value, other.value]
  const [only] = numbers
  if (!only || numbers.length > 1) return []
  return UP_TO.test(said.slice(0, only.at)) ? [undefined, only.value] : [only.value]
}

export function lengthOf(said: string, unit: string, language: string): number | undefined {
  const iso = parseDuration(said)
  if (iso !== undefined) return convertUnit(iso, 's', unit)
  const numbers = parseNumbersIn(said, language)
  let seconds = 0
  for (const { value, end } of numbers) seconds += convertUnit(value, unitAfter(said, end), 's') ?? 0
  if (seconds > 0) return convertUnit(seconds, 's', unit)
  const [clock] = /^\d{1,2}:\d{2}/.test(said) ? findTimes(said) : []
  if (clock) return convertUnit(Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5)), 's', unit)
  return numbers.length === 1 ? numbers[0]!.value : undefined
}
