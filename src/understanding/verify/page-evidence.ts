// An index of a page's content to verify values: text, title, metadata, structured data and alt texts. Values are
// compared in normal form; URLs, e-mails, phone numbers and ids must match exactly.

import { blankLinkTargets } from '../../base/blank-link-targets.ts'
import { parseMonthName } from '../../base/month-names.ts'
import { findTimes, parseDate, toIsoDate } from '../../base/parse-dates.ts'
import { findUnit } from '../../base/parse-numbers.ts'
import { appendTo, once } from '../../base/values.ts'
import { type MeasuredValue, tokenizeValues, type ValueToken } from './value-tokens.ts'

export interface EvidenceMatch {
  /** The line of the page that contains it. */
  quote: string
}

export interface EvidenceIndex {
  /**
   * Where the page contains the value; undefined: it does not. `name` is the field's name, which may contain a unit.
   */
  find(value: string | number, name: string): EvidenceMatch | undefined
}

/** Maximum characters indexed, about what the largest models read at once. */
const MAX_INDEXED_CHARS = 600_000
const MAX_QUOTE = 240
/** From this many words on, a value may differ slightly from the page. */
const MIN_TOKENS_OF_LONG_VALUE = 12
const LONG_SHARE = 0.8
/** Maximum words of a value that may be in another order. */
const MAX_REORDERED_WORDS = 8
/** Positions of a frequent token that are tried. */
const MAX_POSITIONS_TRIED = 2000
/** Tolerance for unit conversion. */
const UNIT_CONVERSION_TOLERANCE = 0.005

export type CheckedValueKind = 'address' | 'email' | 'phone' | 'id' | 'date' | 'clock' | 'text'

/** Kinds in which one wrong letter changes the meaning. */
export const requiresExactMatch = (kind: CheckedValueKind): boolean =>
  kind === 'address' || kind === 'email' || kind === 'phone' || kind === 'id'

