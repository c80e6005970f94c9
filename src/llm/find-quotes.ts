// Finds the passages that a model quotes by their words, so that markup, punctuation and line breaks may differ, and
// returns them as the page has them.
import { blankLinkTargets } from '../base/blank-link-targets.ts'

const MIN_WORDS = 4
/** Words at both ends of a long quote that must be there; the middle may differ a little. */
const END_WORDS = 5
const MAX_STRETCH = 1.3

interface Words {
  /** Lower case, each with a blank before and after. */
  joined: string
  /** Where each word begins in `joined`, and where it is in the text. */
  starts: Map<number, number>
  spans: { from: number; to: number }[]
}

/** In the order of the page; quotes that are not there are left out. */
export function findQuotes(quotes: readonly unknown[], text: string): string[] {
  const page = wordsOf(text)
  const spans = quotes
    .filter((quote): quote is string => typeof quote === 'string')
    .flatMap((quote) => spanOf(wordsOf(quote), page) ?? [])
    .sort((one, other) => one.from - other.from)
  const passages = spans.map(({ from, to }) => {
    const [ending = ''] = /^[*_`]*[.!?…)\]"'”’»]*/.exec(text.slice(to, to + 10)) ?? []
    return text.slice(from, to + ending.length).replace(/\s*\n\s*/g, ' ')
  })
  return [...new Set(passages)]
}

interface FoundWords {
  from: number
  to: number
  /** Character for character, but for white space. */
  isVerbatim: boolean
}

/** The same words in the same order; markup, punctuation, case and line breaks may differ. Undefined: not there. */
export function makeWordFinder(text: string): (quote: string) => FoundWords | undefined {
  const page = wordsOf(text)
  const normaliseQuote = (part: string) => part.replace(/\s+/g, ' ').trim()
  return (quote) => {
    const wanted = wordsOf(quote)
    const whole = wanted.spans.length > 0 ? page.starts.get(page.joined.indexOf(wanted.joined)) : undefined
    if (whole === undefined) return undefined
    const [from, to] = [page.spans[whole]!.from, page.spans[whole + wanted.spans.length - 1]!.to]
    const inner = quote.slice(wanted.spans[0]!.from, wanted.spans.at(-1)!.to)
    return { from, to, isVerbatim: normaliseQuote(text.slice(from, to)) === normaliseQuote(inner) }
  }
}

export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

function wordsOf(text: string): Words {
  const spans: Words['spans'] = []
  const starts: Words['starts'] = new Map()
  const parts: string[] = []
  let at = 0
  for (const { 0: word, index } of blankLinkTargets(text).matchAll(/[\p{L}\p{N}]+/gu)) {
    starts.set(at, spans.length)
    spans.push({ from: index, to: index + word.length })
    parts.push(word.toLowerCase())
    at += parts.at(-1)!.length + 1
  }
  return { joined: ` ${parts.join(' ')} `, starts, spans }
}

function spanOf(quote: Words, page: Words): { from: number; to: number } | undefined {
  const { length } = quote.spans
  if (length === 0) return undefined
  const whole = page.starts.get(page.joined.indexOf(quote.joined))
  if (whole !== undefined) return { from: page.spans[whole]!.from, to: page.spans[whole + length - 1]!.to }
  if (length < MIN_WORDS + END_WORDS) return undefined
  const words = quote.joined.trim().split(' ')
  const first = page.starts.get(page.joined.indexOf(` ${words.slice(0, END_WORDS).join(' ')} `))
  if (first === undefined) return undefined
  const behind = page.joined.indexOf(` ${words.slice(-END_WORDS).join(' ')} `, offsetOf(page, first))
  const last = page.starts.get(behind)
  if (last === undefined || last + END_WORDS - first > length * MAX_STRETCH) return undefined
  return { from: page.spans[first]!.from, to: page.spans[last + END_WORDS - 1]!.to }
}

function offsetOf({ starts }: Words, word: number): number {
  for (const [at, n] of starts) if (n === word) return at
  return 0
}
