// Checks what a model removed from a page's markdown. Its answer only selects lines: the text is copied from the page.
import { blankLinkTargets } from '../base/blank-link-targets.ts'

/** Words of content that may go: a notice, an invitation to subscribe. */
const [MAX_REMOVED_WORDS, MAX_REMOVED_SHARE, MAX_CHANGED_SHARE] = [25, 0.15, 0.05]
const MIN_WORDS_OF_CONTENT = 6

/** The lines of the page that the model kept, or why its answer is not used. */
export function keepCleanedLines(page: string, cleaned: string): { text: string } | { because: string } {
  const given = countLines(cleaned)
  let [removed, changed] = [0, 0]
  const lines = page.split('\n').filter((line) => {
    const key = keyOf(line)
    if (key === '' || take(given, key)) return true
    removed += wordsOfContent(line)
    return false
  })
  for (const [key, times] of given) changed += key.split(' ').length * times
  const total = page.split('\n').reduce((sum, line) => sum + wordsOfContent(line), 0)
  if (changed > Math.max(MIN_WORDS_OF_CONTENT, keyOf(cleaned).split(' ').length * MAX_CHANGED_SHARE))
    return { because: `it changed ${changed} words` }
  if (removed > Math.min(total / 2, Math.max(MAX_REMOVED_WORDS, total * MAX_REMOVED_SHARE)))
    return { because: `it removed ${removed} of the page's ${total} words` }
  const text = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return text === '' ? { because: 'it removed everything' } : { text }
}

const keyOf = (line: string): string =>
  blankLinkTargets(line)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) {
    const key = keyOf(line)
    if (key !== '') counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

function take(counts: Map<string, number>, key: string): boolean {
  const times = counts.get(key)
  if (times === undefined) return false
  if (times > 1) counts.set(key, times - 1)
  else counts.delete(key)
  return true
}

/** Words outside of links, of lines that say something: sentences, headings, rows of tables, amounts. */
function wordsOfContent(line: string): number {
  const words = keyOf(line.replace(/!?\[[^\]]*\]\([^)]*\)/g, ' '))
  if (words === '') return 0
  const { length } = words.split(' ')
  return length >= MIN_WORDS_OF_CONTENT || /^\s*[#|]|\d/.test(line) ? length : 0
}
