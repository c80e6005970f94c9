// The page state for a model between two steps: URL, what is new, and the relevant lines of a long page. Pure.
import { tokensIn } from '../../fetch/chrome/snapshot/snapshot-text.ts'

export interface PageSummary {
  url: string
  title: string
  /** The whole page, one line per element with its ref. */
  snapshot: string
}

/** Tokens of the page's lines in one request, so that a step takes at most 900 with its prompt and schema. */
const MAX_TOKENS = 320
/** More new lines than this are a new page in all but its address, and are not marked. */
const MAX_NEW = 12
const MAX_LINE = 120
const STRUCTURE = /\b(?:dialog|alertdialog|alert|status|heading)\b/

/** `whole`: the model requested the full page. */
export function summaryText(
  summary: PageSummary,
  before: PageSummary | undefined,
  task: string,
  whole: boolean,
): string {
  const lines = summary.snapshot.split('\n')
  const known = new Set(before?.snapshot.split('\n'))
  const fresh = before ? lines.filter((line) => !known.has(line)) : []
  const isElsewhere = before !== undefined && before.url !== summary.url
  const marked = new Set(!isElsewhere && fresh.length <= MAX_NEW ? fresh : [])
  const news = isElsewhere
    ? [`New page; it was at ${before.url.slice(0, MAX_LINE)} before.`]
    : [
        ...(before && fresh.length === 0 ? ['Nothing changed since the last step.'] : []),
        ...(marked.size > 0 ? ['Lines with + are new since the last step.'] : []),
      ]
  const shown = whole ? lines.map((line) => lineOf(line, marked)) : chosen(lines, new Set(fresh), marked, wordsOf(task))
  return [`At ${summary.url.slice(0, MAX_LINE)} “${summary.title}”`, ...news, ...shown].join('\n')
}

const lineOf = (line: string, marked: ReadonlySet<string>): string =>
  `${marked.has(line) ? '+ ' : ''}${line.slice(0, MAX_LINE)}`

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []

/** The most relevant lines in page order; omitted ones are counted in place. */
function chosen(
  lines: readonly string[],
  fresh: ReadonlySet<string>,
  marked: ReadonlySet<string>,
  words: readonly string[],
): string[] {
  const worth = lines.map((line) => {
    const low = line.toLowerCase()
    const hits = words.filter((word) => low.includes(word)).length
    return hits * 2 + (fresh.has(line) ? 3 : 0) + (STRUCTURE.test(line) ? 2 : 0) + (/@e\d/.test(line) ? 1 : 0)
  })
  const order = lines.map((_, n) => n).sort((a, b) => worth[b]! - worth[a]! || a - b)
  const kept = new Set<number>()
  let left = MAX_TOKENS
  for (const n of order) {
    left -= tokensIn(lines[n]!.slice(0, MAX_LINE)) + 2
    if (left < 0) break
    kept.add(n)
  }
  const shown: string[] = []
  for (let n = 0, gap = 0; n <= lines.length; n++) {
    if (n < lines.length && !kept.has(n)) {
      gap += 1
      continue
    }
    if (gap > 0) shown.push(`… ${gap} lines`)
    gap = 0
    if (n < lines.length) shown.push(lineOf(lines[n]!, marked))
  }
  return shown
}

/** Role and name of a ref's element: `button "Add to cart"`. */
export function nameOf(ref: string, snapshot: string): string | undefined {
  const at = snapshot.indexOf(`${ref.startsWith('@') ? ref : `@${ref}`} `)
  if (at < 0) return undefined
  const line = snapshot.slice(at).split('\n', 1)[0]!
  return /^@e\d+ (\S+(?: "[^"]*")?)/.exec(line)?.[1]
}

/** Whether the element is a password field. */
export const isSecret = (ref: string, snapshot: string): boolean => {
  const at = snapshot.indexOf(`${ref} `)
  return at >= 0 && /= "•/.test(snapshot.slice(at).split('\n', 1)[0]!)
}

export const openDialog = (snapshot: string): string | undefined =>
  /^\s*@e\d+ (?:alert)?dialog(?: "([^"]*)")?/m
    .exec(snapshot)
    ?.slice(1)
    .map((name) => name ?? 'dialog')[0]