const ID_NAME = /(?:^|[_\s-])(?:id|sku|isbn|issn|gtin|ean|mpn|doi|vin|serial)$|(?:Id|Sku|Isbn|Ean|Gtin)$/
const PHONE = /^\+?[\d\s()./-]{7,}$/
const PLAIN_NUMBER = /^[-+−]?\d{1,3}(?:[ .,'’]\d{3})*(?:[.,]\d+)?$|^[-+−]?\d+(?:[.,]\d+)?$/

export function classifyCheckedValue(value: string, name: string): CheckedValueKind {
  const text = value.trim()
  if (/^(?:https?:\/\/|www\.)\S+$/i.test(text)) return 'address'
  if (/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text)) return 'email'
  if (/^\d{1,2}:\d{2}(?::\d{2})?$/.test(text)) return 'clock'
  if (wholeDate(text)) return 'date'
  const digits = text.replace(/\D/g, '').length
  if (ID_NAME.test(name) && !/\s/.test(text) && digits > 0) return 'id'
  if (PLAIN_NUMBER.test(text)) return 'text'
  if (PHONE.test(text) && digits >= 7) return 'phone'
  const isId =
    !/\s/.test(text) && text.length >= 6 && digits >= 3 && /\p{L}/u.test(text) && tokenizeValues(text).length !== 1
  return isId ? 'id' : 'text'
}

export const makeEvidenceIndex = (texts: readonly string[]): EvidenceIndex => new PageEvidence(texts)

class PageEvidence implements EvidenceIndex {
  readonly #source: string
  readonly #tokens: readonly ValueToken[]
  readonly #places: ReadonlyMap<string, number[]>
  readonly #lower = once(() => this.#source.toLowerCase())
  readonly #numbers = once(() => numbersOf(this.#tokens))
  readonly #measures = once(() => this.#tokens.filter((token) => token.measure !== undefined))
  readonly #dates = once(() => datesOf(this.#source))
  readonly #monthDays = once(() => monthDaysOf(this.#tokens))
  readonly #phones = once(() => phonesOf(this.#source))
  readonly #addresses = once(() => addressesOf(this.#source))

  constructor(texts: readonly string[]) {
    this.#source = texts.join('\n').slice(0, MAX_INDEXED_CHARS)
    this.#tokens = tokenizeValues(blankLinkTargets(this.#source).replace(/[*_`\\]/g, ' '))
    this.#places = placesOf(this.#tokens)
  }

  find(value: string | number, name: string): EvidenceMatch | undefined {
    if (typeof value === 'number') return this.#number(value, name)
    switch (classifyCheckedValue(value, name)) {
      case 'text':
        return this.#words(value, name, false)
      case 'date':
        return this.#date(value)
      case 'clock':
        return this.#clock(value)
      case 'email':
        return this.#literal(value) ?? this.#spelledEmail(value)
      case 'phone':
        return this.#phone(value)
      case 'address':
        return this.#address(value)
      case 'id':
        return this.#literal(value)
    }
  }

  #quote(from: number, to = from): EvidenceMatch {
    return { quote: linesAt(this.#source, from, to) }
  }

  #at(first: number, last = first): EvidenceMatch {
    return this.#quote(this.#tokens[first]!.from, this.#tokens[last]!.to)
  }

  #words(text: string, name: string, isPart: boolean): EvidenceMatch | undefined {
    const wanted = tokenizeValues(text)
    const [only] = wanted
    if (!only) return undefined
    if (wanted.length === 1 && only.measure) return this.#measured(only.measure, only.values![0]!)
    if (wanted.length === 1 && only.values) return this.#number(only.values[0]!, name)
    const at = runOf(wanted, this.#tokens, this.#places)
    if (at !== undefined) return this.#at(at, at + wanted.length - 1)
    const parts = isPart ? [] : text.split(LIST_SEPARATOR).map((part) => part.trim())
    if (parts.length > 1 && parts.every((part) => part !== '')) {
      const found = parts.map((part) => this.#words(part, name, true))
      if (found.every(Boolean)) return found[0]
    }
    return wanted.length > MIN_TOKENS_OF_LONG_VALUE ? this.#retold(wanted) : undefined
  }

  /** A long text that the page contains nearly verbatim. */
  #retold(wanted: readonly ValueToken[]): EvidenceMatch | undefined {
    const runs = wanted.slice(2).map((_, n) => runOf(wanted.slice(n, n + 3), this.#tokens, this.#places))
    const found = runs.filter((run) => run !== undefined)
    return found.length >= runs.length * LONG_SHARE ? this.#at(found[0]!) : undefined
  }

  #number(value: number, name: string): EvidenceMatch | undefined {
    const at = this.#numbers().get(value)
    if (at !== undefined) return this.#at(at)
    // `durationMinutes`: the page may state it in hours.
    const unit = name
      .split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u)
      .map((word) => findUnit(word))
      .find(Boolean)
    if (!unit) return undefined
    const same = this.#measures().find(({ measure, to }, n, all) => {
      if (measure!.kind !== unit.kind) return false
      const next = all[n + 1]
      const rest = next && next.from - to <= 6 && next.measure?.kind === unit.kind ? next.measure.amount : 0
      const amounts = [measure!.amount, measure!.amount + rest]
      return amounts.some((one) => isNear(one, value * unit.factor))
    })
    return same && this.#quote(same.from)
  }

  #measured({ kind, amount }: MeasuredValue, value: number): EvidenceMatch | undefined {
    const same = this.#measures().find(({ measure }) => measure!.kind === kind && isNear(measure!.amount, amount))
    if (same) return this.#quote(same.from)
    // A table header may contain the unit, and its cells only the number.
    const at = this.#numbers().get(value)
    if (at === undefined || this.#tokens[at]!.measure) return undefined
    return this.#tokens.some(({ text, values }) => !values && findUnit(text)?.kind === kind) ? this.#at(at) : undefined
  }

  #clock(text: string): EvidenceMatch | undefined {
    const [hours = '', minutes = ''] = text.split(':')
    const at = this.#dates().clocks.get(`${hours.padStart(2, '0')}:${minutes}`)
    return at === undefined ? undefined : this.#quote(at)
  }

  #date(text: string): EvidenceMatch | undefined {
    const wanted = wholeDate(text)
    if (!wanted) return undefined
    const { day, month, year, clock } = wanted
    const { days, months, clocks } = this.#dates()
    if (clock !== undefined && !clocks.has(clock)) return undefined
    const iso = [year, month, day]
      .flatMap((part) => (part === undefined ? [] : [String(part).padStart(2, '0')]))
      .join('-')
    const at = days.get(iso) ?? months.get(iso)
    if (at !== undefined) return this.#quote(at)
    // The year may be in a heading, and day and month in a list below.
    const near = this.#monthDays().get(`${month} ${day ?? year}`)
    return near !== undefined && this.#places.has(`#${year}`) ? this.#at(near, near + 1) : undefined
  }

  #literal(text: string): EvidenceMatch | undefined {
    const wanted = text.trim().toLowerCase()
    const lower = this.#lower()
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
      const [before, after] = [lower[at - 1] ?? ' ', lower[at + wanted.length] ?? ' ']
      if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return this.#quote(at)
    }
    return undefined
  }

  /** `info [at] boats [dot] org`. */
  #spelledEmail(text: string): EvidenceMatch | undefined {
    const spelled = tokenizeValues(text.replace('@', ' at ').replace(/\.(?=[^.]*$)/, ' dot '))
    const at = runOf(spelled, this.#tokens, this.#places)
    return at === undefined ? undefined : this.#at(at)
  }

  #phone(text: string): EvidenceMatch | undefined {
    const wanted = text.replace(/\D/g, '')
    const same = this.#phones().find(({ digits }) => isSamePhone(digits, wanted))
    return same && this.#quote(same.from)
  }

  #address(text: string): EvidenceMatch | undefined {
    const at = this.#addresses().get(addressKey(text))
    return at === undefined ? undefined : this.#quote(at)
  }
}

/** Separators of a value that lists several things. */
const LIST_SEPARATOR = /[,;\n•|]|\s(?:and|und|et|y|e|en|&|[–—-])\s/u

const isNear = (one: number, other: number): boolean =>
  Math.abs(one - other) <= Math.abs(other) * UNIT_CONVERSION_TOLERANCE

