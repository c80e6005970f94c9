// Converts what a page says to the type of a field, in the form that the taught example showed.
import { findTimes, parseDate, toIsoDate, toIsoDateTime } from '../../base/parse-dates.ts'
import { convertUnit, parseNumbersIn } from '../../base/parse-numbers.ts'
import { isObject } from '../../base/values.ts'
import { collapseSpaces } from '../../content/parse-tree.ts'
import { lengthOf, plainTextOfValue } from '../extract/convert-raw-value.ts'
import { parseMoney } from '../money.ts'
import type { PageIndex } from './index-page.ts'
import type { FieldType, ValueForm } from './program-types.ts'
import { squeezeText } from './squeeze-text.ts'

/** What a way found: a text, or a value of structured data. */
export type Said = string | number | boolean | object | null | undefined

const MAX_NUMBER_TEXT = 120
/** Signs before a list item, and what separates a value from its label. */
const LEADING = /^[\s▢▪▫◦●○■□☐☑✓✔•·‣–—*:|,;>›»-]+(?=\S)/u
const TRAILING = /[\s|·•:;,›»–—-]+$/u

/** Structured data and attributes may hold entities and tags. */
const MARKUP = /&#?\w{1,10};|<\/?[a-z]/i

const textOfSaid = (said: Said): string =>
  typeof said === 'string' && !MARKUP.test(said) ? collapseSpaces(said) : plainTextOfValue(said)

function cleanText(said: Said): string {
  const text = textOfSaid(said)
  // A minus belongs to its number.
  const bare = (/^[-–]\s?\d/.test(text) ? text : text.replace(LEADING, '')).replace(TRAILING, '')
  // The page's source may separate words from their brackets.
  return bare.replace(/([([]) (?=\S)/g, '$1').replace(/(?<=\S) ([)\]])/g, '$1')
}

const TEXT_FORMS: readonly (ValueForm | undefined)[] = ['time', undefined, 'link', 'date', 'date-time']
const TIME = /^\d{2}:\d{2}$/
const DURATIONS: readonly ValueForm[] = ['minutes', 'seconds', 'hours', 'days']
const NUMBER_FORMS: readonly ValueForm[] = ['number', 'money', ...DURATIONS, 'year']
/** A text with a unit of time is a duration first: "45 minutes" on one page is "1 hour" on the next. */
const DURATION_FORMS: readonly ValueForm[] = [...DURATIONS, 'number', 'money', 'year']

/** The unit of time that a schema names for a number: "in minutes". */
export function findUnit(schema: unknown): ValueForm | undefined {
  const said = isObject(schema) && typeof schema.description === 'string' ? schema.description.slice(0, 500) : ''
  return DURATIONS.find((unit) => new RegExp(`\\b${unit}\\b`, 'i').test(said))
}

const hasTimeUnit = (text: string): boolean =>
  text.length <= MAX_NUMBER_TEXT &&
  (/^P[\dT]/.test(text) ||
    [...text.matchAll(/\d\s?([a-z]{1,12})/gi)].some(([, unit]) => convertUnit(1, unit!, 's') !== undefined))

/** The first form in which the page's words are the taught value. */
export function findForm(
  said: Said,
  taught: unknown,
  page: PageIndex,
  unit?: ValueForm,
): { as?: ValueForm } | undefined {
  if (typeof taught === 'boolean')
    return convertValue(said, 'boolean', 'yes-or-no', page) === taught ? { as: 'yes-or-no' } : undefined
  const kind = typeof taught === 'number' ? 'number' : 'string'
  const isTimed = kind === 'number' && !unit && hasTimeUnit(textOfSaid(said))
  const forms = kind === 'string' ? TEXT_FORMS : unit ? [unit] : isTimed ? DURATION_FORMS : NUMBER_FORMS
  for (const as of forms) {
    if (as === 'link' && !/^(?:https?:|\/)/i.test(String(taught))) continue
    if (as === 'time' && !TIME.test(String(taught))) continue
    const isDate = as === 'date' || as === 'date-time'
    if (isDate && !(as === 'date' ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d-\d\dT/).test(String(taught))) continue
    const value = convertValue(said, kind, as, page)
    if (value !== undefined && isSameValue(value, as === 'link' ? (page.resolve(String(taught)) ?? taught) : taught))
      return as === undefined ? {} : { as }
  }
  return undefined
}

