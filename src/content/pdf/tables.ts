// Tables without rules: consecutive rows whose pieces line up in columns. Lists, prose in columns and tables of
// contents look similar; what tells them apart is written beside each test.
import { around, type Box, median, type Row, type Segment } from './sheet.ts'

export interface FoundTable extends Box {
  /** Text pieces by row and column. */
  cells: Segment[][][]
  /** Rows of the part of the page that it takes: from, up to. */
  from: number
  to: number
}

const MARKER =
  /^(?:[•◦▪▫■□●○‣⁃*–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\[\d+\]|[\uf000-\uf0ff\u2610-\u2612\u2713-\u2718])$/u
const MAX_COLUMNS = 40
/** Pieces looked at, again for every row that begins no table: a full page of a hundred rows that holds none takes 100,000. */
const MAX_LOOKS = 400_000

/** Tables among these rows, in order, not overlapping. */
export function alignedTables(rows: readonly Row[]): FoundTable[] {
  const found: FoundTable[] = []
  let looks = MAX_LOOKS
  // Pieces before each row: how many a look at some of the rows takes.
  const before = [0]
  for (const row of rows) before.push(before.at(-1)! + row.length)
  for (let from = 0; from < rows.length && looks > 0; from++) {
    if (!isTabular(rows[from]!)) continue
    const to = endOfRun(rows, from)
    looks -= before[to]! - before[from]!
    const table = tableIn(rows, from, to)
    if (table) {
      found.push(table)
      from = table.to - 1
    }
  }
  return found
}

const isTabular = (row: Row): boolean => row.length >= (MARKER.test(row[0]?.text ?? '') ? 3 : 2)

/** A table goes on over rows with one piece (a wrapped cell, a heading inside) as long as tabular rows follow. */
function endOfRun(rows: readonly Row[], from: number): number {
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

const top = (row: Row): number => row.reduce((least, { y0 }) => Math.min(least, y0), Number.POSITIVE_INFINITY)
const bottom = (row: Row): number => row.reduce((most, { y1 }) => Math.max(most, y1), Number.NEGATIVE_INFINITY)

function tableIn(rows: readonly Row[], from: number, to: number): FoundTable | undefined {
  const inside = rows.slice(from, to)
  const tabular = inside.filter(isTabular)
  if (tabular.length < 2) return undefined
  const columns = columnsOf(tabular)
  if (columns.length < 2 || columns.length > MAX_COLUMNS) return undefined
  if (tabular.length < (columns.length >= 3 ? 2 : 3)) return undefined
  const cells = joinWrapped(inside.map((row) => placed(row, columns)))
  if (cells.length < 2 || !looksTabular(cells, columns.length)) return undefined
  return { ...around(inside.flat()), cells, from, to }
}

/** Where columns stand: stretches between places that almost no row covers. */
function columnsOf(rows: readonly Row[]): { x0: number; x1: number }[] {
  const { x0: left, x1: right } = around(rows.flat())
  const width = Math.ceil(right - left) + 2
  if (!(width > 0 && width < 20_000)) return []
  const change = new Int32Array(width + 1)
  for (const row of rows)
    for (const { x0, x1 } of row) {
      change[Math.max(0, Math.round(x0 - left))]! += 1
      change[Math.min(width, Math.max(1, Math.round(x1 - left)))]! -= 1
    }
  // Two rows in ten may span columns: headings over several of them do.
  const most = Math.floor(rows.length * 0.2)
  const gap = Math.max(3, median(rows.flat().map(({ size }) => size)) * 0.5)
  const columns: { x0: number; x1: number }[] = []
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

/** Each piece in the column it overlaps most. */
function placed(row: Row, columns: readonly { x0: number; x1: number }[]): Segment[][] {
  const cells: Segment[][] = columns.map(() => [])
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

/** A row that continues the cells above it: its first cell is empty, and it stands as close as lines of one text do. */
function joinWrapped(rows: Segment[][][]): Segment[][][] {
  const joined: Segment[][][] = []
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
    if (isWrapped) for (const [index, cell] of row.entries()) above[index]!.push(...cell)
    else joined.push(row)
  }
  return joined
}

function looksTabular(rows: readonly Segment[][][], columns: number): boolean {
  const lengths = rows
    .flat()
    .flatMap((cell) => (cell.length > 0 ? [cell.reduce((sum, { text }) => sum + text.length, 0)] : []))
  const filled = lengths.length
  if (filled < rows.length * columns * 0.4) return false
  const wide = rows.filter((row) => row.filter((cell) => cell.length > 0).length >= 2).length
  if (wide < Math.max(2, rows.length * 0.5)) return false
  const typical = (column: number) =>
    median(rows.map((row) => row[column]!.reduce((sum, { text }) => sum + text.length, 0)))
  // Two columns of long pieces are prose that the page's gutters did not explain.
  if (columns === 2 && typical(0) > 40 && typical(1) > 40) return false
  // A first column of nothing but markers is a list.
  const first = rows.map((row) => row[0]![0]?.text).filter((text) => text !== undefined)
  if (columns === 2 && first.length > 0 && first.every((text) => MARKER.test(text))) return false
  return true
}
