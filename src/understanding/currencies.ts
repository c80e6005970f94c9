// Resolves currency signs: €, kr, R$, 円 and ISO 4217 codes. A sign that several countries share is resolved by the
// page's own facts.
import { makeLookupTable } from '../base/lookup-table.ts'
import currencies from './currencies.json' with { type: 'json' }

/** Page facts that disambiguate shared signs such as $. */
export interface MoneyHint {
  /** The currency that the page declares, as a code. */
  currency?: string | undefined
  /** The page's language, with or without a region. */
  language?: string | undefined
  host?: string | undefined
}

/** Signs of one currency only, longest first where one is a prefix of another. */
const CURRENCY_OF_UNIQUE_SIGN: ReadonlyMap<string, string> = new Map(
  Object.entries(currencies.signs).flatMap(([code, signs]) =>
    signs.split(' ').map((sign) => [sign.replaceAll('_', ' '), code] as const),
  ),
)

/** Signs of several countries: possible codes, the default first. */
const CURRENCIES_OF_SHARED_SIGN: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(currencies.shared).map(([sign, codes]) => [sign, codes.split(' ')]),
)

const CODES = new Set(currencies.codes.split(' '))

const OF_REGION = makeLookupTable<string>(currencies.regions)

/** Languages that imply one country when no region is given. */
const COUNTRY_OF_LANGUAGE = makeLookupTable<string>(currencies.languages)

/** Currencies whose amounts have three decimal digits. */
export const threeDecimalCurrencies: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/** An ISO 4217 code in capitals; undefined for other text. */
export function normalizeCurrencyCode(text: string | undefined): string | undefined {
  const code = text?.trim().toUpperCase()
  return code !== undefined && /^[A-Z]{3}$/.test(code) && isCurrency(code) ? code : undefined
}

function isCurrency(code: string): boolean {
  if (CODES.has(code)) return true
  // Rare codes too, but only existing ones.
  return Intl.supportedValuesOf('currency').includes(code)
}

/** Signs that are units or names elsewhere (16 ft, R5), and their country. */
const COUNTRY_OF_AMBIGUOUS_SIGN = makeLookupTable<string>({ r: 'za', ft: 'hu', rm: 'my', rp: 'id', 's/': 'pe' })

/** Whether a sign beside a bare number is not enough to be money. */
export function isAmbiguousSign(sign: string, { currency, language, host }: MoneyHint): boolean {
  const bare = sign.trim().toLowerCase()
  const home = COUNTRY_OF_AMBIGUOUS_SIGN[bare]
  if (home === undefined || (currency !== undefined && currency === CURRENCY_OF_UNIQUE_SIGN.get(bare))) return false
  return !(language?.toLowerCase().split('-').includes(home) || host?.toLowerCase().endsWith(`.${home}`))
}

export function currencyOfSign(sign: string, hint: MoneyHint = {}): string | undefined {
  const key = sign.trim().toLowerCase()
  const own = CURRENCY_OF_UNIQUE_SIGN.get(key)
  if (own) return own
  const shared = CURRENCIES_OF_SHARED_SIGN.get(key)
  if (!shared) return CODES.has(key.toUpperCase()) ? key.toUpperCase() : undefined
  const fits = (code: string | undefined) => (code !== undefined && shared.includes(code) ? code : undefined)
  return fits(hint.currency) ?? fits(regionCurrency(hint)) ?? (shared[0] || undefined)
}

function regionCurrency({ language, host }: MoneyHint): string | undefined {
  const [tongue = '', ...rest] = (language ?? '').toLowerCase().split('-')
  const region = rest.find((part) => part.length === 2)
  const top = host?.split('.').at(-1)?.toLowerCase()
  return (
    (region && OF_REGION[region]) ||
    (top && top.length === 2 && top !== 'co' && top !== 'is' && OF_REGION[top]) ||
    COUNTRY_OF_LANGUAGE[tongue] ||
    undefined
  )
}

const escapeSign = (sign: string): string => sign.replace(/[$./]/g, '\\$&')
const byLength = (a: string, b: string): number => b.length - a.length
// A sign of letters must not be part of a word: `Ft` in `Left`, `R` in `HDR`.
const wordy = (sign: string): string => {
  const before = /^[\p{L}]/u.test(sign) ? '(?<![\\p{L}\\p{N}])' : ''
  const after = /[\p{L}]$/u.test(sign) ? '(?![\\p{L}])' : ''
  return before + escapeSign(sign) + after
}
const signs = [...CURRENCY_OF_UNIQUE_SIGN.keys(), ...CURRENCIES_OF_SHARED_SIGN.keys()].sort(byLength)
// Letters that are also words are signs only before a number (`R 199`, `RM 20`) or only after one (`20 tl`).
const SIGNS_BEFORE_AMOUNT_ONLY = new Set(['r', 'rm', 'rp', 's/', 's/.', 'rs', 'rs.', 'c$', 'a$', 's$'])
const SIGNS_AFTER_AMOUNT_ONLY = new Set(['tl', 'ft', 'lei', 'đ', '元', '円', '원'])
const codes = `(?<![\\p{L}\\p{N}])(?:${[...CODES].join('|')})(?![\\p{L}])`

/** Patterns (flags `iu`) of signs before and after an amount. */
export const currencyBeforeAmountPattern = `(?:${[...signs.filter((sign) => !SIGNS_AFTER_AMOUNT_ONLY.has(sign)).map(wordy), codes].join('|')})`
export const currencyAfterAmountPattern = `(?:${[...signs.filter((sign) => !SIGNS_BEFORE_AMOUNT_ONLY.has(sign)).map((sign) => escapeSign(sign) + (/[\p{L}]$/u.test(sign) ? '(?![\\p{L}])' : '')), `(?:${[...CODES].join('|')})(?![\\p{L}])`].join('|')})`