export function isSameValue(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other) <= Math.abs(other) * 1e-9
  if (typeof one === 'string' && typeof other === 'string') {
    if (/^https?:/i.test(one)) return one === other
    const a = squeezeText(one)
    return a === squeezeText(other) && (a !== '' || one === other)
  }
  return one === other
}

export function convertValue(
  said: Said,
  type: Exclude<FieldType, 'list' | 'records'>,
  as: ValueForm | undefined,
  page: PageIndex,
): string | number | boolean | undefined {
  if (said === null || said === undefined) return undefined
  if (type === 'boolean') return readYesOrNo(said)
  if (type === 'number' || type === 'integer') {
    const number = readNumber(said, as ?? 'number', page)
    return number !== undefined && Number.isFinite(number) && (type === 'number' || Number.isInteger(number))
      ? number
      : undefined
  }
  if (as === 'link') return typeof said === 'string' ? page.resolve(said.trim()) : page.resolve(textOfSaid(said))
  const text = cleanText(said)
  if (as === 'date' || as === 'date-time') {
    const date = parseDate(text, page.language)
    return date && (as === 'date' ? toIsoDate(date) : toIsoDateTime(date))
  }
  if (as === 'time') return readTime(text)
  if (as === 'words') return text.replace(/[\s,(–-]*\d.*$/su, '') || undefined
  if (as === undefined) return text === '' ? undefined : text
  const number = readNumber(said, as, page)
  return number === undefined ? undefined : String(number)
}

function readNumber(said: Said, as: ValueForm, { language }: PageIndex): number | undefined {
  const text = textOfSaid(said)
  if (text === '' || text.length > MAX_NUMBER_TEXT) return undefined
  if (as === 'seconds' || as === 'minutes' || as === 'hours' || as === 'days') {
    if (typeof said === 'number') return said
    // A number beside other words may count anything.
    return hasTimeUnit(text) || /^\d{1,2}:\d{2}/.test(text) ? lengthOf(withMinutes(text), as, language) : undefined
  }
  if (typeof said === 'number') return said
  if (as === 'year') return Number(/(?<!\d)(?:1[5-9]|20)\d{2}(?!\d)/.exec(text)?.[0] ?? Number.NaN)
  if (as === 'money') return parseMoney(text)?.amount
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  const [first, second] = parseNumbersIn(text, language)
  // Two numbers apart by a dash are a range, not one number.
  return first && !(second && /^\s*[-–—]\s*$/.test(text.slice(first.end, second.at))) ? first.value : undefined
}

/** "7.05", "0705" and "7:05 pm" as `HH:MM`. */
function readTime(text: string): string | undefined {
  const [, hour = '', minute = ''] = /^(\d{1,2})[.h]?(\d{2})(?!\d|\s?[ap]\.?m)/iu.exec(text) ?? []
  return hour !== '' && Number(hour) < 24 && Number(minute) < 60
    ? `${hour.padStart(2, '0')}:${minute}`
    : findTimes(text.slice(0, MAX_NUMBER_TEXT))[0]?.slice(0, 5)
}

/** "1 h 20" leaves the unit of its minutes out, and the `m` of "1h 20m" is no metre. */
const withMinutes = (text: string): string =>
  text.startsWith('P') ? text : text.replace(/(\d\s?h\w{0,5}\.?\s?)(\d{1,2})(?:\s?m)?$/iu, '$1$2 min')

function readYesOrNo(said: Said): boolean | undefined {
  if (typeof said === 'boolean') return said
  const text = textOfSaid(said).toLowerCase()
  if (/^(?:true|yes|1|✓|✔|✅)$/.test(text) || /\/instock$/.test(text)) return true
  return /^(?:false|no|0|✗|✘|❌)$/.test(text) || /\/(?:outofstock|soldout|discontinued)$/.test(text) ? false : undefined
}
