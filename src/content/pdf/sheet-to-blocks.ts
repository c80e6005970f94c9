// Converts one sheet to blocks in reading order: removes page furniture, extracts ruled tables, splits at gutters, then
// reads aligned tables and lines in each part.
import { maxOf, minOf } from '../../base/large-array-helpers.ts'
import { escapeLineStart } from '../markdown/escape-markdown.ts'
import { fenceCode } from '../markdown/extract-code.ts'
import { formulaToMarkdown } from '../markdown/tex-formulas.ts'
import { type FontSizes, pdfHeadingLevel, titleSizeOf } from './detect-headings.ts'
import { divideIntoColumns } from './divide-into-columns.ts'
import { type FoundTable, findAlignedTables, type RuledLinesAndRotatedRuns } from './find-aligned-tables.ts'
import type { HeaderOrFooterKind } from './find-headers-and-footers.ts'
import { findRuledTables, linesOfCell, type RuledTable } from './find-ruled-tables.ts'
import { findHeadArea, isBoxIn, MAX_HEAD_PIECES, makeHeadCells, rotatedRunsIn } from './find-table-heads.ts'
import { groupIntoParagraphs, type PdfLine, rowToLine } from './group-into-paragraphs.ts'
import { groupSegmentsIntoRows } from './group-rows.ts'
import { BLOCK_CONFIDENCE, type BlockType, type LayoutBlock } from './layout-block-types.ts'
import {
  type Box,
  boundingBoxOf,
  CAPTION,
  median,
  type PdfRow,
  type PdfRun,
  type PdfSegment,
  type PdfSheet,
} from './page-layout-types.ts'
import { sortInReadingOrder } from './right-to-left.ts'
import { type DocumentWords, piecesToMarkdown, runsToDisplay, runsToPieces } from './runs-to-markdown.ts'
import { nestListItems, writeListItem } from './write-list-items.ts'

interface PdfPageReading {
  styles: FontSizes
  words: DocumentWords
  rightToLeft: boolean
}

const FOOTNOTE = /^(?:[*†‡§¹²³⁰⁴-⁹]|\d{1,2}(?=\s|\p{Lu}))/u
const MIN_FIGURE = 0.01
/** A cell that spans rows is repeated in each, unless it is longer than this. */
const MAX_REPEATED_CELL_CHARS = 60
/** Above this, layout is skipped and lines are read in order; a full page has about 3,000 runs. */
const MAX_RUNS = 30_000

export function sheetToBlocks(
  sheet: PdfSheet,
  rows: readonly PdfRow[],
  furniture: ReadonlyMap<PdfRow, HeaderOrFooterKind>,
  how: PdfPageReading,
): LayoutBlock[] {
  const page = new PageBlocks(sheet, how)
  const body: PdfRow[] = []
  for (const row of rows) {
    const kind = furniture.get(row)
    if (kind) page.aside(kind, row)
    else body.push(row)
  }
  const runs = body.flat().flatMap((segment) => segment.runs)
  if (runs.length > MAX_RUNS) {
    for (const run of sheet.turned) page.margin(run)
    page.part(body.flat(), new Map(), false)
    return page.finish()
  }
  const grids: HeadedGrid[] = findRuledTables(sheet.rules, runs)
  const inGrid = new Set(grids.flatMap((grid) => grid.rows.flat().flatMap((cell) => cell.runs)))
  // A segment may extend beyond a table; the rest stays text.
  const segments: PdfSegment[] = body.flat().flatMap((segment) => {
    if (!segment.runs.some((run) => inGrid.has(run))) return [segment]
    const rest = segment.runs.filter((run) => !inGrid.has(run))
    return rest.length > 0
      ? [{ ...segment, ...boundingBoxOf(rest), runs: rest, text: rest.map(({ text }) => text).join(' ') }]
      : []
  })
  const over = headsOver(grids, segments, sheet)
  const strong = strongTables(
    segments.filter((segment) => !over.has(segment)),
    sheet,
  )
  const free = segments.filter((segment) => !strong.taken.has(segment) && !over.has(segment))
  const atoms = [
    ...grids.map((grid) => ({ box: grid as Box, put: () => page.ruled(grid) })),
    ...strong.tables.map((table) => ({ box: table as Box, put: () => page.aligned(table) })),
  ].sort((a, b) => a.box.y0 - b.box.y0)
  // For ordering, a table counts as one wide line.
  const stands = new Map<PdfSegment, () => void>()
  for (const { box, put } of atoms) {
    const { x0, y0, x1, y1 } = box
    stands.set({ x0, y0, x1, y1, runs: [], base: y0 + 10, size: 10, text: 'a table stands here' }, put)
  }
  for (const part of divideIntoColumns([...free, ...stands.keys()], how.rightToLeft)) page.part(part, stands)
  for (const run of sheet.turned) if (!over.has(run)) page.margin(run)
  return page.finish()
}

