// The page state for a model between two steps: URL, what is new, and the relevant lines of a long page.

export interface PageStateSnapshot {
  url: string
  title: string
  /** The whole page, one line per element with its ref. */
  snapshot: string
}

/** Characters of the page in one request: about 450 tokens. */
const MAX_PAGE_CHARS = 1800
const MAX_NEW = 12
const MAX_LINE = 160
/** Lines between words and a control that belongs to them. */
const MAX_LINES_TO_CONTROL = 3
const STRUCTURE = /\b(?:dialog|alertdialog|alert|status|heading)\b/

/** `whole`: the model requested the full page. */
export function writePageStateForModel(
  summary: PageStateSnapshot,
  before: PageStateSnapshot | undefined,
  task: string,
  whole: boolean,
): string {
  const lines = summary.snapshot.split('\n')
  const known = new Set(before?.snapshot.split('\n'))
  const fresh = before ? lines.filter((line) => !known.has(line)) : []
  const isElsewhere = before !== undefined && before.url !== summary.url
  const news = isElsewhere
    ? [`New page; it was at ${before.url} before.`]
    : [
        ...(before && fresh.length === 0 ? ['Nothing changed since the last step.'] : []),
        ...(fresh.length > 0 && fresh.length <= MAX_NEW
          ? ['New since the last step:', ...fresh.map(trimLine), '']
          : []),
      ]
  const shown = whole ? lines : chooseLines(lines, new Set(fresh), wordsOf(task))
  return [`At ${summary.url} “${summary.title}”`, ...news, ...shown].join('\n')
}

const trimLine = (line: string): string => line.trim().slice(0, MAX_LINE)

/** Numbers of any length are kept, because they distinguish rows. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}[\p{L}\p{N}]{2,}|\p{N}+/gu) ?? []

/** The most relevant lines in page order; omitted ones are counted in place. */
function chooseLines(lines: readonly string[], fresh: ReadonlySet<string>, words: readonly string[]): string[] {
  const hits = lines.map((line) => {
    const low = line.replace(/@e\d+/, '').toLowerCase()
    return words.filter((word) => low.includes(word)).length
  })
  const worth = lines.map((line, n) => {
    const isControl = /@e\d/.test(line)
    // A control belongs to the words just above it, such as the button of a row.
    const above = isControl ? Math.max(0, ...hits.slice(Math.max(0, n - MAX_LINES_TO_CONTROL), n)) : 0
    return (hits[n]! + above) * 2 + (fresh.has(line) ? 3 : 0) + (STRUCTURE.test(line) ? 2 : 0) + (isControl ? 1 : 0)
  })
  const order = lines.map((_, n) => n).sort((a, b) => worth[b]! - worth[a]! || a - b)
  const kept = new Set<number>()
  let left = MAX_PAGE_CHARS
  for (const n of order) {
    left -= Math.min(MAX_LINE, lines[n]!.length) + 1
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
    if (n < lines.length) shown.push(lines[n]!.slice(0, MAX_LINE))
  }
  return shown
}

/** Role and name of a ref's element: `button "Add to cart"`. */
export function describeRef(ref: string, snapshot: string): string | undefined {
  const at = snapshot.indexOf(`${ref.startsWith('@') ? ref : `@${ref}`} `)
  if (at < 0) return undefined
  const line = snapshot.slice(at).split('\n', 1)[0]!
  return /^@e\d+ (\S+(?: "[^"]*")?)/.exec(line)?.[1]
}

export const isPasswordRef = (ref: string, snapshot: string): boolean => {
  const at = snapshot.indexOf(`${ref} `)
  return at >= 0 && /= "•/.test(snapshot.slice(at).split('\n', 1)[0]!)
}

export const findOpenDialog = (snapshot: string): string | undefined =>
  /^\s*@e\d+ (?:alert)?dialog(?: "([^"]*)")?/m
    .exec(snapshot)
    ?.slice(1)
    .map((name) => name ?? 'dialog')[0]
