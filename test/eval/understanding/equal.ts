// When two values say the same thing. The one home of what the scorers forgive: spacing, case, quotes, number formats,
// the time zone and the seconds of a date, the host and the tracking of an address. It must not know any extractor.

/** Letters and digits as a reader sees them: one kind of quote, dash and space, no case. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’‚‛′`]/g, "'")
    .replace(/[“”„‟«»″]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060\ufeff\u00ad]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** The same words; a full stop, colon or comma at the end is not a word. */
export const sameText = (a: string, b: string): boolean => bare(a) === bare(b)
const bare = (text: string): string => plain(text).replace(/[.,:;]+$/, '')

/** A number as people write it: `1.234,50`, `1,234.50`, `1 234`, `€ 12`, `8 %`. `undefined` when it is not one number. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const found = value.normalize('NFKC').match(/-?\d(?:[\d.,'’]|[ \u00a0](?=\d{3}(?!\d)))*/g)
  if (found?.length !== 1) return undefined
  const digits = found[0].replace(/[ \u00a0'’]/g, '').replace(/[.,]+$/, '')
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const mark = digits[last]
  const after = digits.length - last - 1
  const only = mark !== undefined && digits.split(mark).length === 2
  const both = digits.includes('.') && digits.includes(',')
  // A lone mark before exactly three digits groups thousands (`12.490`); anything else after the last mark is decimals.
  const decimals = last >= 0 && (both || only) && !(only && !both && after === 3 && digits[0] !== '0')
  const whole = decimals ? digits.slice(0, last) : digits
  return Number(`${whole.replace(/[.,]/g, '')}${decimals ? `.${digits.slice(last + 1)}` : ''}`)
}

/** Equal up to rounding of the last digit that computers add (`0.1 + 0.2`), not of digits that a page shows. */
export const sameNumber = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a))

const moment = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{1,2}):(\d{2}))?/

/**
 * A date that was asked for as `2026-03-04` is right with any time behind it; one that was asked for with a time needs
 * its hours and minutes, as the page writes them: seconds and the zone are not compared.
 */
export function sameDate(wanted: string, got: string): boolean {
  const [want, have] = [moment.exec(wanted.trim()), moment.exec(got.trim())]
  if (want === null || have === null) return false
  return [1, 2, 3, 4, 5].every((part) => want[part] === undefined || Number(want[part]) === Number(have[part]))
}

export const looksLikeDate = (text: string): boolean => /^\d{4}-\d{2}(-\d{2})?(T\d{2}:\d{2}.*)?$/.test(text)

/** The same page or file: scheme, `www.`, the last slash, the fragment and tracking parameters do not count. */
export function sameAddress(a: string, b: string): boolean {
  const [one, two] = [addressOf(a), addressOf(b)]
  return one !== undefined && one === two
}

function addressOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  for (const name of [...url.searchParams.keys()])
    if (/^(utm_|gclid$|fbclid$|ref$)/.test(name)) url.searchParams.delete(name)
  url.searchParams.sort()
  return decodeURI(`${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}${url.search}`).toLowerCase()
}

/** The same line: only digits count, and one may have its country code where the other has a leading zero. */
export function samePhone(a: string, b: string): boolean {
  const [one, two] = [a, b].map((text) => text.replace(/\D/g, '').replace(/^0+/, '')) as [string, string]
  const [short, long] = one.length <= two.length ? [one, two] : [two, one]
  return short.length >= 6 && long.endsWith(short) && long.length - short.length <= 4
}

export const looksLikePhone = (text: string): boolean => /^[+(]?\d[\d\s().\-/]{5,}\d$/.test(text.trim())

/** Yes and no, also in words. */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return undefined
  if (/^(true|yes)$/i.test(value.trim())) return true
  return /^(false|no)$/i.test(value.trim()) ? false : undefined
}

/** Whether `got` answers what `wanted` asks for, by the kind of `wanted`. */
export function sameValue(wanted: unknown, got: unknown): boolean {
  if (isNothing(wanted) || isNothing(got)) return isNothing(wanted) && isNothing(got)
  if (typeof wanted === 'boolean') return booleanOf(got) === wanted
  if (typeof wanted === 'number') {
    const number = numberOf(got)
    return number !== undefined && sameNumber(wanted, number)
  }
  if (typeof wanted !== 'string') return false
  const text = String(got)
  if (sameText(wanted, text)) return true
  if (looksLikeDate(wanted)) return sameDate(wanted, text)
  if (/^https?:/.test(wanted)) return sameAddress(wanted, text)
  return looksLikePhone(wanted) && samePhone(wanted, text)
}

/** What stands for "not on the page". */
export const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
