// The words of a prompt: quoted texts, addresses, dates, times, numbers and key names are one token each, so that no
// rule further on cuts them in two. Pure.

export type TokenKind =
  | 'word'
  | 'quote'
  | 'email'
  | 'url'
  | 'date'
  | 'time'
  | 'number'
  | 'list'
  | 'pair'
  | 'key'
  | 'mark'

export interface Token {
  kind: TokenKind
  /** As it was written. */
  raw: string
  /** Lower case; for quotes what stands inside, as written. */
  word: string
  /** What to type: without quotes. */
  value: string
  /** Begins with a capital letter, as names do. */
  capital: boolean
  from: number
  to: number
}

export const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const DAY = '(?:3[01]|[12]\\d|0?[1-9])'

const SHAPES: [TokenKind, string][] = [
  [
    'quote',
    `"[^"\\n]*"|“[^”\\n]*”|«[^»\\n]*»|„[^“”\\n]*[“”]|‘[^’\\n]*’|\`[^\`\\n]*\`|(?<![\\p{L}\\p{N}])'[^'\\n]+'(?![\\p{L}\\p{N}])`,
  ],
  ['url', 'https?://[^\\s"<>]*[^\\s"<>.,;:!?)]'],
  ['email', '[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+'],
  [
    'date',
    `\\d{4}-\\d{1,2}-\\d{1,2}|\\d{1,2}[/.]\\d{1,2}[/.]\\d{4}|${DAY}(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b\\.?,?(?: \\d{4})?|${MONTH}\\b\\.? ${DAY}(?:st|nd|rd|th)?\\b(?:,? \\d{4})?`,
  ],
  ['time', '\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[ap]\\.?m\\b\\.?)?|\\d{1,2} ?[ap]m\\b'],
  ['key', '(?:(?:ctrl|control|cmd|command|alt|option|shift|meta) ?\\+ ?)+(?:[\\p{L}\\p{N}]+|[^\\s\\p{L}\\p{N}.,])'],
  ['list', '\\[ ?-?\\d+(?:\\.\\d+)?(?: ?, ?-?\\d+(?:\\.\\d+)?)* ?\\]'],
  ['pair', '\\(-?\\d+(?:\\.\\d+)?, ?-?\\d+(?:\\.\\d+)?\\)'],
  // Telephone numbers: groups of digits, the first with a nought or a plus.
  ['number', '(?:\\+|\\b0)\\d+(?:[ -]\\d{2,})+'],
  // A secret may end in a mark that ends sentences elsewhere.
  ['word', '(?=[^\\s"]*\\p{L})(?=[^\\s"]*\\d)[\\p{L}\\p{N}]+[!?#$%&*=]+(?=[\\s,.;]|$)'],
  ['number', '[-−]?(?:[$€£] ?)?\\d+(?:[,.]\\d+)*(?: ?%|(?![\\p{L}\\p{N}]))(?!:)'],
  ['word', "[@#.]?[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}'’_@/&#$*-]*(?:\\.[\\p{L}\\p{N}]+)*|\\p{Extended_Pictographic}"],
  ['mark', '[^\\s]'],
]
const SHAPE = new RegExp(SHAPES.map(([, shape]) => `(${shape})`).join('|'), 'giu')

