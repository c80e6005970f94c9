// Splits markdown into passages that can be quoted by themselves: a short section or card, a paragraph, a table row
// with headers, a list item, a label with its value; each with its headings.
import {
  isTableSeparatorLine,
  listItemsOf,
  type MarkdownBlock,
  removeListMark,
  type SourceLine,
  splitIntoBlocks,
  stripMarkdown,
  tableCellsOf,
} from './split-into-markdown-blocks.ts'
import { splitIntoSentences } from './split-into-sentences.ts'

export interface Passage {
  /** Visible text without the headings. */
  text: string
  /** The headings above, outermost first, and an introducing line such as "In the box:". */
  headings: readonly string[]
  /** For a table row: the cells by header; the first is the row's name. */
  cells?: readonly (readonly [header: string, cell: string])[]
  isLinks?: true
  /** Position in the markdown. */
  start: number
  end: number
}

/** A section up to this length is one passage: its lines explain each other. */
const SHORT_SECTION_CHARS = 420
const LONG_TEXT = 420
const SHORT_LIST = 260
/** A line up to this length that does not end like a sentence is a label, price or name and joins its neighbours. */
const SHORT_LINE_CHARS = 70
const MAX_PASSAGE = 1200
const MAX_PASSAGES = 3000
/** Maximum characters read; ten times the longest article. */
const MAX_MARKDOWN_CHARS = 2_000_000

export function splitIntoPassages(markdown: string): Passage[] {
  const source = markdown.length > MAX_MARKDOWN_CHARS ? markdown.slice(0, MAX_MARKDOWN_CHARS) : markdown
  const passages: Passage[] = []
  for (const section of sectionsOf(splitIntoBlocks(source))) {
    addSection(source, section, passages)
    if (passages.length > MAX_PASSAGES) break
  }
  return passages.slice(0, MAX_PASSAGES)
}

/** Blocks between two headings. */
function sectionsOf(blocks: readonly MarkdownBlock[]): MarkdownBlock[][] {
  const sections: MarkdownBlock[][] = []
  let open: MarkdownBlock[] = []
  for (const block of blocks) {
    if (block.kind === 'heading') {
      if (open.length > 0) sections.push(open)
      open = []
    } else open.push(block)
  }
  if (open.length > 0) sections.push(open)
  return sections
}

type Piece = { text: string; start: number; end: number; linkChars: number; isShort: boolean }

function addSection(source: string, section: readonly MarkdownBlock[], passages: Passage[]): void {
  const headings = section[0]!.headings
  const flow = section.filter(({ kind }) => kind !== 'table')
  const hasTable = flow.length < section.length
  const letters = flow.reduce((sum, { start, end }) => sum + plainLength(source, start, end), 0)
  if (!hasTable && headings.length > 0 && letters <= SHORT_SECTION_CHARS) {
    const pieces = flow.flatMap((block) => piecesOf(source, block))
    if (pieces.some(({ text }) => text !== '')) passages.push(joinPieces(pieces, headings))
    return
  }
  let run: Piece[] = []
  let lead = ''
  const flush = () => {
    if (run.length > 0) passages.push(joinPieces(run, headings))
    run = []
  }
  for (const block of section) {
    const under = lead === '' ? headings : [...headings, lead]
    if (block.kind === 'table') {
      flush()
      addRows(source, block, headings, passages)
    } else if (block.kind === 'list') {
      const items = piecesOf(source, block)
      const isWhole = items.reduce((sum, { text }) => sum + text.length, 0) <= SHORT_LIST
      // A short list after short lines belongs to them: a card without its own heading.
      if (isWhole && run.length > 0 && lengthOf(run) + lengthOf(items) <= SHORT_SECTION_CHARS) run.push(...items)
      else {
        flush()
        if (isWhole && items.length > 0) passages.push(joinPieces(items, under))
        else for (const item of items) addText(source, item, under, passages)
      }
    } else
      for (const piece of piecesOf(source, block)) {
        // A single label joins the text after it.
        const isLabelled = run.length === 1 && piece.text.length <= LONG_TEXT
        if (piece.isShort && lengthOf(run) + piece.text.length <= SHORT_SECTION_CHARS) run.push(piece)
        else if (isLabelled) passages.push(joinPieces([...run.splice(0), piece], under))
        else {
          flush()
          addText(source, piece, under, passages)
        }
      }
    lead = leadOf(source, block)
  }
  flush()
}

const lengthOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { text }) => sum + text.length, 0)

const plainLength = (source: string, start: number, end: number): number =>
  end - start > SHORT_SECTION_CHARS * 20 ? end - start : stripMarkdown(source.slice(start, end)).length

/** "In the box:" introduces what follows. */
function leadOf(source: string, { kind, start, end }: MarkdownBlock): string {
  if (kind !== 'text' || end - start > 300) return ''
  const text = stripMarkdown(source.slice(start, end))
  return text.endsWith(':') ? text.slice(0, -1) : ''
}

