// A raw value → the value that a field wants, of the right type; undefined when it does not fit. This is where a wrong
// candidate is turned away: a price that holds no amount, a date that is no date, a word that is not among the choices.

import { decodeHTMLStrict } from 'entities'
import { isWeb } from '../../content/address.ts'
import { collapse } from '../../content/tree.ts'
import { findMoney } from '../money.ts'
import { clocksIn, dateIn, durationSeconds, isoDate, isoDateTime } from '../values/dates.ts'
import { converted, numbersIn } from '../values/numbers.ts'
import type { FieldContext, Raw, WantedField } from './asking.ts'
import { isPerson } from './person.ts'
import { phraseOf } from './words.ts'

const MAX_TEXT = 20_000

export function valueFor(raw: Raw, wanted: WantedField, ground: FieldContext): unknown {
  const { shape } = wanted
  if (raw.value === null || raw.value === undefined) return undefined
  if (shape.choices) return chosen(raw, wanted)
  if (shape.kind === 'boolean') return truth(raw)
  if (shape.kind === 'number' || shape.kind === 'integer') return amount(raw, wanted, ground)
  if (shape.kind === 'string') return text(raw, wanted, ground)
  if (shape.kind === 'any') return typeof raw.value === 'object' ? plain(raw.value) : raw.value
  return undefined
}

// --- text -------------------------------------------------------------------------------------------------------------

function text(raw: Raw, wanted: WantedField, ground: FieldContext): string | undefined {
  const { name, kind, shape, rules } = wanted
  const said = plain(raw.value)
  if (shape.format === 'date' || shape.format === 'date-time') {
    const date = dateIn(raw.when ?? said, ground.language) ?? dateIn(said, ground.language)
    return date && (shape.format === 'date' ? isoDate(date) : isoDateTime(date))
  }
  switch (kind) {
    case 'url':
    case 'image':
      return address(kind === 'image' ? (raw.src ?? raw.href) : raw.href, said, ground, kind === 'image')
    case 'email':
      if (/@example\.(?:com|org|net)\b/i.test(said) && !/example/.test(ground.money.host ?? '')) return undefined
      return /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/u.exec(said.slice(0, 500))?.[0]
    case 'phone':
      return phone(said)
    case 'clock':
      return clock(said, name)
    case 'date':
      return dateText(raw, said, ground)
    case 'money':
      return raw.isData || /\d/.test(said) || FREE.test(said) ? said.slice(0, 60) || undefined : undefined
    case 'number':
    case 'count':
    case 'duration':
      if (rules.accept?.(said, raw) === false) return undefined
      // "Length 8.6 km" is no time.
      if (kind === 'duration' && /\d\s?(?:km|mi|miles?|metres?|meters?|cm|ft|feet|kg)\b/i.test(said)) return undefined
      return /\d/.test(said) && said.length <= 80 ? said : undefined
    case 'truth':
      return said.length <= 60 ? spaced(said) || undefined : undefined
  }
  if (rules.accept?.(said, raw) === false) return undefined
  if (rules.take) return rules.take(said, raw, ground)
  // What is asked for as a number has one in it.
  if (/(?:number|Nr|No|Num)$/.test(name) && !/\d/.test(said)) return undefined
  if (LITTLE_WORD.test(said)) return undefined
  // An address is no name, and a figure is no label.
  if (/name$/i.test(name) && /^\S+@\S+\.\S+$/.test(said)) return undefined
  if (/label$/i.test(name) && !/\p{L}/u.test(said)) return undefined
  const meant = rules.clean?.(said, wanted, ground) ?? lastWord(unreached(said.replace(MAIL_AFTER, '')))
  return meant.slice(0, MAX_TEXT) || undefined
}

const FREE = /^(?:free|gratis|kostenlos|gratuit|gratuito|free of charge|free entry|free admission)$/i
/** What joins words is no value. */
const LITTLE_WORD = /^(?:[Bb]y|from|in|of|the|and|or|to|with|for|on|at|von|der|die|das|und|par|le|la|de|por|y|di|e)$/

