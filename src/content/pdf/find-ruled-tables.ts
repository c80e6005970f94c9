// Finds ruled tables: touching lines form a grid, and each run belongs to the cell around it.
import { appendAll, maxOf, minOf } from '../../base/large-array-helpers.ts'
import { makeSegment } from './group-rows.ts'
import { type Box, boundingBoxOf, middleX, middleY, type PdfRun, type RuledLine } from './page-layout-types.ts'

/** Lines no further apart than this count as touching. */
const MAX_TOUCH_DISTANCE_PT = 3
const MIN_CELL = 8
const MAX_OPEN_CHARS = 150
const MAX_RULES = 4000
const MAX_LINES = 200

interface PdfCell {
  runs: PdfRun[]
  span: number
  /** Continues the cell above: no rule between them, and the same runs. */
  isRest?: boolean
}

export interface RuledTable extends Box {
  rows: PdfCell[][]
  columns: { x0: number; x1: number }[]
}

export function findRuledTables(rules: readonly RuledLine[], runs: readonly PdfRun[]): RuledTable[] {
  if (rules.length < 5 || rules.length > MAX_RULES) return []
  const taken = new Set<PdfRun>()
  return components(rules).flatMap((lines) => {
    const inside = runs.filter((run) => !taken.has(run) && isInside(run, boundingBoxOf(lines)))
    const grid = gridOf(lines, inside)
    if (grid) for (const run of inside) taken.add(run)
    return grid ? [grid] : []
  })
}

const isInside = (run: PdfRun, box: Box): boolean =>
  middleX(run) > box.x0 - 1 && middleX(run) < box.x1 + 1 && middleY(run) > box.y0 - 1 && middleY(run) < box.y1 + 1

/** Groups rules that touch. The sweep from top to bottom keeps pages full of hatching cheap. */
function components(rules: readonly RuledLine[]): RuledLine[][] {
  const sorted = [...rules].sort((a, b) => a.y0 - b.y0)
  const parent = sorted.map((_, index) => index)
  const find = (index: number): number => {
    let at = index
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!
      at = parent[at]!
    }
    return at
  }
  let open: number[] = []
  for (const [index, rule] of sorted.entries()) {
    open = open.filter((other) => sorted[other]!.y1 + MAX_TOUCH_DISTANCE_PT >= rule.y0)
    for (const other of open) {
      const line = sorted[other]!
      if (line.x0 - MAX_TOUCH_DISTANCE_PT <= rule.x1 && rule.x0 - MAX_TOUCH_DISTANCE_PT <= line.x1)
        parent[find(index)] = find(other)
    }
    open.push(index)
    if (open.length > MAX_LINES * 5) return []
  }
  const groups = new Map<number, RuledLine[]>()
  for (const [index, rule] of sorted.entries()) {
    const root = find(index)
    const group = groups.get(root)
    if (group) group.push(rule)
    else groups.set(root, [rule])
  }
  return [...groups.values()]
}

function gridOf(lines: readonly RuledLine[], runs: readonly PdfRun[]): RuledTable | undefined {
  const across = lines.filter((line) => line.x1 - line.x0 > line.y1 - line.y0)
  const down = lines.filter((line) => line.x1 - line.x0 <= line.y1 - line.y0)
  const frame = boundingBoxOf(lines)
  const ys = withEnds(clusterValues(across.map(middleY)), frame.y0, frame.y1, down.length > 1)
  const xs = withEnds(clusterValues(down.map(middleX)), frame.x0, frame.x1, across.length > 1)
  if (xs.length < 3 || ys.length < 3 || xs.length > MAX_LINES || ys.length > MAX_LINES) return undefined
  const columns = xs.length - 1
  const rows: PdfCell[][] = ys.slice(1).map((_, row) => {
    const top = ys[row]!
    const bottom = ys[row + 1]!
    const middle = (top + bottom) / 2
    const walls = xs.map((x) =>
      down.some(
        (line) =>
          Math.abs(middleX(line) - x) <= MAX_TOUCH_DISTANCE_PT &&
          line.y0 - MAX_TOUCH_DISTANCE_PT <= middle &&
          line.y1 + MAX_TOUCH_DISTANCE_PT >= middle,
      ),
    )
    const cells: PdfCell[] = []
    for (let column = 0; column < columns; column++) {
      if (column > 0 && !walls[column] && cells.length > 0) cells.at(-1)!.span++
      else cells.push({ runs: [], span: 1 })
    }
    return cells
  })
  for (const run of runs) {
    const row = slot(ys, middleY(run))
    const column = slot(xs, middleX(run))
    if (row === undefined || column === undefined) return undefined
    cellAt(rows[row]!, column).runs.push(run)
  }
  joinDown(rows, xs, ys, across)
  const filled = rows.filter((row) => row.some((cell) => cell.runs.length > 0))
  const used = new Set(filled.flatMap((row) => startsOf(row)))
  // Adjacent cards look like a table with open sides, but contain long text.
  const isOpen = xs[0]! < minOf(down.map(middleX)) - 1 || xs.at(-1)! > maxOf(down.map(middleX)) + 1
  const longest = maxOf(filled.flat().map(({ runs }) => runs.reduce((sum, { text }) => sum + text.length, 0)))
  if (isOpen && longest > MAX_OPEN_CHARS) return undefined
  // Excludes frames around prose and empty chart grids.
  const cells = filled.flat()
  const full = cells.filter((cell) => cell.runs.length > 0)
  // At least one row must start two filled cells.
  if (!filled.some((row) => row.filter((cell) => cell.runs.length > 0 && !cell.isRest).length >= 2)) return undefined
  if (filled.length < 2 || used.size < 2 || full.length * 3 < cells.length) return undefined
  return {
    ...frame,
    rows: filled.length <= 3 ? filled.flatMap(inLines) : filled,
    columns: xs.slice(1).map((x1, at) => ({ x0: xs[at]!, x1 })),
  }
}

