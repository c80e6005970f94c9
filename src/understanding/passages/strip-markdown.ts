// Strips markdown to its visible words: no emphasis, URLs or images. One pass.

/** Longer URLs are not scanned to their end: an unmatched bracket must stay cheap. */
const MAX_URL_CHARS = 4000
const TAKEN_OUT = /^<(?:PERSON|EMAIL|PHONE|LOCATION|FINANCIAL|SECRET)>/
const ESCAPABLE = /[!-/:-@[-`{-~]/

/** The visible text of a piece of markdown, with collapsed white space. */
export function stripMarkdown(markdown: string): string {
  const out: string[] = []
  const open: { at: number; image: boolean }[] = []
  for (let at = 0; at < markdown.length; at++) {
    const char = markdown[at]!
    if (char === '\\' && ESCAPABLE.test(markdown[at + 1] ?? '')) out.push(markdown[++at]!)
    else if (char === '!' && markdown[at + 1] === '[') {
      open.push({ at: out.length, image: true })
      at++
    } else if (char === '[') open.push({ at: out.push(char) - 1, image: false })
    else if (char === ']') at = closeBracket(markdown, at, out, open)
    else if (char === '<') at = skipTag(markdown, at, out)
    else if (char === '`' || char === '*' || (char === '#' && isHeadingMark(markdown, at))) continue
    else if (char === '_' && !(isWord(markdown[at - 1]) && isWord(markdown[at + 1]))) continue
    else if (char === '~' && markdown[at + 1] === '~') at++
    else out.push(char)
  }
  return out.join('').replace(/\s+/g, ' ').trim()
}

const MAX_LEVEL = 6
const MAX_INDENT = 40

function isHeadingMark(markdown: string, at: number): boolean {
  let [from, to] = [at, at]
  while (markdown[from - 1] === '#' && at - from < MAX_LEVEL) from--
  while (markdown[to + 1] === '#' && to - at < MAX_LEVEL) to++
  if (to - from >= MAX_LEVEL || (markdown[to + 1] !== ' ' && to + 1 < markdown.length)) return false
  for (let blanks = 0; markdown[from - 1] === ' ' && blanks < MAX_INDENT; blanks++) from--
  return from === 0 || markdown[from - 1] === '\n'
}

/** A link leaves its text, an image nothing; any other bracket stays. */
function closeBracket(markdown: string, at: number, out: string[], open: { at: number; image: boolean }[]): number {
  const opened = open.pop()
  const end = markdown[at + 1] === '(' ? targetEnd(markdown, at + 2) : -1
  if (!opened || end < 0) {
    out.push(']')
    return at
  }
  if (opened.image) out.length = opened.at
  else out[opened.at] = ''
  return end
}

function targetEnd(markdown: string, from: number): number {
  const until = Math.min(markdown.length, from + MAX_URL_CHARS)
  let depth = 0
  for (let at = from; at < until; at++) {
    const char = markdown[at]
    if (char === '\\') at++
    else if (char === '\n') return -1
    else if (char === '(') depth++
    else if (char === ')' && depth-- === 0) return at
  }
  return -1
}

/** `<br>` and similar separate words; `<https://…>` is a URL; a lone `<` is text. */
function skipTag(markdown: string, at: number, out: string[]): number {
  if (!/[a-z/!]/i.test(markdown[at + 1] ?? '')) {
    out.push('<')
    return at
  }
  // Redaction placeholders stay readable.
  const tag = TAKEN_OUT.exec(markdown.slice(at, at + 12))?.[0]
  if (tag) {
    out.push(tag)
    return at + tag.length - 1
  }
  const end = markdown.slice(at, at + 300).indexOf('>')
  if (end < 0) {
    out.push('<')
    return at
  }
  out.push(' ')
  return at + end
}

const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)
