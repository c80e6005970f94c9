// The addresses and titles of markdown links are not words of a page.

/** `escape-markdown.ts` encodes what is deeper. Unclosed brackets reach it soon, so that `](` repeated takes linear time. */
const MAX_DEPTH = 3
const TITLE = /\s"[^"\\]*(?:\\[\s\S][^"\\]*)*"\)/y

/** With blanks in place of them, so that every word stays where it is. */
export function blankLinkTargets(text: string): string {
  let blanked = ''
  let from = 0
  for (let at = text.indexOf(']('); at !== -1; at = text.indexOf('](', Math.max(from, at + 2))) {
    const end = endOfTarget(text, at + 2)
    if (end === undefined) continue
    blanked += text.slice(from, at) + ' '.repeat(end - at)
    from = end
  }
  return blanked + text.slice(from)
}

function endOfTarget(text: string, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!
    if (sign === '(' && ++depth > MAX_DEPTH) return undefined
    if (sign === ')' && --depth < 0) return at + 1
    if (sign <= ' ') {
      TITLE.lastIndex = at
      return depth === 0 && TITLE.test(text) ? TITLE.lastIndex : undefined
    }
  }
  return undefined
}
