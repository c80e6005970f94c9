// Numbers, ordinals, days and times as people write them.

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** `2nd`, `second`, `last` → 2, 2, -1. */
export function parseOrdinal(word: string): number | undefined {
  const digits = /^(\d+)(?:st|nd|rd|th)$/.exec(word)
  if (digits) return Number(digits[1])
  if (word === 'last' || word === 'final' || word === 'bottom' || word === 'bottommost') return -1
  if (word === 'top' || word === 'topmost') return 1
  const at = ORDINALS.indexOf(word)
  return at < 0 ? undefined : at + 1
}

/** `3`, `three`, `€ 4.50`, `80 %` → a number. */
export function parseNumberWord(word: string): number | undefined {
  const named = NUMBERS.indexOf(word)
  if (named >= 0) return named
  const plain = word.replace(/[$€£%\s×x]/g, '').replace('−', '-')
  if (!/^-?\d[\d.,]*$/.test(plain)) return undefined
  const lastDot = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  const decimals = lastDot >= 0 && plain.length - lastDot - 1 !== 3 ? lastDot : -1
  const whole = (decimals >= 0 ? plain.slice(0, decimals) : plain).replace(/[.,]/g, '')
  return Number(decimals >= 0 ? `${whole}.${plain.slice(decimals + 1)}` : whole)
}

export interface ParsedDay {
  year: number | undefined
  /** 1 to 12. */
  month: number
  day: number
}

export const parseMonth = (word: string): number => {
  const short = word.toLowerCase().slice(0, 3)
  return short.length < 3
    ? 0
    : MONTHS.findIndex(
        (month) =>
          month.startsWith(short) &&
          month.startsWith(
            word
              .toLowerCase()
              .replace(/\.$/, '')
              .slice(0, month.length)
              .replace(/^sept$/, 'sep'),
          ),
      ) + 1
}

/** `12 May 2027`, `May 12th`, `2027-05-12`, `05/12/2027` (month first, unless that cannot be). */
export function parseDay(text: string): ParsedDay | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const slashed = /^(\d{1,2})([/.])(\d{1,2})[/.](\d{4})$/.exec(text)
  if (slashed) {
    const [a, b] = [Number(slashed[1]), Number(slashed[3])]
    const dayFirst = slashed[2] === '.' || a > 12
    return { year: Number(slashed[4]), month: dayFirst ? b : a, day: dayFirst ? a : b }
  }
  const words = text.toLowerCase().match(/[a-z]+|\d+/g) ?? []
  const month = words.map((word) => parseMonth(word)).find((found) => found > 0)
  const numbers = words.filter((word) => /^\d+$/.test(word)).map(Number)
  const day = numbers.find((number) => number >= 1 && number <= 31)
  if (month === undefined || day === undefined) return undefined
  return { month, day, year: numbers.find((number) => number > 1000) }
}

interface TimeOfDay {
  hour: number
  minute: number
}

/** `3:15 PM`, `15:15`, `9am` → hours of the day. */
export function parseTimeOfDay(text: string): TimeOfDay | undefined {
  const match = /^(\d{1,2})(?::(\d{2}))?(?::\d{2})? ?([ap])?\.?m?\.?$/i.exec(text.trim())
  if (!match || (match[2] === undefined && match[3] === undefined)) return undefined
  const half = match[3]?.toLowerCase()
  const hour = (Number(match[1]) % (half ? 12 : 24)) + (half === 'p' ? 12 : 0)
  return { hour, minute: Number(match[2] ?? 0) }
}