interface HeadedGrid extends RuledTable {
  head?: PdfSegment[][]
}

const MAX_HEAD_CHARS = 400

/** Adds heads above the frame of ruled tables, below their own rule. Returns the boxes used. */
function headsOver(grids: HeadedGrid[], segments: readonly PdfSegment[], sheet: PdfSheet): Set<Box> {
  const taken = new Set<Box>()
  for (const grid of grids) {
    const area = findHeadArea(grid, sheet.rules)
    if (!area) continue
    const pieces = segments.filter((segment) => isBoxIn(segment, area))
    const turned = rotatedRunsIn(sheet.turned, area)
    const chars = [...pieces, ...turned].reduce((sum, { text }) => sum + text.length, 0)
    if (chars === 0 || chars > MAX_HEAD_CHARS || pieces.length > MAX_HEAD_PIECES) continue
    const filled = grid.columns.map(() => false)
    for (const row of grid.rows) {
      let column = 0
      for (const cell of row) {
        if (cell.span === 1 && cell.runs.length > 0) filled[column] = true
        column += cell.span
      }
    }
    const head = makeHeadCells(grid.columns, pieces, turned, (column) => !filled[column])
    const named = head.filter((cell, column) => filled[column] && cell.length > 0).length
    if (named * 2 < filled.filter(Boolean).length) continue
    grid.head = head
    Object.assign(grid, boundingBoxOf([grid, ...pieces, ...turned]))
    for (const one of [...pieces, ...turned]) taken.add(one)
  }
  return taken
}

/** Rows of many short pieces are tables; they are found before gutters can split them. */
function strongTables(
  segments: readonly PdfSegment[],
  drawn: RuledLinesAndRotatedRuns,
): { tables: FoundTable[]; taken: Set<PdfSegment> } {
  const rows = groupSegmentsIntoRows(segments)
  const tables = findAlignedTables(rows, drawn).filter(({ cells }) => {
    const pieces = cells.flat().filter((cell) => cell.length > 0)
    const wide = cells.filter((row) => row.filter((cell) => cell.length > 0).length >= 3).length
    const lengths = pieces.map((cell) => cell.reduce((sum, { text }) => sum + text.length, 0))
    const long = lengths.filter((length) => length > 45).length
    // In tables most columns are short; if all hold full lines, they are text columns.
    const short = columnLengths(cells).filter((length) => length < 18).length
    if (short * 4 <= cells[0]!.length) return false
    return wide >= 3 && wide * 2 >= cells.length && long * 10 <= lengths.length
  })
  const taken = new Set(tables.flatMap(({ from, to }) => rows.slice(from, to).flat()))
  return { tables, taken }
}

const columnLengths = (cells: FoundTable['cells']): number[] =>
  cells[0]!.map((_, column) =>
    median(
      cells.map((row) => row[column]!.reduce((sum, { text }) => sum + text.length, 0)).filter((length) => length > 0),
    ),
  )

class PageBlocks {
  readonly #sheet: PdfSheet
  readonly #how: PdfPageReading
  readonly #flow: LayoutBlock[] = []
  readonly #heads: LayoutBlock[] = []
  readonly #feet: LayoutBlock[] = []
  /** Rotated words used in a table head. */
  readonly #used = new Set<PdfRun>()

  constructor(sheet: PdfSheet, how: PdfPageReading) {
    this.#sheet = sheet
    this.#how = how
  }