/** A name and its mailbox: the name was asked for. */
const MAIL_AFTER = /\s*[(<[]\s*[^\s()<>]{1,64}@[^\s()<>]{1,100}[)>\]]\s*$/
/** "Ann Lee, ann@example.org, Phone: 12": who, without how to reach them. */
const REACHED =
  /^(.{3,60}?)[,;\s]+(?:(?:e-?mail|phone|tel)\b[:.\s]*)?(?:[\w.+-]{1,64}@[\w.-]{3,100}|\+?\(?\d[\d\s().-]{6,})(?:[,;\s]|$)/iu
const unreached = (said: string): string => {
  const who = said.length < 300 ? REACHED.exec(said)?.[1] : undefined
  return who && isPerson(who) ? who : said
}
/** `https://schema.org/InStock` says "In Stock". */
const SCHEMA_VALUE = /^https?:\/\/schema\.org\/(\w+)$/
const lastWord = (said: string): string => {
  const found = SCHEMA_VALUE.exec(said)?.[1]
  return found ? spaced(found) : said
}
const spaced = (said: string): string => (SCHEMA_VALUE.exec(said)?.[1] ?? said).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')

/** A value as a person would read it: an object by its name, a list as a list, without tags. */
export function plain(value: unknown, depth = 0): string {
  if (typeof value === 'string') return clean(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || typeof value !== 'object' || depth > 3) return ''
  if (Array.isArray(value)) {
    const parts = value.slice(0, 50).map((one) => plain(one, depth + 1))
    return parts.filter((part, n) => part !== '' && parts.indexOf(part) === n).join(', ')
  }
  const thing = value as Record<string, unknown>
  if (thing.streetAddress !== undefined || thing.addressLocality !== undefined) return addressText(thing, depth)
  const named =
    thing.name ?? thing.headline ?? thing.text ?? thing.value ?? thing['@value'] ?? thing.url ?? thing.contentUrl
  const unit = typeof thing.unitText === 'string' && UNIT.test(thing.unitText) ? ` ${thing.unitText}` : ''
  return named === undefined ? '' : `${plain(named, depth + 1)}${named === thing.value ? unit : ''}`
}

/** What measures, as people write it; a period of pay is none. */
const UNIT = /^(?:[a-zµ]{1,4}[²³23]?|L|kW|W|V|mAh|%)$/

function addressText(thing: Record<string, unknown>, depth: number): string {
  const [street, code, city, region, country] = [
    'streetAddress',
    'postalCode',
    'addressLocality',
    'addressRegion',
    'addressCountry',
  ].map((name) => plain(thing[name], depth + 1))
  return [street, city, [region, code].filter(Boolean).join(' '), country].filter(Boolean).join(', ')
}

function clean(value: string): string {
  const cut = value.slice(0, MAX_TEXT).replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
  const bare = /<\/?[a-z][^<>]{0,500}>/i.test(cut) ? cut.replace(/<\/?[a-z][^<>]{0,500}>/gi, ' ') : cut
  return collapse(decodeHTMLStrict(bare))
}

function address(
  given: string | undefined,
  said: string,
  { resolve }: FieldContext,
  isImage: boolean,
): string | undefined {
  const looksLike =
    /^(?:https?:)?\/\/|^\/|^\.{1,2}\/|^www\./i.test(said) ||
    (isImage && /\.(?:jpe?g|png|webp|gif|avif|svg)(?:\?|$)/i.test(said))
  const href =
    given ??
    (looksLike && !/\s/.test(said)
      ? said
      : /^[a-z\d-]+(?:\.[a-z\d-]+)+(?:\/\S*)?$/i.test(said)
        ? `https://${said}`
        : undefined)
  if (href && /\s/.test(href.trim())) return undefined
  const url = href && resolve(href.startsWith('www.') ? `https://${href}` : href)
  return url && isWeb(url) ? url : undefined
}

/** Of "08:00–12:30" the first is when it opens, the last when it closes. */
function clock(said: string, name: string): string | undefined {
  const clocks = clocksIn(said.slice(0, 120))
  if (clocks.length > 2) return undefined
  return /close|end|until|arriv|to$/i.test(name) ? clocks.at(-1) : clocks[0]
}

function phone(said: string): string | undefined {
  const found = /(?:\+|\(|\d)[\d\s().\-–/+]{4,30}\d/.exec(said.slice(0, 300).replace(/^tel:/i, ''))?.[0].trim()
  const digits = found?.replace(/\D/g, '').length ?? 0
  return found && digits >= 5 && digits <= 16 ? found : undefined
}

function dateText(raw: Raw, said: string, { language }: FieldContext): string | undefined {
  const exact = raw.when ?? said
  if (/^\d{4}(?:-\d{2})?(?:-\d{2})?(?:T|$)/.test(exact)) return exact
  const date = dateIn(exact, language) ?? dateIn(said, language)
  if (date) return date.time ? isoDateTime(date).replace(/:00Z$/, date.zone ? ':00Z' : ':00') : isoDate(date)
  return said.length <= 40 && /\d/.test(said) ? said : undefined
}

// --- choices ----------------------------------------------------------------------------------------------------------

function chosen({ value }: Raw, { shape, kind }: WantedField): unknown {
  const choices = shape.choices ?? []
  if (choices.includes(value)) return value
  const said = phraseOf(spaced(plain(value)))
  if (said === '') return undefined
  const exact = choices.find((choice) => typeof choice === 'string' && squeezed(choice) === said.replaceAll(' ', ''))
  if (exact !== undefined) return exact
  const within = choices.filter((choice) => typeof choice === 'string' && ` ${said} `.includes(` ${phraseOf(choice)} `))
  if (within.length === 1) return within[0]
  if (kind !== 'truth') return undefined
  const isTrue = truth({ value })
  const fitting = choices.filter((choice) => typeof choice === 'string' && truth({ value: choice }) === isTrue)
  return isTrue !== undefined && fitting.length === 1 ? fitting[0] : undefined
}

const squeezed = (choice: string): string => phraseOf(choice).replaceAll(' ', '')

// --- truth ------------------------------------------------------------------------------------------------------------

const NO =
  /^(?:no|false|none|never|nein|non|nee|nao|não|нет|いいえ|✗|✘|×|❌|n\/a|0|off)$|\b(?:not available|unavailable|out[\s-]?of[\s-]?stock|sold[\s-]?out|discontinued|ausverkauft|nicht (?:verfügbar|lieferbar|auf lager)|vergriffen|épuisé|indisponible|rupture|agotado|no disponible|esaurito|non disponibile|uitverkocht|niet op voorraad|esgotado|нет в наличии|在庫切れ|品切れ|not included|not allowed|nicht (?:erlaubt|gestattet)|verboten|prohibited|interdits?|no permitid[ao]s?|non ammess[io]|onsite|on-site only)\b/iu
const YES =
  /^(?:yes|true|ja|oui|si|sí|sì|sim|да|はい|✓|✔|✅|1|on|included|available|included|telecommute)$|\b(?:in[\s-]?stock|available|auf lager|sofort lieferbar|lieferbar|verfügbar|en stock|disponible|disponibile|op voorraad|em estoque|в наличии|在庫あり|limited availability|allowed|permitted|welcome|erlaubt|willkommen|acceptés?|admis|permitid[ao]s?|ammess[io]|pre-?order|online only|in store only)\b/iu

function truth({ value }: Raw): boolean | undefined {
  if (typeof value === 'boolean') return value
  const said = spaced(plain(value)).toLowerCase()
  if (said.length > 80) return undefined
  if (NO.test(said)) return false
  return YES.test(said) ? true : undefined
}

// --- numbers ----------------------------------------------------------------------------------------------------------

function amount(raw: Raw, wanted: WantedField, ground: FieldContext): number | undefined {
  const { kind, unit, currency } = wanted
  const said = typeof raw.value === 'number' ? String(raw.value) : plain(raw.value)
  const whole = (value: number | undefined): number | undefined =>
    value === undefined || !Number.isFinite(value) || (wanted.shape.kind === 'integer' && !Number.isInteger(value))
      ? undefined
      : value
  if (typeof raw.value === 'number') return whole(raw.value)
  // Data write numbers in one way, whatever the page's language.
  if (raw.isData && /^-?\d+(?:\.\d+)?$/.test(said)) return whole(Number(said))
  if (said.length > 200) return undefined
  // `releaseYear` of a date.
  if (kind === 'date' || (/year/i.test(wanted.name) && /^\d{4}-\d{2}/.test(said))) return whole(yearOf(said, ground))
  if (kind === 'money' || currency) return whole(moneyAmount(said, currency, ground))
  if (kind === 'duration' || /^P[\dT]/.test(said)) return whole(duration(said, unit ?? 'minutes', ground.language))
  const numbers = numbersIn(said, ground.language)
  const [first] = numbers
  if (!first) return undefined
  if (!raw.isData && wanted.rules.acceptNumber?.(first.value, said) === false) return undefined
  // "1.65 lb / 750 g": the one in the unit asked for.
  const exact = unit && numbers.find(({ end }) => converted(1, unitAfter(said, end), unit) === 1)
  if (exact) return whole(exact.value)
  const isRatio = numbers.length === 2 && /^\s*(?:\/|of|out of|von|sur|de|su|из)\s/iu.test(`${said.slice(first.end)} `)
  const isFirst = first.at <= 3 || numbers.length === 1
  if (
    numbers.length > 1 &&
    !isRatio &&
    !(isFirst && kind !== 'text' && !/[-–x×]/.test(said.slice(first.end, first.end + 3)))
  )
    return undefined
  if (unit) {
    const inUnit = converted(first.value, unitAfter(said, first.end), unit)
    if (inUnit !== undefined) return whole(inUnit)
  }
  return whole(first.value)
}

function yearOf(said: string, { language }: FieldContext): number | undefined {
  const date = dateIn(said, language)
  return date ? Number(isoDate(date).slice(0, 4)) : numbersIn(said, language)[0]?.value
}

const unitAfter = (said: string, end: number): string => /^\s?([a-z]{1,12}[²2]?)/i.exec(said.slice(end))?.[1] ?? ''

function moneyAmount(
  said: string,
  currency: string | undefined,
  { language, money }: FieldContext,
): number | undefined {
  const found = findMoney(said, money)
  if (found.length > 0) {
    const [first] = found
    if (currency && first!.currency && first!.currency !== currency) return undefined
    return first!.amount
  }
  if (/\b(?:free|gratis|kostenlos|gratuit|gratuito)\b/i.test(said)) return 0
  const numbers = numbersIn(said, language)
  return numbers.length === 1 && said.length <= 40 ? numbers[0]!.value : undefined
}

const TIME_PART =
  /(\d+(?:[.,]\d+)?)\s?(hours?|hrs?|h|stunden?|std|heures?|horas?|ore|uur|minutes?|minuten?|minutos?|minuti|mins?|m|seconds?|secs?|sec|days?|d)\b/giu

function duration(said: string, unit: string, language: string): number | undefined {
  const iso = durationSeconds(said)
  if (iso !== undefined) return converted(iso, 's', unit)
  let seconds = 0
  for (const [, value = '', word = ''] of said.matchAll(TIME_PART)) {
    const factor = /^(?:h|st|o|u)/i.test(word) ? 3600 : /^m/i.test(word) ? 60 : /^d/i.test(word) ? 86_400 : 1
    seconds += Number(value.replace(',', '.')) * factor
  }
  if (seconds > 0) return converted(seconds, 's', unit)
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(said)
  if (clock)
    return converted(
      clock[3] === undefined
        ? Number(clock[1]) * 60 + Number(clock[2])
        : Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]),
      's',
      unit,
    )
  const numbers = numbersIn(said, language)
  return numbers.length === 1 ? numbers[0]!.value : undefined
}