function placesOf(tokens: readonly ValueToken[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, { text }] of tokens.entries()) appendTo(places, text, at)
  return places
}

function numbersOf(tokens: readonly ValueToken[]): Map<number, number> {
  const numbers = new Map<number, number>()
  for (const [at, { values = [] }] of tokens.entries())
    for (const value of values) if (!numbers.has(value)) numbers.set(value, at)
  return numbers
}

/** Where the tokens occur in sequence, or a few in another order. */
function runOf(wanted: readonly ValueToken[], tokens: readonly ValueToken[], places: ReadonlyMap<string, number[]>) {
  const texts = wanted.map(({ text }) => text)
  const lists = texts.map((text) => places.get(text) ?? [])
  const rarest = lists.reduce((best, list, n) => (list.length < lists[best]!.length ? n : best), 0)
  const { length } = texts
  const tried = lists[rarest]!.slice(0, MAX_POSITIONS_TRIED)
  for (const place of tried) {
    const at = place - rarest
    if (texts.every((text, n) => tokens[at + n]?.text === text)) return at
  }
  if (length > MAX_REORDERED_WORDS) return undefined
  const sorted = [...texts].sort().join(' ')
  for (const place of tried)
    for (let at = Math.max(0, place - length + 1); at <= place; at++) {
      const window = tokens.slice(at, at + length).map(({ text }) => text)
      if (window.length === length && window.sort().join(' ') === sorted) return at
    }
  return undefined
}

type WantedDate = { year: number; month: number; day: number | undefined; clock: string | undefined }

/** A value that is only a date. */
function wholeDate(text: string): WantedDate | undefined {
  const month = /^(\d{4})-(\d{2})$/.exec(text)
  if (month) return { year: Number(month[1]), month: Number(month[2]), day: undefined, clock: undefined }
  const found = parseDate(text)
  if (!found || text.length - (found.end - found.at) > 16) return undefined
  const clock = found.time?.slice(0, 5)
  return { ...found, clock: clock === '00:00' ? undefined : clock }
}

/** Every day, month and time of day in a text. A numeric day is read in both orders. */
function datesOf(source: string) {
  const days = new Map<string, number>()
  const months = new Map<string, number>()
  const clocks = new Map<string, number>()
  let from = 0
  for (const line of source.split('\n')) {
    const start = from
    from += line.length + 1
    if (!/\d/.test(line)) continue
    for (const clock of findTimes(line)) if (!clocks.has(clock.slice(0, 5))) clocks.set(clock.slice(0, 5), start)
    for (const language of ['en-US', 'de'])
      for (let at = 0; at < line.length; ) {
        const date = parseDate(line.slice(at), language)
        if (!date) {
          // Only the first characters of a text are searched.
          at += 400
          continue
        }
        const iso = toIsoDate(date)
        if (!days.has(iso)) days.set(iso, start + at + date.at)
        if (!months.has(iso.slice(0, 7))) months.set(iso.slice(0, 7), start + at + date.at)
        if (date.time) clocks.set(date.time.slice(0, 5), start)
        at += date.end
      }
  }
  return { days, months, clocks }
}

/** Positions of a day or year beside a month name. */
function monthDaysOf(tokens: readonly ValueToken[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const [at, token] of tokens.entries()) {
    const other = tokens[at + 1]
    if (!other || (token.values === undefined) === (other.values === undefined)) continue
    const [digits, word] = token.values ? [token, other] : [other, token]
    const month = parseMonthName(word.text)
    const key = `${month} ${digits.values![0]}`
    if (month !== undefined && !found.has(key)) found.set(key, at)
  }
  return found
}

function phonesOf(source: string): { digits: string; from: number }[] {
  return [...source.matchAll(/[+(]?\d[\d\s()./\u00a0-]{5,24}\d/g)].map((match) => ({
    digits: match[0].replace(/\D/g, ''),
    from: match.index,
  }))
}

/** With or without the country code and the leading zero. */
function isSamePhone(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = [one, other].map((digits) => digits.replace(/^0+/, '')).sort((a, b) => a.length - b.length) as [
    string,
    string,
  ]
  return short.length >= 7 && long.length - short.length <= 3 && long.endsWith(short)
}

const addressKey = (text: string): string =>
  text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/#.*$/, '')
    .replace(/\/+$/, '')
    .replace(/^[^/?]+/, (host) => host.toLowerCase())

function addressesOf(source: string): Map<string, number> {
  const known = new Map<string, number>()
  for (const match of source.matchAll(/(?:https?:\/\/|www\.)[^\s<>()"'\]]+/gi)) {
    const key = addressKey(match[0].replace(/[.,;:!?]+$/, ''))
    if (!known.has(key)) known.set(key, match.index)
  }
  return known
}

function linesAt(source: string, from: number, to: number): string {
  const start = source.lastIndexOf('\n', Math.max(0, from - 1)) + 1
  const end = source.indexOf('\n', Math.max(from, to - 1))
  const lines = source
    .slice(start, end < 0 ? undefined : end)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`\\]+/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s#>:|-]+|[\s|]+$/g, '')
  return lines.slice(0, MAX_QUOTE)
}
