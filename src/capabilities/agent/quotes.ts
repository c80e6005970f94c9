// Finds the quote that contains a value. A model's value that no line contains is dropped: it is a guess or an injected
// instruction. Pure.
import type { JsonRecord, JsonValue } from './notebook.ts'

const MAX_QUOTE = 240
const MAX_LINES = 20_000

export interface Quoted {
  data: JsonValue
  quotes: Record<string, string>
  dropped: string[]
}

export function quoted(data: JsonValue, markdown: string, mustQuote: boolean): Quoted {
  const lines = markdown.split('\n', MAX_LINES).map((line) => ({ line, plain: plain(line) }))
  const quotes: Record<string, string> = {}
  const dropped: string[] = []
  const keep = (value: JsonValue, path: string): JsonValue => {
    if (Array.isArray(value)) {
      const items = value.map((item, at) => keep(item, join(path, String(at))))
      return mustQuote ? items.filter((item) => item !== null) : items
    }
    if (value !== null && typeof value === 'object') {
      const entries = Object.entries(value).map(([name, one]) => [name, keep(one, join(path, name))] as const)
      return Object.fromEntries(entries) as JsonRecord
    }
    if (value === null || typeof value === 'boolean') return value
    const wanted = plain(String(value))
    const found = wanted === '' ? undefined : lines.find(({ plain: text }) => holds(text, wanted))
    if (found) quotes[path] = readable(found.line).slice(0, MAX_QUOTE)
    else if (mustQuote) {
      dropped.push(path)
      return null
    }
    return value
  }
  return { data: keep(data, ''), quotes, dropped }
}

/**
 * How well a fact supports a value: 2 equals it, 1 contains it in its quote or in a sentence that names it, 0 does not.
 */
export function surety(
  { value, source }: { value: JsonValue; source: { quote: string | null } },
  said: string,
  isSentence: boolean,
): 0 | 1 | 2 {
  const wanted = plain(said)
  const known = plain(typeof value === 'string' ? value : JSON.stringify(value))
  if (wanted === '' || known === '') return 0
  if (wanted === known) return 2
  const [text, part] = isSentence ? [wanted, known] : [plain(source.quote ?? ''), wanted]
  return asWords(text).includes(asWords(part)) ? 1 : 0
}

/** "Room 2" is not in "Room 29". */
const asWords = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** A long text may span lines, so its beginning is enough. */
const holds = (text: string, wanted: string): boolean =>
  stands(text, wanted) || (wanted.length > 60 && text.includes(wanted.slice(0, 60)))

/** Matches whole numbers at either end: 2 is not in 29, but 29.5 is in 29.50. */
function stands(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const isBegun = isDigit(wanted[0]) && isDigit(text[at - 1])
    const end = at + wanted.length
    const goesOn =
      isDigit(wanted.at(-1)) && isDigit(text[end]) && !(wanted.includes('.') && ZEROS.test(text.slice(end, end + 20)))
    if (!isBegun && !goesOn) return true
  }
  return false
}

const ZEROS = /^0+(?!\d)/
const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9'

/** The visible words of a line. */
const readable = (line: string): string =>
  line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`\\]+/g, '')
    .replace(/^[\s#>:|-]+|[\s|]+$/g, '')

/** Without markdown syntax and thousands separators. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/!?\[([^\]]*)\]\(([^)]*)\)/g, '$1 $2')
    .replace(/[*_`#>|\\]/g, ' ')
    .replace(/(?<=\d)[,\s](?=\d{3}\b)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
