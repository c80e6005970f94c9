// Resolves currency signs: €, kr, R$, 円 and ISO 4217 codes. A sign that several countries share is resolved by the
// page's own facts; amounts are parsed in money.ts.
import { tableOf } from '../base/table.ts'

/** Page facts that disambiguate shared signs such as $. */
export interface MoneyHint {
  /** The currency that the page declares, as a code. */
  currency?: string | undefined
  /** The page's language, with or without a region. */
  language?: string | undefined
  host?: string | undefined
}

/** Signs of one currency only, longest first where one is a prefix of another. */
const OWN: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['eur', 'EUR'],
  ['euro', 'EUR'],
  ['£', 'GBP'],
  ['us$', 'USD'],
  ['us $', 'USD'],
  ['u$s', 'USD'],
  ['ca$', 'CAD'],
  ['c$', 'CAD'],
  ['cdn$', 'CAD'],
  ['au$', 'AUD'],
  ['a$', 'AUD'],
  ['nz$', 'NZD'],
  ['hk$', 'HKD'],
  ['s$', 'SGD'],
  ['nt$', 'TWD'],
  ['mx$', 'MXN'],
  ['r$', 'BRL'],
  ['s/', 'PEN'],
  ['s/.', 'PEN'],
  ['₩', 'KRW'],
  ['원', 'KRW'],
  ['円', 'JPY'],
  ['元', 'CNY'],
  ['rmb', 'CNY'],
  ['cn¥', 'CNY'],
  ['jp¥', 'JPY'],
  ['₹', 'INR'],
  ['₫', 'VND'],
  ['đ', 'VND'],
  ['฿', 'THB'],
  ['₺', 'TRY'],
  ['tl', 'TRY'],
  ['₪', 'ILS'],
  ['₱', 'PHP'],
  ['₦', 'NGN'],
  ['₽', 'RUB'],
  ['руб', 'RUB'],
  ['руб.', 'RUB'],
  ['₴', 'UAH'],
  ['грн', 'UAH'],
  ['₸', 'KZT'],
  ['лв', 'BGN'],
  ['лв.', 'BGN'],
  ['zł', 'PLN'],
  ['kč', 'CZK'],
  ['ft', 'HUF'],
  ['lei', 'RON'],
  ['fr.', 'CHF'],
  ['sfr.', 'CHF'],
  ['rp', 'IDR'],
  ['rm', 'MYR'],
  ['r', 'ZAR'],
  ['dhs', 'AED'],
  ['د.إ', 'AED'],
  ['ر.س', 'SAR'],
])

/** Signs of several countries: possible codes, the default first. */
const SHARED: ReadonlyMap<string, readonly string[]> = new Map([
  ['$', ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'TWD', 'MXN', 'ARS', 'CLP', 'COP', 'UYU']],
  ['¥', ['JPY', 'CNY']],
  ['￥', ['JPY', 'CNY']],
  ['kr', ['', 'SEK', 'NOK', 'DKK', 'ISK']],
  ['kr.', ['', 'DKK', 'NOK', 'SEK', 'ISK']],
  ['rs', ['INR', 'PKR', 'LKR', 'NPR']],
  ['rs.', ['INR', 'PKR', 'LKR', 'NPR']],
])

const CODES = new Set(
  'AED ARS AUD BGN BHD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HRK HUF IDR ILS INR ISK JOD JPY KES KRW KWD KZT LKR MAD MXN MYR NGN NOK NPR NZD OMR PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD UYU VND ZAR'.split(
    ' ',
  ),
)

const OF_REGION = tableOf<string>({
  us: 'USD',
  ca: 'CAD',
  au: 'AUD',
  nz: 'NZD',
  sg: 'SGD',
  hk: 'HKD',
  tw: 'TWD',
  mx: 'MXN',
  ar: 'ARS',
  cl: 'CLP',
  co: 'COP',
  uy: 'UYU',
  jp: 'JPY',
  cn: 'CNY',
  se: 'SEK',
  no: 'NOK',
  dk: 'DKK',
  is: 'ISK',
  in: 'INR',
  pk: 'PKR',
  lk: 'LKR',
  np: 'NPR',
})

/** Languages that imply one country when no region is given. */
const OF_LANGUAGE = tableOf<string>({
  sv: 'SEK',
  nb: 'NOK',
  nn: 'NOK',
  no: 'NOK',
  da: 'DKK',
  is: 'ISK',
  ja: 'JPY',
  zh: 'CNY',
  hi: 'INR',
})

/** Currencies with three decimals, and those without decimals. */
export const threeDecimals: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/** An ISO 4217 code in capitals; undefined for other text. */
export function currencyCode(text: string | undefined): string | undefined {
  const code = text?.trim().toUpperCase()
  return code !== undefined && /^[A-Z]{3}$/.test(code) && isCurrency(code) ? code : undefined
}

function isCurrency(code: string): boolean {
  if (CODES.has(code)) return true
  // Rare codes too, but only existing ones.
  return Intl.supportedValuesOf('currency').includes(code)
}

/** Signs that are units or names elsewhere (16 ft, R5), and their country. */
const WEAK = tableOf<string>({ r: 'za', ft: 'hu', rm: 'my', rp: 'id', 's/': 'pe' })

/** Whether a sign beside a bare number is not enough to be money. */
export function isWeakSign(sign: string, { currency, language, host }: MoneyHint): boolean {
  const home = WEAK[sign.trim().toLowerCase()]
  if (home === undefined || (currency !== undefined && currency === OWN.get(sign.trim().toLowerCase()))) return false
  return !(language?.toLowerCase().split('-').includes(home) || host?.toLowerCase().endsWith(`.${home}`))
}

/** The currency of a sign or code as written on a page. */
export function currencyOf(sign: string, hint: MoneyHint = {}): string | undefined {
  const key = sign.trim().toLowerCase()
  const own = OWN.get(key)
  if (own) return own
  const shared = SHARED.get(key)
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
    OF_LANGUAGE[tongue] ||
    undefined
  )
}

const escaped = (sign: string): string => sign.replace(/[$./]/g, '\\$&')
const byLength = (a: string, b: string): number => b.length - a.length
// A sign of letters must not be part of a word: `Ft` in `Left`, `R` in `HDR`.
const wordy = (sign: string): string => {
  const before = /^[\p{L}]/u.test(sign) ? '(?<![\\p{L}\\p{N}])' : ''
  const after = /[\p{L}]$/u.test(sign) ? '(?![\\p{L}])' : ''
  return before + escaped(sign) + after
}
const signs = [...OWN.keys(), ...SHARED.keys()].sort(byLength)
// Letters that are also words are signs only before a number (`R 199`, `RM 20`) or only after one (`20 tl`).
const BEFORE_ONLY = new Set(['r', 'rm', 'rp', 's/', 's/.', 'rs', 'rs.', 'c$', 'a$', 's$'])
const AFTER_ONLY = new Set(['tl', 'ft', 'lei', 'đ', '元', '円', '원'])
const codes = `(?<![\\p{L}\\p{N}])(?:${[...CODES].join('|')})(?![\\p{L}])`

/** Patterns (flags `iu`) of signs before and after an amount. */
export const signBefore = `(?:${[...signs.filter((sign) => !AFTER_ONLY.has(sign)).map(wordy), codes].join('|')})`
export const signAfter = `(?:${[...signs.filter((sign) => !BEFORE_ONLY.has(sign)).map((sign) => escaped(sign) + (/[\p{L}]$/u.test(sign) ? '(?![\\p{L}])' : '')), `(?:${[...CODES].join('|')})(?![\\p{L}])`].join('|')})`
