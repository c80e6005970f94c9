// Finds unruled tables: consecutive rows whose pieces align in columns. Each test states how it excludes lists, columns
// of prose and tables of contents.
import { appendAll } from '../../base/large-array-helpers.ts'
import {
  findHeadArea,
  findRuledLinesAcross,
  isBoxIn,
  looksLikeColumnNames,
  MAX_HEAD_PIECES,
  makeHeadCells,
  rotatedRunsIn,
  type TableColumn,
} from './find-table-heads.ts'
import { makeSegment, signsBeforeAmounts } from './group-rows.ts'
import {
  type Box,
  boundingBoxOf,
  CAPTION,
  median,
  middleY,
  type PdfRow,
  type PdfRun,
  type PdfSegment,
  type PdfSheet,
  type RuledLine,
} from './page-layout-types.ts'

export type RuledLinesAndRotatedRuns = Pick<PdfSheet, 'rules' | 'turned'>

export interface FoundTable extends Box {
  cells: PdfSegment[][][]
  columns: readonly TableColumn[]
  /** Head pieces per column, where rules separate head and body. */
  head?: PdfSegment[][]
  turned: readonly PdfRun[]
  /** Range of rows, end exclusive. */
  from: number
  to: number
}

const MARKER =
  /^(?:[•◦▪▫■□●○‣⁃*–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\[\d+\]|[\uf000-\uf0ff\u2610-\u2612\u2713-\u2718])$/u
const ITEM = /^\(?\d{1,3}[.)]\s+\S/
const MAX_COLUMNS = 40
/**
 * Limit of pieces examined, since every row that starts no table is rescanned. A full page of 100 rows without tables
 * needs 100,000.
 */
const MAX_SEGMENTS_EXAMINED = 400_000

/** In order, without overlap. */
export function findAlignedTables(
  rows: readonly PdfRow[],
  drawn: RuledLinesAndRotatedRuns = { rules: [], turned: [] },
): FoundTable[] {
  const found: FoundTable[] = []
  let attempts = MAX_SEGMENTS_EXAMINED
  // Prefix sum of pieces, to charge each scan.
  const before = [0]
  for (const row of rows) before.push(before.at(-1)! + row.length)
  for (let from = 0; from < rows.length && attempts > 0; from++) {
    if (!isTabular(rows[from]!)) continue
    const to = endOfRun(rows, from)
    attempts -= before[to]! - before[from]!
    const last = found.at(-1)
    const table = withSpanningHead(rows, tableIn(rows, from, to, drawn, last?.to ?? 0), last?.to ?? 0)
    if (table) {
      if (!last || !joinTorn(rows, last, table)) found.push(table)
      from = table.to - 1
    }
  }
  return found
}

/** A first row without a label names columns, and so does what stands close above it and beside the labels. */
function withSpanningHead(
  rows: readonly PdfRow[],
  table: FoundTable | undefined,
  earliest: number,
): FoundTable | undefined {
  const [names, ...cells] = table?.cells ?? []
  if (!table || table.head || names![0]!.length > 0 || cells.length < 2) return table
  let from = table.from
  const isOver = (row: PdfRow) => row.every(({ x0, x1 }) => x0 > table.columns[0]!.x1 && x1 < table.x1 + row[0]!.size)
  while (from > earliest && table.from - from < 2 && isOver(rows[from - 1]!)) {
    if (top(rows[from]!) - bottom(rows[from - 1]!) > rows[from]![0]!.size) break
    from--
  }
  if (from === table.from) return table
  const over = rows.slice(from, table.from).flat()
  const isEmpty = (column: number) => column === 0 || cells.every((row) => row[column]!.length === 0)
  const head = makeHeadCells(table.columns, [...over, ...names!.flat()], [], isEmpty)
  return { ...table, ...boundingBoxOf([table, ...over]), cells, head, from }
}

/** Lines between two parts of a table: names of sections, and labels of several lines. */
const MAX_LINES_BETWEEN = 6

/** Appends `lower`. Lines in the first column and wide gaps divide the sections of a statement; its amounts go on below, without names. */
function joinTorn(rows: readonly PdfRow[], upper: FoundTable, lower: FoundTable): boolean {
  const { columns } = upper
  const { size } = rows[upper.to - 1]![0]!
  const isLabel = ([label, ...others]: PdfRow) =>
    others.length === 0 && label!.x0 < columns[0]!.x1 && label!.size < size * 1.1 && !CAPTION.test(label!.text)
  const isAmount = (cell: readonly PdfSegment[]) => cell.every(({ text }) => !/\p{L}{2}/u.test(text))
  if (lower.head || lower.from - upper.to > MAX_LINES_BETWEEN || !lower.cells[0]!.slice(1).every(isAmount)) return false
  const between = rows.slice(upper.to, lower.from)
  const under = lower.columns.map((one) => columns.findIndex(({ x0, x1 }) => x0 < one.x1 && x1 > one.x0))
  const isSame = under.every((column, at) => (at === 0 ? column === 0 : column > under[at - 1]!))
  if (!isSame || under.length < 2 || !between.every(isLabel)) return false
  appendAll(
    upper.cells,
    [...between, ...lower.cells.map((row) => row.flat())].map((row) => placeInColumns(row, columns)),
  )
  Object.assign(upper, boundingBoxOf([upper, lower, ...between.flat()]), { to: lower.to })
  return true
}

const isTabular = (row: PdfRow): boolean =>
  row.length >= (MARKER.test(row[0]?.text ?? '') ? 3 : 2) && !row.every(({ text }) => ITEM.test(text))

/** Single-piece rows (wrapped cells, inner headings) continue a table if tabular rows follow. */
function endOfRun(rows: readonly PdfRow[], from: number): number {
  let to = from + 1
  let lonely = 0
  for (let at = from + 1; at < rows.length; at++) {
    const gap = top(rows[at]!) - bottom(rows[at - 1]!)
    const size = rows[at]![0]!.size
    if (gap > 3 * size) break
    if (isTabular(rows[at]!)) {
      lonely = 0
      to = at + 1
    } else if (++lonely > 2 || rows[at]![0]!.text.length > 90) break
  }
  return to
}

const top = (row: PdfRow): number => row.reduce((least, { y0 }) => Math.min(least, y0), Number.POSITIVE_INFINITY)
const bottom = (row: PdfRow): number => row.reduce((most, { y1 }) => Math.max(most, y1), Number.NEGATIVE_INFINITY)

function tableIn(
  rows: readonly PdfRow[],
  from: number,
  to: number,
  { rules, turned }: RuledLinesAndRotatedRuns,
  earliest: number,
): FoundTable | undefined {
  let inside = rows.slice(from, to)
  const tabular = inside.filter(isTabular)
  if (tabular.length < 2) return undefined
  let columns = columnsOf(tabular, 0.2)
  if (columns.length < 2 || columns.length > MAX_COLUMNS) return undefined
  if (tabular.length < (columns.length >= 3 ? 2 : 3)) return undefined
  // Cells may be closer than text columns; a gap that all rows share separates two columns.
  if (tabular.length >= MIN_FINE_ROWS) {
    const fine = columnsOf(tabular.map(inPieces), 0.1)
    if (fine.length > columns.length && fine.length <= MAX_COLUMNS) {
      columns = fine
      inside = inside.map(inPieces)
    }
  }
  const box = boundingBoxOf(inside.flat())
  const area = findHeadArea(box, rules, 1)
  const { begin, head, body } = splitRows(rows, from, inside, box, rules, earliest)
  const names = area ? rotatedRunsIn(turned, area) : []
  const cells = joinWrapped(joinHalfway(joinBands(body, box, columns, rules)))
  const isEmpty = (column: number) => cells.every((row) => row[column]!.length === 0)
  const over = makeHeadCells(columns, head.flat(), names, isEmpty)
  const isHeaded = over.filter((cell) => cell.length > 0).length * 2 >= columns.length
  if (!isHeaded && head.length > 0) return tableIn(rows, from, to, { rules: [], turned: [] }, earliest)
  if (cells.length < (isHeaded ? 1 : 2) || !looksTabular(cells, columns.length)) return undefined
  return {
    ...boundingBoxOf([box, ...head.flat(), ...names]),
    cells,
    columns,
    from: begin,
    to,
    turned: isHeaded ? names : [],
    ...(isHeaded ? { head: over } : {}),
  }
}

const MIN_FINE_ROWS = 4
/** In ems. Cells are not justified, so their word spaces are narrower. */
const CELL_GAP_EM = 0.55
const MAX_HEAD_ROWS = 4

function inPieces(row: PdfRow): PdfRow {
  return row.flatMap((segment) => {
    const pieces: PdfSegment['runs'][] = []
    const leading = signsBeforeAmounts(segment.runs)
    for (const run of segment.runs) {
      const open = pieces.at(-1)
      const last = open?.at(-1)
      const isNear = last && run.x0 - last.x1 <= CELL_GAP_EM * Math.min(last.size, run.size)
      if (open && last && (isNear || leading.has(last))) open.push(run)
      else pieces.push([run])
    }
    return pieces.length > 1 ? pieces.map(makeSegment) : [segment]
  })
}

function splitRows(
  rows: readonly PdfRow[],
  from: number,
  inside: readonly PdfRow[],
  box: Box,
  rules: readonly RuledLine[],
  earliest: number,
): { begin: number; head: PdfRow[]; body: readonly PdfRow[] } {
  const plain = { begin: from, head: [], body: inside }
  const across = findRuledLinesAcross(rules, box)
  if (across.length === 0) return plain
  const area = findHeadArea(box, rules, 1)
  let begin = from
  while (
    area &&
    begin > earliest &&
    from - begin < MAX_HEAD_ROWS &&
    rows[begin - 1]!.every((one) => isBoxIn(one, area)) &&
    looksLikeColumnNames(rows[begin - 1]!, box)
  )
    begin--
  const middle = across.find(({ y0 }) => y0 > top(inside[0]!) + 2)
  const isOver = (row: PdfRow) => middle !== undefined && middleY(row[0]!) < middle.y0
  // Without a rule above the table, a rule across it may separate any rows.
  if (!area) return plain
  const upper = inside.filter(isOver)
  const isDone = begin < from && across.some(({ y0 }) => y0 > middleY(rows[from - 1]![0]!) && y0 < top(inside[0]!) + 2)
  const isSplit = !isDone && upper.length <= MAX_HEAD_ROWS && upper.length < inside.length
  const heads = isSplit ? upper : []
  const head = [...rows.slice(begin, from), ...heads]
  if (head.length > MAX_HEAD_ROWS || head.flat().length > MAX_HEAD_PIECES) return plain
  return { begin, head: head.map((row) => [...row]), body: inside.slice(heads.length) }
}

/** Joins the rows between two rules if at most one of them has a first cell. */
function joinBands(
  rows: readonly PdfRow[],
  box: Box,
  columns: readonly TableColumn[],
  rules: readonly RuledLine[],
): PdfSegment[][][] {
  const cells = rows.map((row) => placeInColumns(row, columns))
  const across = findRuledLinesAcross(rules, box)
  const bands = new Map<number, PdfSegment[][][]>()
  for (const [index, row] of rows.entries()) {
    const y = middleY(row[0]!)
    const band = across.filter(({ y0 }) => y0 < y).length
    const known = bands.get(band)
    if (known) known.push(cells[index]!)
    else bands.set(band, [cells[index]!])
  }
  const list = [...bands.values()]
  const countNamed = (band: readonly PdfSegment[][][]) => band.filter((row) => row[0]!.length > 0).length
  if (list.length < 3 || list.length === rows.length || list.some((band) => band.length > 4 || countNamed(band) > 1))
    return cells
  return list.map((band) => columns.map((_, column) => band.flatMap((row) => row[column]!)))
}

/** Columns are the ranges between x positions that almost no row covers. */
function columnsOf(rows: readonly PdfRow[], tolerance: number): TableColumn[] {
  const { x0: left, x1: right } = boundingBoxOf(rows.flat())
  const width = Math.ceil(right - left) + 2
  if (!(width > 0 && width < 20_000)) return []
  const change = new Int32Array(width + 1)
  for (const row of rows)
    for (const { x0, x1 } of row) {
      change[Math.max(0, Math.round(x0 - left))]! += 1
      change[Math.min(width, Math.max(1, Math.round(x1 - left)))]! -= 1
    }
  // Allows some rows to span columns, such as headings over several.
  const most = Math.floor(rows.length * tolerance)
  const gap = Math.max(3, median(rows.flat().map(({ size }) => size)) * 0.5)
  const columns: TableColumn[] = []
  let covered = 0
  let start: number | undefined
  let emptySince = 0
  for (let at = 0; at <= width; at++) {
    covered += change[at]!
    if (covered > most) {
      if (start === undefined) {
        const last = columns.at(-1)
        if (last && at - emptySince < gap) {
          start = last.x0 - left
          columns.pop()
        } else start = at
      }
    } else if (start !== undefined) {
      columns.push({ x0: start + left, x1: at + left })
      start = undefined
      emptySince = at
    }
  }
  return columns
}

function placeInColumns(row: PdfRow, columns: readonly TableColumn[]): PdfSegment[][] {
  const cells: PdfSegment[][] = columns.map(() => [])
  for (const segment of row) {
    let best = 0
    let most = Number.NEGATIVE_INFINITY
    for (const [index, { x0, x1 }] of columns.entries()) {
      const overlap = Math.min(x1, segment.x1) - Math.max(x0, segment.x0)
      if (overlap > most + 0.5) {
        most = overlap
        best = index
      }
    }
    cells[best]!.push(segment)
  }
  return cells
}

/** Figures may stand halfway between the two lines of their label. */
function joinHalfway(rows: PdfSegment[][][]): PdfSegment[][][] {
  const isLabel = (row: PdfSegment[][] | undefined) => row?.every((cell, at) => cell.length > 0 === (at === 0)) ?? false
  const overlaps = (upper: number) => top(rows[upper + 1]!.flat()) < bottom(rows[upper]!.flat())
  const isBetween = (at: number) =>
    isLabel(rows[at - 1]) && isLabel(rows[at + 1]) && !rows[at]![0]!.length && overlaps(at - 1) && overlaps(at)
  // A colon and a capital letter divide two labels.
  const isHalfway = (at: number) =>
    isBetween(at) &&
    !isBetween(at - 2) &&
    !isBetween(at + 2) &&
    !rows[at - 1]![0]!.at(-1)!.text.endsWith(':') &&
    !/^\p{Lu}/u.test(rows[at + 1]![0]![0]!.text)
  return rows.flatMap((row, at) => {
    if (isHalfway(at)) return [[[...rows[at - 1]![0]!, ...rows[at + 1]![0]!], ...row.slice(1)]]
    return isHalfway(at - 1) || isHalfway(at + 1) ? [] : [row]
  })
}

/** Joins a row whose first cell is empty and whose distance is that of wrapped lines. */
function joinWrapped(rows: PdfSegment[][][]): PdfSegment[][][] {
  const joined: PdfSegment[][][] = []
  for (const row of rows) {
    const above = joined.at(-1)
    const filled = row.filter((cell) => cell.length > 0).length
    const segments = row.flat()
    const before = above?.flat() ?? []
    const isWrapped =
      above !== undefined &&
      joined.length > 1 &&
      row[0]!.length === 0 &&
      filled * 2 <= row.length &&
      filled < above.filter((cell) => cell.length > 0).length &&
      top(segments) - bottom(before) < 0.35 * segments[0]!.size
    if (isWrapped) for (const [index, cell] of row.entries()) appendAll(above[index]!, cell)
    else joined.push(row)
  }
  return joined
}

function looksTabular(rows: readonly PdfSegment[][][], columns: number): boolean {
  const lengths = rows
    .flat()
    .flatMap((cell) => (cell.length > 0 ? [cell.reduce((sum, { text }) => sum + text.length, 0)] : []))
  const filled = lengths.length
  if (filled < rows.length * columns * 0.4) return false
  const wide = rows.filter((row) => row.filter((cell) => cell.length > 0).length >= 2).length
  if (wide < Math.max(2, rows.length * 0.5)) return false
  const medianLengthOf = (column: number) =>
    median(rows.map((row) => row[column]!.reduce((sum, { text }) => sum + text.length, 0)))
  // Two columns of long pieces are prose.
  if (columns === 2 && medianLengthOf(0) > 40 && medianLengthOf(1) > 40) return false
  // A first column of markers only is a list.
  const first = rows.map((row) => row[0]![0]?.text).filter((text) => text !== undefined)
  if (columns === 2 && first.length > 0 && first.every((text) => MARKER.test(text))) return false
  return true
}
