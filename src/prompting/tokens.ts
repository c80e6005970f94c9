// The words of a prompt: quoted texts, addresses, dates, times, numbers and key names are one token each, so that no
// rule further on cuts them in two. Pure.

type TokenKind = 'word' | 'vault' | 'quote' | 'email' | 'url' | 'date' | 'time' | 'number' | 'key' | 'mark'

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
    `\\d{4}-\\d{1,2}-\\d{1,2}|\\d{1,2}[/.]\\d{1,2}[/.]\\d{4}|${DAY}(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b\\.?,?(?: \\d{4})?|${MONTH}\\b\\.? ${DAY}(?:st|nd|rd|th)?\\b(?:,? \\d{4})?`,
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

/** The values of some tokens, joined by spaces. */
export const joined = (tokens: readonly Token[]): string => tokens.map(({ value }) => value).join(' ')
