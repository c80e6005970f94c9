// Parses money in any locale: 1.299,00 €, ¥12,800, 1 299 kr, CHF 12.-, US$5. Pure, and linear in the text.

import { valueOr } from '../base/attempt.ts'
import { once } from '../base/values.ts'
import {
  currencyAfterAmountPattern,
  currencyBeforeAmountPattern,
  currencyOfSign,
  isAmbiguousSign,
  type MoneyHint,
  normalizeCurrencyCode,
  threeDecimalCurrencies,
} from './currencies.ts'

export interface Money {
  amount: number
  /** ISO 4217. */
  currency?: string
  /** As the page writes it. */
  formatted?: string
}

interface FoundMoney extends Money {
  formatted: string
  /** Position in the text. */
  at: number
  end: number
}

const GAP = '[ \\u00a0\\u202f\\u2009]'
// Groups of three, of two as in India, or none; then cents or a dash for none.
const NUMBER = `\\d{1,3}(?:${GAP}\\d{3}(?!\\d)|['’]\\d{3}|[.,]\\d{2,3}(?=[.,]\\d|\\D|$)){1,5}(?:[.,]\\d{1,2}(?!\\d))?|\\d{1,12}(?:[.,]\\d{1,4})?`
const CENTLESS = '(?:[.,]{0,1}[-–—]{1,2}(?!\\s{0,2}\\d))?'
// Search for the number first and its sign beside it: most text has no digits, and there are many signs.
const AMOUNT = new RegExp(`(?<![\\d.,])(?:${NUMBER})`, 'gu')
const signBefore = once(() => new RegExp(`(${currencyBeforeAmountPattern})${GAP}{0,2}$`, 'iu'))
const signAfter = once(
  () => new RegExp(`^(${CENTLESS})(?:${GAP}{0,2}(${currencyAfterAmountPattern})(?!${GAP}?\\d))?`, 'iu'),
)
const SIGN_CHARS = 8
/** Only this much text is searched, because hostile texts are endless. */
const MAX_CHARS = 20_000

/** Every amount with a currency sign in a text, in order. */
export function findMoney(text: string, hint: MoneyHint = {}): FoundMoney[] {
  const found: FoundMoney[] = []
  const source = text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text
  let free = 0
  for (const { 0: digits, index } of source.matchAll(AMOUNT)) {
    const front = source.slice(Math.max(free, index - SIGN_CHARS), index)
    const before = signBefore().exec(front)
    const { tail, dash, after } = signAt(source, index + digits.length)
    const sign = before?.[1] ?? after
    if (sign === undefined || (!before && front.endsWith('-'))) continue
    if (!/\D/.test(digits) && isAmbiguousSign(sign, hint)) continue
    const code = before && after && isCode(after) && !isCode(before[1] ?? '') ? after : undefined
    const currency = currencyOfSign(code ?? sign, hint)
    const amount = parseMoneyAmount(digits, currency)
    if (amount === undefined) continue
    const at = before ? index - before[0].length : index
    // Any other sign after an amount that already has one is a repetition or belongs to the next amount.
    const end = index + digits.length + (before && !code ? dash.length : tail.length)
    free = end
    found.push({ amount, ...(currency ? { currency } : {}), formatted: source.slice(at, end), at, end })
  }
  return found
}

function signAt(source: string, from: number): { tail: string; dash: string; after: string | undefined } {
  const [tail = '', dash = '', after] = signAfter().exec(source.slice(from, from + SIGN_CHARS + 3)) ?? []
  return { tail, dash, after }
}

/** A code after the amount resolves the sign before it: `$39.20 CAD`. */
const isCode = (sign: string): boolean => /^[a-z]{3}$/i.test(sign)

const WHOLE = new RegExp(`^\\s*(${NUMBER})${CENTLESS}\\s*$`, 'u')

/** The amount in a text, with or without a sign: `$ 12.50`, `12,50`, `from 12 €`. Undefined without a number. */
export function parseMoney(text: string, hint: MoneyHint = {}): Money | undefined {
  const [first] = findMoney(text, hint)
  if (first) {
    const { amount, currency, formatted } = first
    return { amount, ...(currency ? { currency } : {}), formatted }
  }
  const bare = WHOLE.exec(text.slice(0, 100))?.[1]
  const amount = bare === undefined ? undefined : parseMoneyAmount(bare, hint.currency)
  return amount === undefined ? undefined : { amount, ...(hint.currency ? { currency: hint.currency } : {}) }
}

export function findCurrency(text: string, hint: MoneyHint = {}): string | undefined {
  return normalizeCurrencyCode(text) ?? currencyOfSign(text, hint) ?? findMoney(text, hint)[0]?.currency
}

export function parseMoneyAmount(digits: string, currency?: string): number | undefined {
  const tight = digits.replace(/[\s\u00a0\u202f\u2009'’]/g, '')
  const dot = tight.lastIndexOf('.')
  const comma = tight.lastIndexOf(',')
  const last = Math.max(dot, comma)
  const decimal =
    last === -1 ? undefined : isDecimal(tight, last, dot !== -1 && comma !== -1, currency) ? last : undefined
  const whole = (decimal === undefined ? tight : tight.slice(0, decimal)).replace(/[.,]/g, '')
  const amount = Number(decimal === undefined ? whole : `${whole}.${tight.slice(decimal + 1)}`)
  return Number.isFinite(amount) ? amount : undefined
}

/** Whether the last separator is decimal rather than thousands. */
function isDecimal(text: string, at: number, both: boolean, currency: string | undefined): boolean {
  const mark = text[at]
  if (text.indexOf(mark as string) !== at) return false
  const after = text.length - at - 1
  if (both) return true
  if (after !== 3) return true
  return at > 3 || text.startsWith('0') || (currency !== undefined && threeDecimalCurrencies.has(currency))
}

/** Formats money in the page's language, where the page shows none. */
export function formatMoney({ amount, currency }: Money, language: string | undefined): string | undefined {
  if (!currency) return undefined
  return valueOr(undefined, () =>
    new Intl.NumberFormat(language ?? 'en', { style: 'currency', currency }).format(amount),
  )
}