/** Adds the outer edges of tables without a frame, from the ends of the crossing rules. */
function withEnds(edges: number[], from: number, to: number, isFrame: boolean): number[] {
  if (!isFrame || edges.length === 0) return edges
  const first = from < edges[0]! - MIN_CELL ? [from] : []
  const last = to > edges.at(-1)! + MIN_CELL ? [to] : []
  return [...first, ...edges, ...last]
}

function joinDown(rows: PdfCell[][], xs: readonly number[], ys: readonly number[], across: readonly RuledLine[]): void {
  for (let row = 1; row < rows.length; row++) {
    const y = ys[row]!
    const here = across.filter((line) => Math.abs(middleY(line) - y) <= MAX_TOUCH_DISTANCE_PT)
    let column = 0
    let aboveAt = 0
    const above = new Map(
      rows[row - 1]!.map((cell) => {
        const start = aboveAt
        aboveAt += cell.span
        return [start, cell] as const
      }),
    )
    for (const cell of rows[row]!) {
      const x = (xs[column]! + xs[column + 1]!) / 2
      const over = above.get(column)
      const isOpen = !here.some((line) => line.x0 - MAX_TOUCH_DISTANCE_PT <= x && line.x1 + MAX_TOUCH_DISTANCE_PT >= x)
      if (isOpen && over && over.span === cell.span) {
        appendAll(over.runs, cell.runs)
        cell.runs = over.runs
        cell.isRest = true
      }
      column += cell.span
    }
  }
}

/** Splits a row with many lines in several columns, where only the columns were ruled. */
function inLines(row: PdfCell[]): PdfCell[][] {
  if (row.some(({ isRest }) => isRest)) return [row]
  const lines = row.map(({ runs }) => linesOfCell(runs))
  const bases: number[] = []
  for (const base of lines.flatMap((cell) => cell.map((line) => line.base)).sort((a, b) => a - b))
    if (bases.length === 0 || base - bases.at(-1)! > MAX_TOUCH_DISTANCE_PT) bases.push(base)
  const full = lines.filter((cell) => cell.length >= bases.length * 0.8).length
  const filled = lines.filter((cell) => cell.length > 0).length
  if (bases.length < 4 || full < 2 || full * 3 < filled * 2) return [row]
  return bases.map((base) =>
    row.map(({ span }, column) => ({
      span,
      runs: lines[column]!.filter(
        (line) => line.base >= base - 0.1 && line.base <= base + MAX_TOUCH_DISTANCE_PT,
      ).flatMap(({ runs }) => runs),
    })),
  )
}

function startsOf(row: readonly PdfCell[]): number[] {
  const starts: number[] = []
  let column = 0
  for (const cell of row) {
    if (cell.runs.length > 0) starts.push(column)
    column += cell.span
  }
  return starts
}

function cellAt(row: PdfCell[], column: number): PdfCell {
  let at = 0
  for (const cell of row) {
    at += cell.span
    if (column < at) return cell
  }
  return row.at(-1)!
}

function slot(edges: readonly number[], value: number): number | undefined {
  if (value < edges[0]! - MAX_TOUCH_DISTANCE_PT || value > edges.at(-1)! + MAX_TOUCH_DISTANCE_PT) return undefined
  let at = 0
  while (at + 2 < edges.length && value >= edges[at + 1]!) at++
  return at
}

function clusterValues(values: readonly number[]): number[] {
  const found: number[] = []
  for (const value of [...values].sort((a, b) => a - b)) {
    const last = found.at(-1)
    if (last === undefined || value - last > MAX_TOUCH_DISTANCE_PT) found.push(value)
  }
  return found
}

export const linesOfCell = (runs: readonly PdfRun[]) => {
  const sorted = [...runs].sort((a, b) => a.base - b.base || a.x0 - b.x0)
  const lines: PdfRun[][] = []
  for (const run of sorted) {
    const line = lines.at(-1)
    if (line && Math.abs(line[0]!.base - run.base) <= 0.45 * Math.max(line[0]!.size, run.size)) line.push(run)
    else lines.push([run])
  }
  return lines.map((line) => makeSegment(line.sort((a, b) => a.x0 - b.x0)))
}
