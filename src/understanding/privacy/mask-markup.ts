// Builds the text views for detectors. Markup and addresses are overwritten character by character, so offsets equal
// those of the text, and digits in addresses do not match.
import { MASK_CHARACTER, type MaskedText } from './privacy-finding.ts'

export type TextKind = 'markdown' | 'html'

const ADDRESS = /\b(?:https?|ftp|data):[^\s<>"'`)\]]{1,4000}/g
const MARKS = /[*`~|#>]|\\(?=[^\p{L}\p{N}\s])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

export function maskMarkup(text: string, kind: TextKind): MaskedText {
  const struck = kind === 'html' ? withoutTags(text) : text
  const words = struck.replace(ADDRESS, strike)
  return { words: kind === 'html' ? words : words.replace(MARKS, strike), all: text }
}

const strike = (stretch: string): string => MASK_CHARACTER.repeat(stretch.length)

/** Overwrites scripts, styles and tags in one pass; an unclosed tag is text. */
function withoutTags(html: string): string {
  const out: string[] = []
  // Element names without a further closing tag, searched once; otherwise a page of opening tags would take quadratic
  // time.
  const unclosed = new Set<string>()
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    out.push(html.slice(at, open))
    const hidden = /^<(script|style)\b/i.exec(html.slice(open, open + 8))?.[1]
    const end = hidden ? endOf(html, open, hidden.toLowerCase(), unclosed) : html.indexOf('>', open)
    if (end < 0) {
      at = open
      break
    }
    out.push(MASK_CHARACTER.repeat(end + 1 - open))
    at = end + 1
  }
  out.push(html.slice(at))
  return out.join('')
}

function endOf(html: string, open: number, name: string, unclosed: Set<string>): number {
  if (!unclosed.has(name)) {
    const close = new RegExp(`</${name}`, 'gi')
    close.lastIndex = open
    const found = close.exec(html)
    if (found) return html.indexOf('>', found.index)
    unclosed.add(name)
  }
  return html.indexOf('>', open)
}
