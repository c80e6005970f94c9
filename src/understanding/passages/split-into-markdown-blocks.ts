// Splits markdown into blocks with their headings. It reads lines, not HTML, and keeps source positions for verbatim
// quotes.
import { stripMarkdown } from './strip-markdown.ts'

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

export interface SourceLine {
  start: number
  end: number
}

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
    blocks.push({
      kind,
      lines,
      start: lines[0]!.start,
      end: lines.at(-1)!.end,
      headings: headings.map(({ text }) => text),
    })
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
