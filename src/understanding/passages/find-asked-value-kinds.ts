// Which kind of value a question asks for, and whether a text contains one. Names of months, days, currencies and units
// come from Intl; question words come from words.json.
import { once } from '../../base/values.ts'
import { removeCaseAndAccents } from './stem-terms.ts'
import words from './words.json' with { type: 'json' }

export type AskedValueKind = keyof typeof words.kinds

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da', 'tr', 'ru', 'uk', 'cs']
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'PLN', 'RUB', 'CZK', 'JPY', 'CNY', 'INR', 'TRY']
const UNITS = ['day', 'hour', 'minute', 'week', 'month', 'year']

const cuesOf = (list: string): Set<string> =>
  new Set(list.split(' ').flatMap((word) => [word, removeCaseAndAccents(word)]))
const CUES = Object.entries(words.kinds).map(([kind, list]) => [kind as AskedValueKind, cuesOf(list)] as const)

export function findAskedValueKinds(question: string): Set<AskedValueKind> {
  const asked = new Set<AskedValueKind>()
  const said = question.toLowerCase().match(/[\p{L}\p{M}-]+/gu) ?? []
  for (const [kind, cues] of CUES)
    if (said.some((word) => cues.has(word) || cues.has(removeCaseAndAccents(word)))) asked.add(kind)
  return asked
}

const escapeForRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** Longest first, so that "marzo" is tried before "mar". */
const anyOf = (names: Iterable<string>): string =>
  [...new Set(names)]
    .sort((one, other) => other.length - one.length)
    .map(escapeForRegExp)
    .join('|')

/** Built on first use: some hundred Intl formatters cost 20 ms. */
const patterns = once((): Record<AskedValueKind, RegExp> => {
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, month + 1)))
  const listDateNames = (lang: string, options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(lang, { ...options, timeZone: 'UTC' })
    return days.map((day) => format.format(day).toLowerCase().replace(/\.$/, ''))
  }
  const months = LANGUAGES.flatMap((lang) => [
    ...listDateNames(lang, { month: 'long' }),
    ...listDateNames(lang, { month: 'short' }),
  ])
  const weekdays = LANGUAGES.flatMap((lang) => listDateNames(lang, { weekday: 'long' }))
  const partsOf = (lang: string, options: Intl.NumberFormatOptions, type: string) =>
    [1, 2, 5].flatMap((n) => new Intl.NumberFormat(lang, options).formatToParts(n).filter((part) => part.type === type))
  const money = LANGUAGES.flatMap((lang) =>
    CURRENCIES.flatMap((currency) =>
      partsOf(lang, { style: 'currency', currency, currencyDisplay: 'name' }, 'currency'),
    ),
  ).flatMap(({ value }) => [value.toLowerCase(), value.toLowerCase().split(' ').at(-1)!])
  const units = LANGUAGES.flatMap((lang) =>
    UNITS.flatMap((unit) => partsOf(lang, { style: 'unit', unit, unitDisplay: 'long' }, 'unit')),
  ).map(({ value }) => value.toLowerCase())
  const word = (names: readonly string[]) =>
    `(?<![\\p{L}\\p{N}])(?:${anyOf(names.filter((one) => one.length > 2))})s?(?![\\p{L}])`
  const span = `\\d+ ?[-–]?(?: ?\\d+)? ?${word(units)}`
  const clock = '\\d{1,2} ?(?:[:.h] ?\\d{2}|[ap]\\.?m\\b|uhr|h\\b|uur)|\\d{1,2} ?[–-] ?\\d{1,2}(?::\\d{2})? ?[ap]m'
  return {
    money: new RegExp(
      `\\p{Sc} ?\\d|\\d ?(?:\\p{Sc}|p\\b|${CURRENCIES.join('|')}|${word(money)})|(?:${CURRENCIES.join('|')}) ?\\d`,
      'iu',
    ),
    time: new RegExp(`${clock}|${word(weekdays)}`, 'iu'),
    date: new RegExp(
      `${word(months)}|(?<!\\d)(?:1\\d|20)\\d{2}(?!\\d)|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|${span}|${word(weekdays)}`,
      'iu',
    ),
    number: /\p{N}/u,
    // "How long": a time or a length.
    extent: new RegExp(
      `${word(units)}|\\d ?(?:[kcm]?m|mi|miles?|f(?:oo|ee)?t|met(?:re|er)s?|inch(?:es)?|yards?|pages?|words?)\\b`,
      'iu',
    ),
    person: /(?<!\p{L})\p{Lu}[\p{Ll}'’-]+(?: \p{Lu}\.| (?:de|van|von|der|da|di))* \p{Lu}[\p{Ll}'’-]+/u,
    place: /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+|\p{Lu}\p{Ll}+,? \p{Lu}{2}|\d{4,5} \p{Lu}/u,
    contact: /[\p{L}\p{N}._+-]+@[\p{L}\p{N}-]+\.\p{L}{2,}|\+?\d[\d ()/-]{6,}\d/u,
  }
})

export const containsValueKind = (text: string, kinds: ReadonlySet<AskedValueKind>): boolean =>
  [...kinds].some((kind) => patterns()[kind].test(text))