function joinPieces(pieces: readonly Piece[], headings: readonly string[]): Passage {
  const said = pieces.filter(({ text }) => text !== '')
  const text = said.map(({ text }) => text).join('\n')
  const links = said.reduce((sum, { linkChars }) => sum + linkChars, 0)
  return {
    text: text.slice(0, MAX_PASSAGE),
    headings,
    start: pieces[0]!.start,
    end: pieces.at(-1)!.end,
    ...(links > 0.8 * text.length ? { isLinks: true as const } : {}),
  }
}

function addText(source: string, piece: Piece, headings: readonly string[], passages: Passage[]): void {
  if (piece.text.length <= LONG_TEXT) {
    passages.push(joinPieces([piece], headings))
    return
  }
  const spans = splitIntoSentences(source.slice(piece.start, piece.end)).map(({ start, end }) => ({
    start: piece.start + start,
    end: piece.start + end,
    text: stripMarkdown(removeListMark(source.slice(piece.start + start, piece.start + end))),
  }))
  let run: typeof spans = []
  for (const [at, span] of spans.entries()) {
    run.push(span)
    const letters = run.reduce((sum, { text }) => sum + text.length, 0)
    if (letters + (spans[at + 1]?.text.length ?? Number.POSITIVE_INFINITY) <= LONG_TEXT * 0.75) continue
    const text = run.map((one) => one.text).join(' ')
    passages.push({ text: text.slice(0, MAX_PASSAGE), headings, start: run[0]!.start, end: span.end })
    run = []
  }
}

const LINK = /!?\[([^\]]*)\]\([^)\s]*\)/g

function pieceOf(source: string, { start, end }: SourceLine, raw = source.slice(start, end)): Piece {
  const text = stripMarkdown(raw).replace(/^[:;,]\s+/, '')
  let linkChars = 0
  for (const [whole, words = ''] of raw.matchAll(LINK)) if (whole[0] !== '!') linkChars += words.length
  return { text, start, end, linkChars, isShort: text.length <= SHORT_LINE_CHARS && !/[.!?…。！？]$/.test(text) }
}

function piecesOf(source: string, block: MarkdownBlock): Piece[] {
  if (block.kind === 'list')
    return listItemsOf(source, block)
      .map((item) => pieceOf(source, item, removeListMark(source.slice(item.start, item.end))))
      .filter(({ text }) => text !== '')
  if (block.kind === 'code') return [pieceOf(source, block)]
  // A hard break is a visible line break.
  const pieces: Piece[] = []
  let from = block.start
  for (const { end } of block.lines) {
    const isLast = end === block.end
    if (!isLast && !/(?: {2}|\\)$/.test(source.slice(from, end))) continue
    const piece = pieceOf(source, { start: from, end })
    if (piece.text !== '') pieces.push(piece)
    from = end
  }
  return pieces
}

const MEASURE = /^[\d.,]+\s*\p{L}+$/u

/** Rows with their headers. A row with one cell is a heading of those below it. */
function addRows(source: string, { lines }: MarkdownBlock, headings: readonly string[], passages: Passage[]): void {
  const rows = lines
    .map((line) => ({ line, raw: source.slice(line.start, line.end) }))
    .filter(({ raw }, at) => at > 0 || !isTableSeparatorLine(raw))
  const hasSeparator = isTableSeparatorLine(rows[1]?.raw ?? '')
  const top = hasSeparator ? tableCellsOf(rows[0]!.raw) : []
  // Markdown cannot write a table without a header, so its first pair stands there.
  const isPair = top.length === 2 && MEASURE.test(top[1]!)
  if (isPair) rows.splice(1, 1)
  const hasHead = hasSeparator && !isPair
  const first = hasHead ? top : []
  const filled = first.filter((cell) => cell !== '').length
  // A header names columns; one cell over several columns is the table's title.
  const head = filled > 1 || first.length === 1 ? first : []
  let over = filled === 1 && first.length > 1 ? [...headings, first.find((cell) => cell !== '')!] : headings
  const base = over
  for (const { line, raw } of hasHead ? rows.slice(2) : rows) {
    const row = tableCellsOf(raw)
    const said = row.filter((cell) => cell !== '')
    if (said.length === 0) continue
    if (said.length === 1 && row.length > 1 && head.length === 0) {
      over = [...base, said[0]!]
      continue
    }
    const cells = row.flatMap((cell, column) => (cell === '' ? [] : [[head[column] ?? '', cell] as const]))
    const { start, end } = line
    passages.push({ text: writeRowText(cells).slice(0, MAX_PASSAGE), headings: over, cells, start, end })
  }
  if (hasHead && rows.length === 2)
    passages.push({ text: first.join('; '), headings, start: rows[0]!.line.start, end: rows[0]!.line.end })
}

/** "Name – Header: cell; Header: cell"; for a pair "Label: value". */
export function writeRowText(cells: readonly (readonly [string, string])[]): string {
  const [first, ...rest] = cells
  if (!first) return ''
  if (rest.length === 0) return first[1]
  if (rest.length === 1 && rest[0]![0] === '') return `${first[1]}: ${rest[0]![1]}`
  return `${first[1]} – ${rest.map(([header, cell]) => (header === '' ? cell : `${header}: ${cell}`)).join('; ')}`
}
