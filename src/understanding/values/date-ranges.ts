// Parses date ranges: 5–24 March 2026, Feb 18 – Apr 25, 2026, 1/27/2026 - 3/24/2026.
import { dateIn, isoDate } from './dates.ts'

const TO = String.raw`\s?(?:[-–—]|to|through|until|bis|au|al|do|tot|до)\s?`
const MONTH = String.raw`\p{L}{3,12}\.?`
/** March 5 – 24, 2026. */
const ONE_MONTH_FIRST = new RegExp(String.raw`(${MONTH})\s(\d{1,2})${TO}(\d{1,2}),?\s(\d{4})`, 'iu')
/** 5 – 24 March 2026. */
const ONE_DAY_FIRST = new RegExp(String.raw`(?<!\d)(\d{1,2})\.?${TO}(\d{1,2})\.?\s(${MONTH})\s(\d{4})`, 'iu')
/** Feb 18 – Apr 25, 2026. */
const TWO_MONTH_FIRST = new RegExp(String.raw`(${MONTH})\s(\d{1,2})${TO}(${MONTH})\s(\d{1,2}),?\s(\d{4})`, 'iu')
/** 18 Feb – 25 Apr 2026. */
const TWO_DAY_FIRST = new RegExp(
  String.raw`(?<!\d)(\d{1,2})\.?\s(${MONTH})${TO}(\d{1,2})\.?\s(${MONTH})\s(\d{4})`,
  'iu',
)
const BETWEEN = new RegExp(`^.{0,20}?${TO}.{0,20}$|^${TO}`, 'iu')

interface DateRange {
  from: string
  to: string
}

export function dateRangeIn(given: string, language = ''): DateRange | undefined {
  const text = given.slice(0, 300)
  const short = written(text, language)
  if (short) return short
  const first = dateIn(text, language)
  if (!first) return undefined
  const rest = text.slice(first.end)
  const second = dateIn(rest, language)
  if (!second || !BETWEEN.test(rest.slice(0, second.at))) return undefined
  return ordered(isoDate(first), isoDate(second))
}

/** The forms that write a month or the year once. */
function written(text: string, language: string): DateRange | undefined {
  const days = (from: string, to: string): DateRange | undefined => {
    const [one, two] = [dateIn(from, language), dateIn(to, language)]
    return one && two ? ordered(isoDate(one), isoDate(two)) : undefined
  }
  const two = TWO_MONTH_FIRST.exec(text)
  if (two) return days(`${two[1]} ${two[2]}, ${two[5]}`, `${two[3]} ${two[4]}, ${two[5]}`)
  const one = ONE_MONTH_FIRST.exec(text)
  if (one) return days(`${one[1]} ${one[2]}, ${one[4]}`, `${one[1]} ${one[3]}, ${one[4]}`)
  const twoDays = TWO_DAY_FIRST.exec(text)
  if (twoDays) return days(`${twoDays[1]} ${twoDays[2]} ${twoDays[5]}`, `${twoDays[3]} ${twoDays[4]} ${twoDays[5]}`)
  const oneDay = ONE_DAY_FIRST.exec(text)
  return oneDay ? days(`${oneDay[1]} ${oneDay[3]} ${oneDay[4]}`, `${oneDay[2]} ${oneDay[3]} ${oneDay[4]}`) : undefined
}

const ordered = (from: string, to: string): DateRange | undefined => (from <= to ? { from, to } : undefined)