export function tokensOf(prompt: string): Token[] {
  return [...prompt.matchAll(SHAPE)].map((match) => {
    const at = match.findIndex((part, index) => index > 0 && part !== undefined)
    const raw = match[0]
    const kind = SHAPES[at - 1]![0]
    const value = kind === 'quote' ? raw.slice(1, -1).trim() : raw.trim()
    return {
      kind,
      raw,
      value,
      word: kind === 'quote' ? value : value.toLowerCase().replace(/’/g, "'"),
      capital: /^[@#]?\p{Lu}/u.test(value),
      from: match.index,
      to: match.index + raw.length,
    }
  })
}

/** The text of some tokens, as it stood in the prompt; a single quote without its marks. */
export function textOf(tokens: readonly Token[], prompt: string): string {
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (!first || !last) return ''
  if (tokens.length === 1) return first.value
  return prompt.slice(first.from, last.to).trim()
}

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** `2nd`, `second`, `last` → 2, 2, -1. */
export function ordinalOf(word: string): number | undefined {
  const digits = /^(\d+)(?:st|nd|rd|th)$/.exec(word)
  if (digits) return Number(digits[1])
  if (word === 'last' || word === 'final' || word === 'bottom' || word === 'bottommost') return -1
  if (word === 'top' || word === 'topmost') return 1
  const at = ORDINALS.indexOf(word)
  return at < 0 ? undefined : at + 1
}

/** `3`, `three`, `€ 4.50`, `80 %` → a number. */
export function numberOf(word: string): number | undefined {
  const named = NUMBERS.indexOf(word)
  if (named >= 0) return named
  if (word === 'a' || word === 'an' || word === 'single') return 1
  if (word === 'both' || word === 'couple') return 2
  const plain = word.replace(/[$€£%\s×x]/g, '').replace('−', '-')
  if (!/^-?\d[\d.,]*$/.test(plain)) return undefined
  const lastDot = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  const decimals = lastDot >= 0 && plain.length - lastDot - 1 !== 3 ? lastDot : -1
  const whole = (decimals >= 0 ? plain.slice(0, decimals) : plain).replace(/[.,]/g, '')
  return Number(decimals >= 0 ? `${whole}.${plain.slice(decimals + 1)}` : whole)
}

export interface Day {
  year: number | undefined
  /** 1 to 12. */
  month: number
  day: number
}

export const monthOf = (word: string): number => {
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
export function dayOf(text: string): Day | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const slashed = /^(\d{1,2})([/.])(\d{1,2})[/.](\d{4})$/.exec(text)
  if (slashed) {
    const [a, b] = [Number(slashed[1]), Number(slashed[3])]
    const dayFirst = slashed[2] === '.' || a > 12
    return { year: Number(slashed[4]), month: dayFirst ? b : a, day: dayFirst ? a : b }
  }
  const words = text.toLowerCase().match(/[a-z]+|\d+/g) ?? []
  const month = words.map((word) => monthOf(word)).find((found) => found > 0)
  const numbers = words.filter((word) => /^\d+$/.test(word)).map(Number)
  const day = numbers.find((number) => number >= 1 && number <= 31)
  if (month === undefined || day === undefined) return undefined
  return { month, day, year: numbers.find((number) => number > 1000) }
}

export interface TimeOfDay {
  hour: number
  minute: number
}

/** `3:15 PM`, `15:15`, `9am` → hours of the day. */
export function clockOf(text: string): TimeOfDay | undefined {
  const match = /^(\d{1,2})(?::(\d{2}))?(?::\d{2})? ?([ap])?\.?m?\.?$/i.exec(text.trim())
  if (!match || (match[2] === undefined && match[3] === undefined)) return undefined
  const half = match[3]?.toLowerCase()
  const hour = (Number(match[1]) % (half ? 12 : 24)) + (half === 'p' ? 12 : 0)
  return { hour, minute: Number(match[2] ?? 0) }
}

const POINTING =
  /^(the|a|an|my|your|our|this|that|it|its|them|these|those|his|her|their|same|following|answer|result|text|value|number|word)$/

/** "orb into Search": nothing but a few words without capitals before `into`. The label's own capital is no value then. */
export function isPlainValue(tokens: readonly Token[]): boolean {
  const at = tokens.findLastIndex(({ word, kind }) => kind === 'word' && word === 'into')
  const before = tokens.slice(0, Math.max(0, at))
  const isPlain = before.every(({ kind, capital, word }) => kind === 'word' && !capital && !POINTING.test(word))
  return before.length > 0 && before.length <= 3 && isPlain && tokens.slice(at + 1).every(({ kind }) => kind === 'word')
}
