// The words of a prompt: quoted texts, addresses, dates, times, numbers and key names are one token each.

import { isWeakWord, labelWordsOf } from '../driving/match-label-words.ts'

type TokenKind = 'word' | 'vault' | 'quote' | 'email' | 'url' | 'date' | 'time' | 'number' | 'key' | 'mark'

export interface PromptToken {
  kind: TokenKind
  /** As it was written. */
  raw: string
  /** Lower case; for a quotation its content as written. */
  word: string
  /** The token's text; for a quotation, without its quotation marks. */
  value: string
  /** Begins with a capital letter, as names do. */
  capital: boolean
  from: number
  to: number
  /** In brackets, or of a sentence that only explains the request: it helps to choose, but needs no place on the page. */
  soft?: 'aside' | 'background'
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const DAY = '(?:3[01]|[12]\\d|0?[1-9])'

const SHAPES: [TokenKind, string][] = [
  [
    'quote',
    `"[^"\\n]*"|“[^”\\n]*”|«[^»\\n]*»|„[^“”\\n]*[“”]|‘[^’\\n]*’|\`[^\`\\n]*\`|(?<![\\p{L}\\p{N}])'[^'\\n]+'(?![\\p{L}\\p{N}])`,
  ],
  ['vault', 'vault:[\\p{L}\\p{N}._-]*[\\p{L}\\p{N}]'],
  ['url', 'https?://[^\\s"<>]*[^\\s"<>.,;:!?)]'],
  ['email', '[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+'],
  [
    'date',
    `\\d{4}-\\d{1,2}-\\d{1,2}|\\d{1,2}[/.]\\d{1,2}[/.]\\d{4}|${DAY}(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b\\.?(?:,? \\d{4})?|${MONTH}\\b\\.? ${DAY}(?:st|nd|rd|th)?\\b(?:,? \\d{4})?`,
  ],
  ['time', '\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[ap]\\.?m\\b\\.?)?|\\d{1,2} ?[ap]m\\b'],
  ['key', '(?:(?:ctrl|control|cmd|command|alt|option|shift|meta) ?\\+ ?)+(?:[\\p{L}\\p{N}]+|[^\\s\\p{L}\\p{N}.,])'],
  // Telephone numbers: groups of digits, the first with a nought or a plus.
  ['number', '(?:\\+|\\b0)\\d+(?:[ -]\\d{2,})+'],
  // A secret may end in a mark that ends sentences elsewhere.
  ['word', '(?=[^\\s"]*\\p{L})(?=[^\\s"]*\\d)[\\p{L}\\p{N}]+[!?#$%&*=]+(?=[\\s,.;]|$)'],
  ['number', '[-−]?(?:[$€£] ?)?\\d+(?:[,.]\\d+)*(?: ?%|(?![\\p{L}\\p{N}]))(?!:)'],
  ['word', "[@#.]?[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}'’_@/&#$*-]*(?:\\.[\\p{L}\\p{N}]+)*|\\p{Extended_Pictographic}"],
  ['mark', '[^\\s]'],
]
const SHAPE = new RegExp(SHAPES.map(([, shape]) => `(${shape})`).join('|'), 'giu')

export function tokenizePrompt(prompt: string): PromptToken[] {
  const tokens = [...prompt.matchAll(SHAPE)].map((match): PromptToken => {
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
  // "from 4 to 9 July 2027": the first day is of the same month.
  return tokens.map((token, at) => {
    const [link, date] = tokens.slice(at + 1, at + 3)
    const month =
      date?.kind === 'date' && /^(to|and|until|till|-|–)$/.test(link!.word) ? /^\d+ (\D.*)$/.exec(date.value) : null
    return token.kind === 'number' && month && /^\d{1,2}$/.test(token.value)
      ? { ...token, kind: 'date' as const, value: `${token.value} ${month[1]}` }
      : token
  })
}

/** The text of some tokens as in the prompt. A single token gives its value: quoted text without its quotation marks. */
export function textOfTokens(tokens: readonly PromptToken[], prompt: string): string {
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (!first || !last) return ''
  if (tokens.length === 1) return first.value
  if (last.to < first.from) return joinTokenValues(tokens)
  return prompt.slice(first.from, last.to).trim()
}

export const joinTokenValues = (tokens: readonly PromptToken[]): string => tokens.map(({ value }) => value).join(' ')

/** Words that say which element is meant. */
export const strongWordsOf = (tokens: readonly PromptToken[]): string[] =>
  labelWordsOf(joinTokenValues(tokens)).filter((word) => !isWeakWord(word))
