// Escapes only characters that CommonMark or GFM would interpret: `snake_case` and `a[0]` stay unchanged.

const NEEDS_LOOK = /[\\`*_[\]<&~]/
const SPECIAL = /[\\`*[\]<&]|_+|~+/g
const PUNCTUATION = /[!-/:-@[-`{-~]/
const WORD = /[\p{L}\p{N}]/u
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iy

export function escapeMarkdownText(text: string, inLink: boolean): string {
  if (!NEEDS_LOOK.test(text)) return text
  return text.replace(SPECIAL, (found, at: number) => {
    const before = text[at - 1]
    const after = text[at + found.length]
    switch (found) {
      case '\\':
        return after === undefined || PUNCTUATION.test(after) ? '\\\\' : '\\'
      case '`':
        return '\\`'
      case '*':
        return before === ' ' && after === ' ' ? '*' : '\\*'
      case '[':
        return inLink ? '\\[' : '['
      case ']':
        return inLink || after === '(' ? '\\]' : ']'
      case '<':
        return after !== undefined && /[a-z/!?]/i.test(after) ? '\\<' : '<'
      case '&':
        ENTITY.lastIndex = at
        return ENTITY.test(text) ? '\\&' : '&'
    }
    if (found.startsWith('_') && isPlainBetween(before, after)) return found
    if (found === '~' && !endsStrike(text, at)) return found
    return `\\${found[0]}`.repeat(found.length)
  })
}

/** Underscores within a word or between blanks are no emphasis. */
const isPlainBetween = (before = '', after = ''): boolean =>
  (WORD.test(before) && WORD.test(after)) || (before === ' ' && after === ' ')

/** GFM also strikes between single tildes; one that cannot end a strike needs no escape. */
function endsStrike(text: string, at: number): boolean {
  const before = text[at - 1] ?? ' '
  const isAtWordEnd = WORD.test(before) || !WORD.test(text[at + 1] ?? ' ')
  return before !== ' ' && isAtWordEnd && text.lastIndexOf('~', at - 1) >= 0
}

/** Escapes syntax that is special only at the start of a line: headings, bullets, numbers, quotes, rules. */
export function escapeLineStart(line: string): string {
  switch (line.charCodeAt(0)) {
    case 0x23: // #
      return /^#{1,6}(?:\s|$)/.test(line) ? `\\${line}` : line
    case 0x2a: // *
      return /^\*(?:\s|$)/.test(line) ? `\\${line}` : line
    case 0x2b: // +
      return /^\+(?:\s|$)/.test(line) ? `\\${line}` : line
    case 0x2d: // -
      return /^(?:-(?:\s|$)|-[- ]*$)/.test(line) ? `\\${line}` : line
    case 0x3d: // =
      return /^=+\s*$/.test(line) ? `\\${line}` : line
    case 0x3e: // >
      return `\\${line}`
    case 0x5b: // [
      return /^\[(?:[^\]\\]|\\.){1,200}\]:/.test(line) ? `\\${line}` : line
  }
  const code = line.charCodeAt(0)
  if (code >= 0x30 && code <= 0x39) return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
  return line
}

/** With the blank before it, to follow an address. */
export const writeLinkTitle = (title: string): string => ` "${title.replace(/["\\]|&(?=#?\w{1,32};)/g, '\\$&')}"`

export function escapeMarkdownUrl(url: string): string {
  let made = url.replace(/&(?=#?\w{1,32};)/g, '&amp;')
  if (/[\s<>\\]/.test(made)) made = made.replace(/[\s<>\\]/g, (char) => encodeURIComponent(char))
  // Encoded, not `\(`: whatever looks for the address in text takes it as it is written.
  return hasBalancedParentheses(made) ? made : made.replaceAll('(', '%28').replaceAll(')', '%29')
}

function hasBalancedParentheses(url: string): boolean {
  let depth = 0
  for (let at = 0; at < url.length; at++) {
    const code = url.charCodeAt(at)
    if (code === 0x28) depth++
    else if (code === 0x29 && --depth < 0) return false
    // CommonMark parsers limit the nesting of parentheses.
    if (depth > 3) return false
  }
  return depth === 0
}

/** The fence is longer than any run of backticks inside. */
export function writeCodeSpan(code: string): string {
  let longest = 0
  for (const run of code.match(/`+/g) ?? []) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  // Parsers remove one blank at each end.
  const pad = /^`|`$|^ .* $/.test(code) ? ' ' : ''
  return `${fence}${pad}${code}${pad}${fence}`
}
