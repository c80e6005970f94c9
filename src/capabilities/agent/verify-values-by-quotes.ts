// Finds the quote that contains a value. A model's values are verified against the page: unsupported ones are kept and
// marked, except those that one wrong letter invalidates.
import { makeEvidenceIndex } from '../../understanding/verify/page-evidence.ts'
import { findUnsupportedClaims, verifyValue } from '../../understanding/verify/verify-values.ts'
import type { JsonValue } from './notebook.ts'

const MAX_QUOTE = 240
const MAX_LINES = 20_000

interface Quoted {
  data: JsonValue
  quotes: Record<string, string>
  /** Paths of a model's values that the page does not say in so many words. */
  doubted: string[]
  /** Paths of URLs, e-mails, phone numbers and ids that are not on the page. */
  dropped: string[]
}

/** Values that rules read from the page itself. */
export function findQuotes(data: JsonValue, markdown: string): Quoted {
  const lines = markdown.split('\n', MAX_LINES).map((line) => ({ line, plain: normaliseText(line) }))
  const quotes: Record<string, string> = {}
  const find = (value: JsonValue, path: string): void => {
    if (value !== null && typeof value === 'object') {
      for (const [name, one] of Object.entries(value)) find(one as JsonValue, join(path, name))
      return
    }
    if (value === null || typeof value === 'boolean') return
    const wanted = normaliseText(String(value))
    const found = wanted === '' ? undefined : lines.find(({ plain: text }) => containsValue(text, wanted))
    if (found) quotes[path] = removeMarkup(found.line).slice(0, MAX_QUOTE)
  }
  find(data, '')
  return { data, quotes, doubted: [], dropped: [] }
}

/** Values that a model read; `texts`: all that the page says, its metadata and structured data included. */
export function verifyValuesByQuotes(data: JsonValue, texts: readonly string[], schema: unknown): Quoted {
  const { value, checks } = verifyValue(data, makeEvidenceIndex(texts), schema)
  const quotes = Object.fromEntries(checks.flatMap(({ path, quote }) => (quote === undefined ? [] : [[path, quote]])))
  const unsure = checks.filter(({ isVerified }) => !isVerified)
  return {
    data: value as JsonValue,
    quotes,
    doubted: unsure.flatMap(({ path, isDropped }) => (isDropped ? [] : [path])),
    dropped: unsure.flatMap(({ path, isDropped }) => (isDropped ? [path] : [])),
  }
}

/** An answer in words is doubted as a whole when it states what the page does not say. */
export function verifyAnswer(answer: JsonValue, texts: readonly string[]): Quoted {
  const isDoubted = typeof answer === 'string' && findUnsupportedClaims(answer, makeEvidenceIndex(texts)).length > 0
  return { data: answer, quotes: {}, doubted: isDoubted ? [''] : [], dropped: [] }
}

/**
 * How well a fact supports a value: 2 equals it, 1 contains it in its quote or in a sentence that names it, 0 does not.
 */
export function scoreFactSupport(
  { value, source }: { value: JsonValue; source: { quote: string | null } },
  said: string,
  isSentence: boolean,
): 0 | 1 | 2 {
  const wanted = normaliseText(said)
  const known = normaliseText(typeof value === 'string' ? value : JSON.stringify(value))
  if (wanted === '' || known === '') return 0
  if (wanted === known) return 2
  const [text, part] = isSentence ? [wanted, known] : [normaliseText(source.quote ?? ''), wanted]
  return asWords(text).includes(asWords(part)) ? 1 : 0
}

/** "Room 2" is not in "Room 29". */
const asWords = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** A long text may span lines, so its beginning is enough. */
const containsValue = (text: string, wanted: string): boolean =>
  containsWholeValue(text, wanted) || (wanted.length > 60 && text.includes(wanted.slice(0, 60)))

/** Matches whole numbers at either end: 2 is not in 29, but 29.5 is in 29.50. */
function containsWholeValue(text: string, wanted: string): boolean {
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

const removeMarkup = (line: string): string =>
  line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`\\]+/g, '')
    .replace(/^[\s#>:|-]+|[\s|]+$/g, '')

const normaliseText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/!?\[([^\]]*)\]\(([^)]*)\)/g, '$1 $2')
    .replace(/[*_`#>|\\]/g, ' ')
    .replace(/(?<=\d)[,\s](?=\d{3}\b)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