  aside(kind: HeaderOrFooterKind, row: PdfRow): void {
    const content = this.#line(row).text
    const made = this.#block(kind, null, row, content, BLOCK_CONFIDENCE.margin)
    const isTop = boundingBoxOf(row).y0 < this.#sheet.height / 2
    ;(isTop ? this.#heads : this.#feet).push({ ...made, inMarkdown: false })
  }

  margin(run: PdfRun): void {
    if (!run.text.trim() || this.#used.has(run)) return
    const made = this.#block('page_footer', 'margin_text', [run], run.text.trim(), BLOCK_CONFIDENCE.margin)
    this.#feet.push({ ...made, inMarkdown: false })
  }

  ruled(grid: HeadedGrid): void {
    const columns = maxOf(grid.rows.map((row) => row.reduce((sum, cell) => sum + cell.span, 0)))
    const rows = grid.rows.map((row, index) =>
      row.flatMap((cell) => {
        const text = this.#cell(linesOfCell(cell.runs))
        // Markdown has no spans: column heads are repeated in each column, and short cells in each row.
        const said = cell.isRest && text.length > MAX_REPEATED_CELL_CHARS ? '' : text
        const isHead = index === 0 && grid.head === undefined
        return Array.from({ length: cell.span }, (_, at) => (at === 0 || isHead ? said : ''))
      }),
    )
    this.#table(
      grid.head ? [grid.head.map((cell) => this.#cell(cell)), ...rows] : rows,
      columns,
      grid,
      BLOCK_CONFIDENCE.ruled,
      grid.rows.flatMap((row) => row.flatMap((cell) => cell.runs)),
    )
  }

  aligned(table: FoundTable): void {
    for (const run of table.turned) this.#used.add(run)
    const rows = (table.head ? [table.head, ...table.cells] : table.cells).map((row) =>
      row.map((cell) => this.#cell(cell)),
    )
    this.#table(
      rows,
      table.columns.length,
      table,
      BLOCK_CONFIDENCE.aligned,
      table.cells.flat(2).flatMap(({ runs }) => runs),
    )
  }

  #cell(segments: readonly PdfSegment[]): string {
    const lines = segments.map((segment) => sortInReadingOrder(segment.runs, this.#how.rightToLeft))
    return withoutLeaders(piecesToMarkdown(runsToPieces(lines, this.#how.words), false))
      .replace(/ … $/, '')
      .replaceAll('|', '\\|')
  }

  #table(rows: string[][], width: number, box: Box, layout: number, runs: readonly PdfRun[]): void {
    // Drops empty spacer columns.
    const used = Array.from({ length: width }, (_, at) => at).filter((at) => rows.some((row) => row[at]))
    const columns = used.length
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    const kept = rows.map((row) => used.map((at) => row[at] ?? ''))
    const [head = [], ...body] = this.#how.rightToLeft ? kept.map((row) => row.reverse()) : kept
    const content = [line(head), line(Array.from({ length: columns }, () => '---')), ...body.map(line)].join('\n')
    this.#flow.push({ ...this.#block('table', null, [box], content, layout), ocr: confidence(runs) })
  }

  part(segments: readonly PdfSegment[], stands: ReadonlyMap<PdfSegment, () => void>, mayBeTables = true): void {
    if (!mayBeTables) {
      this.#lines(groupSegmentsIntoRows(segments))
      return
    }
    let chunk: PdfRow[] = []
    for (const row of groupSegmentsIntoRows(segments)) {
      if (!row.some((segment) => stands.has(segment))) {
        chunk.push(row)
        continue
      }
      this.#rows(chunk)
      for (const segment of row) stands.get(segment)?.()
      const rest = row.filter((segment) => !stands.has(segment))
      chunk = rest.length > 0 ? [rest] : []
    }
    this.#rows(chunk)
  }

  #rows(rows: readonly PdfRow[]): void {
    let from = 0
    for (const table of findAlignedTables(rows, this.#sheet)) {
      this.#lines(rows.slice(from, table.from))
      this.aligned(table)
      from = table.to
    }
    this.#lines(rows.slice(from))
  }

  #line(row: PdfRow): PdfLine {
    return rowToLine(row, this.#how.rightToLeft)
  }

  #lines(rows: readonly PdfRow[]): void {
    const lines = rows.flatMap((row) => (isOfItems(row) ? row.map((item) => this.#line([item])) : [this.#line(row)]))
    const { styles, rightToLeft } = this.#how
    for (const group of groupIntoParagraphs(lines, titleSizeOf(styles), rightToLeft)) this.#paragraph(group)
  }

  #paragraph(lines: PdfLine[]): void {
    const first = lines[0]!
    const text = lines
      .map((line) => line.text)
      .join(' ')
      .trim()
    if (!text) return
    if (lines.every((line) => line.mono) && (lines.length > 1 || first.text.length > 12)) this.#code(lines)
    else {
      const { type, label = null, content, sure = BLOCK_CONFIDENCE.text } = this.#prose(lines, text)
      if (content) this.#flow.push(this.#block(type, label, lines, content, sure))
    }
  }

  #prose(lines: PdfLine[], text: string): { type: BlockType; label?: string; content: string; sure?: number } {
    const { styles, words } = this.#how
    const first = lines[0]!
    const pieces = runsToPieces(
      lines.map((line) => line.runs),
      words,
    )
    if (lines.every((line) => line.math)) {
      const tex = lines.map((line) => runsToDisplay(line.runs)).join(' ')
      return { type: 'formula', content: formulaToMarkdown({ tex, display: true }) }
    }
    if (CAPTION.test(text) && text.length < 1200) return { type: 'caption', content: piecesToMarkdown(pieces, false) }
    if (lines.at(-1)!.isEntry)
      return {
        type: 'text',
        label: 'list_item',
        content: writeListItem('•', `• ${withoutLeaders(piecesToMarkdown(pieces, true))}`),
      }
    const level = pdfHeadingLevel(lines, styles)
    if (level !== undefined) {
      const isTitle = this.#sheet.number === 1 && level === 1 && !this.#flow.some(({ type }) => type === 'title')
      const content = `${'#'.repeat(level)} ${piecesToMarkdown(pieces, true)}`
      return { type: isTitle ? 'title' : 'section_header', content, sure: BLOCK_CONFIDENCE.styled }
    }
    const content = piecesToMarkdown(pieces, false)
    if (first.marker !== undefined)
      return { type: 'text', label: 'list_item', content: writeListItem(first.marker, content) }
    const isNote = first.size < styles.bodySize * 0.92 && first.y0 > this.#sheet.height * 0.55 && FOOTNOTE.test(text)
    return { type: isNote ? 'footnote' : 'text', content: escapeLineStart(content) }
  }

  #code(lines: readonly PdfLine[]): void {
    const left = minOf(lines.map(({ x0 }) => x0))
    const width = Math.max(1, this.#charWidth(lines))
    let out = ''
    let last: PdfLine | undefined
    for (const line of lines) {
      if (last) out += line.base - last.base > 1.7 * line.size ? '\n\n' : '\n'
      out +=
        ' '.repeat(Math.min(200, Math.max(0, Math.round((line.x0 - left) / width)) + leadingBlanks(line))) + line.text
      last = line
    }
    this.#flow.push(this.#block('code', null, lines, fenceCode(out, ''), BLOCK_CONFIDENCE.styled))
  }

  #charWidth(lines: readonly PdfLine[]): number {
    const run = lines.flatMap(({ runs }) => runs).reduce((a, b) => (b.text.length > a.text.length ? b : a))
    return (run.x1 - run.x0) / Math.max(1, run.text.length)
  }

  #block(type: BlockType, label: string | null, parts: readonly Box[], content: string, layout: number): LayoutBlock {
    const runs = parts.flatMap((part) =>
      'runs' in part ? (part.runs as PdfRun[]) : 'ocr' in part ? [part as PdfRun] : [],
    )
    const { number, source } = this.#sheet
    return {
      page: number,
      type,
      label,
      box: boundingBoxOf(parts),
      content,
      inMarkdown: true,
      source,
      layout,
      ocr: confidence(runs),
    }
  }

  /** Footnotes follow the text, figures stay in place, furniture comes first and last. */
  finish(): LayoutBlock[] {
    if (!this.#how.rightToLeft) nestListItems(this.#flow)
    const notes = this.#flow.filter(({ type }) => type === 'footnote')
    const text = this.#flow.filter(({ type }) => type !== 'footnote')
    const { width, height, images } = this.#sheet
    for (const box of images) {
      if ((box.x1 - box.x0) * (box.y1 - box.y0) < MIN_FIGURE * width * height) continue
      const at = text.findIndex((one) => one.box.y0 >= box.y1 - 4 && one.box.x0 < box.x1 && one.box.x1 > box.x0)
      const figure = { ...this.#block('figure', null, [box], '', BLOCK_CONFIDENCE.text), inMarkdown: false }
      text.splice(at === -1 ? text.length : at, 0, figure)
    }
    return [...this.#heads, ...text, ...notes, ...this.#feet]
  }
}

const isOfItems = (row: PdfRow): boolean => row.length > 1 && row.every(({ text }) => /^\(?\d{1,3}[.)]\s+\S/.test(text))

const withoutLeaders = (text: string): string => text.replace(/\s*(?:\.\s?){4,}\s*/g, ' … ')

const leadingBlanks = ({ runs }: PdfLine): number => /^ */.exec(runs[0]?.text ?? '')![0].length

function confidence(runs: readonly PdfRun[]): number | null {
  let sum = 0
  let count = 0
  for (const { ocr, text } of runs)
    if (ocr !== undefined) {
      sum += ocr * text.length
      count += text.length
    }
  return count > 0 ? Math.round((sum / count) * 10) / 1000 : null
}
