// Splits markdown into blocks with their headings. It reads lines, not HTML, and keeps source positions for verbatim
// quotes.

type BlockKind = 'text' | 'list' | 'table' | 'code' | 'heading'

export interface MarkdownBlock {
  kind: BlockKind
  /** `slice(start, end)` of the markdown is its source. */
  start: number
  end: number
  /** The headings above it, outermost first, as plain text. */
  headings: readonly string[]
  lines: readonly SourceLine[]
}

export type SourceLine = { start: number; end: number }

const HEADING = /^ {0,3}(#{1,6})[ \t]+(?=\S)/
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,9}[.)])[ \t]+/
const FENCE = /^\s*(`{3,}|~{3,})/
const TABLE_LINE = /^\s*\|/
const RULE = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|(?:=\s*){3,})$/

/** All blocks in order, without rules and blank lines. */
export function splitIntoBlocks(markdown: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  const headings: { level: number; text: string }[] = []
  let open: { kind: BlockKind; lines: SourceLine[]; fence?: string } | undefined
  const close = () => {
    if (!open) return
    const { kind, lines } = open
    const [{ start }, { end }] = [lines[0]!, lines.at(-1)!] as const
    blocks.push({ kind, lines, start, end, headings: headings.map(({ text }) => text) })
    open = undefined
  }
  const add = (kind: BlockKind, line: SourceLine) => {
    if (open?.kind !== kind) close()
    if (open) open.lines.push(line)
    else open = { kind, lines: [line] }
  }
  for (const line of linesOf(markdown)) {
    const text = markdown.slice(line.start, line.end)
    if (open?.fence) {
      open.lines.push(line)
      if (text.trim().startsWith(open.fence)) close()
      continue
    }
    const fence = FENCE.exec(text)?.[1]
    const heading = HEADING.exec(text)
    if (fence) {
      close()
      open = { kind: 'code', lines: [line], fence }
    } else if (text.trim() === '' || RULE.test(text)) {
      // A list may continue after a blank line; only the next line decides.
      if (open?.kind !== 'list' || RULE.test(text)) close()
    } else if (heading) {
      close()
      const level = heading[1]!.length
      while (headings.length > 0 && headings.at(-1)!.level >= level) headings.pop()
      add('heading', line)
      close()
      headings.push({ level, text: stripMarkdown(text.slice(heading[0].length)) })
    } else if (TABLE_LINE.test(text)) add('table', line)
    else if (LIST_ITEM.test(text) || (open?.kind === 'list' && /^\s{2,}/.test(text))) add('list', line)
    else if (open?.kind === 'list' && line.start === open.lines.at(-1)!.end + 1) open.lines.push(line)
    else add('text', line)
  }
  close()
  return blocks
}

/** The items of a list: each begins with its marker. */
export function listItemsOf(markdown: string, { lines }: MarkdownBlock): SourceLine[] {
  const items: SourceLine[] = []
  for (const line of lines) {
    const last = items.at(-1)
    if (!last || LIST_ITEM.test(markdown.slice(line.start, line.end))) items.push({ ...line })
    else last.end = line.end
  }
  return items
}

export const removeListMark = (item: string): string => item.replace(LIST_ITEM, '').replace(/^\[[ xX]\]\s+/, '')

/** The cells of a table line as plain text. An escaped bar does not end a cell. */
export function tableCellsOf(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  const inner = line.trim().replace(/^\|/, '')
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === '\\' && at + 1 < inner.length) cell += inner[at]! + inner[++at]!
    else if (inner[at] === '|') {
      cells.push(stripMarkdown(cell))
      cell = ''
    } else cell += inner[at]
  }
  if (cell.trim() !== '') cells.push(stripMarkdown(cell))
  return cells
}

/** The line under a table's header: only dashes, colons and bars. */
export const isTableSeparatorLine = (line: string): boolean => /^[\s|:-]+$/.test(line) && line.includes('-')

function* linesOf(markdown: string): Generator<SourceLine> {
  let start = 0
  while (start < markdown.length) {
    const newline = markdown.indexOf('\n', start)
    const end = newline < 0 ? markdown.length : newline
    yield { start, end: markdown[end - 1] === '\r' && end > start ? end - 1 : end }
    start = end + 1
  }
}

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
