// Tables drawn with rules: lines that touch make a grid, and each run belongs to the cell around it.
import { segmentOf } from './rows.ts'
import { around, type Box, middleX, middleY, type Rule, type Run } from './sheet.ts'

/** Lines this near to each other meet. */
const TOUCH = 3
const MAX_RULES = 4000
const MAX_LINES = 200

export interface Cell {
  runs: Run[]
  /** Columns it spans. */
  span: number
}

export interface Grid extends Box {
  rows: Cell[][]
}

/** Tables whose cells are ruled on all sides, and the runs inside them. */
export function ruledTables(rules: readonly Rule[], runs: readonly Run[]): Grid[] {
  if (rules.length < 5 || rules.length > MAX_RULES) return []
  const taken = new Set<Run>()
  return components(rules).flatMap((lines) => {
    const inside = runs.filter((run) => !taken.has(run) && isInside(run, around(lines)))
    const grid = gridOf(lines, inside)
    if (grid) for (const run of inside) taken.add(run)
    return grid ? [grid] : []
  })
}

const isInside = (run: Run, box: Box): boolean =>
  middleX(run) > box.x0 - 1 && middleX(run) < box.x1 + 1 && middleY(run) > box.y0 - 1 && middleY(run) < box.y1 + 1

/** Rules that touch, together. Swept from top to bottom, so that a page full of hatching stays cheap. */
function components(rules: readonly Rule[]): Rule[][] {
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
    open = open.filter((other) => sorted[other]!.y1 + TOUCH >= rule.y0)
    for (const other of open) {
      const line = sorted[other]!
      if (line.x0 - TOUCH <= rule.x1 && rule.x0 - TOUCH <= line.x1) parent[find(index)] = find(other)
    }
    open.push(index)
    if (open.length > MAX_LINES * 5) return []
  }
  const groups = new Map<number, Rule[]>()
  for (const [index, rule] of sorted.entries()) {
    const root = find(index)
    const group = groups.get(root)
    if (group) group.push(rule)
    else groups.set(root, [rule])
  }
  return [...groups.values()]
}

function gridOf(lines: readonly Rule[], runs: readonly Run[]): Grid | undefined {
  const across = lines.filter((line) => line.x1 - line.x0 > line.y1 - line.y0)
  const down = lines.filter((line) => line.x1 - line.x0 <= line.y1 - line.y0)
  const ys = clustered(across.map(middleY))
  const xs = clustered(down.map(middleX))
  if (xs.length < 3 || ys.length < 3 || xs.length > MAX_LINES || ys.length > MAX_LINES) return undefined
  const columns = xs.length - 1
  const rows: Cell[][] = ys.slice(1).map((_, row) => {
    const top = ys[row]!
    const bottom = ys[row + 1]!
    const middle = (top + bottom) / 2
    const walls = xs.map((x) =>
      down.some(
        (line) => Math.abs(middleX(line) - x) <= TOUCH && line.y0 - TOUCH <= middle && line.y1 + TOUCH >= middle,
      ),
    )
    const cells: Cell[] = []
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
  const filled = rows.filter((row) => row.some((cell) => cell.runs.length > 0))
  const used = new Set(filled.flatMap((row) => startsOf(row)))
  // A frame around prose is no table, and neither is a chart's grid, whose cells are empty.
  const cells = filled.flat()
  const full = cells.filter((cell) => cell.runs.length > 0)
  if (filled.length < 2 || used.size < 2 || full.length * 3 < cells.length) return undefined
  return { ...around(lines), rows: filled }
}

/** Columns in which a filled cell begins. */
function startsOf(row: readonly Cell[]): number[] {
  const starts: number[] = []
  let column = 0
  for (const cell of row) {
    if (cell.runs.length > 0) starts.push(column)
    column += cell.span
  }
  return starts
}

function cellAt(row: Cell[], column: number): Cell {
  let at = 0
  for (const cell of row) {
    at += cell.span
    if (column < at) return cell
  }
  return row.at(-1)!
}

function slot(edges: readonly number[], value: number): number | undefined {
  if (value < edges[0]! - TOUCH || value > edges.at(-1)! + TOUCH) return undefined
  let at = 0
  while (at + 2 < edges.length && value >= edges[at + 1]!) at++
  return at
}

function clustered(values: readonly number[]): number[] {
  const found: number[] = []
  for (const value of [...values].sort((a, b) => a - b)) {
    const last = found.at(-1)
    if (last === undefined || value - last > TOUCH) found.push(value)
  }
  return found
}

/** The text of a cell, line by line. */
export const linesOfCell = (runs: readonly Run[]) => {
  const sorted = [...runs].sort((a, b) => a.base - b.base || a.x0 - b.x0)
  const lines: Run[][] = []
  for (const run of sorted) {
    const line = lines.at(-1)
    if (line && Math.abs(line[0]!.base - run.base) <= 0.45 * Math.max(line[0]!.size, run.size)) line.push(run)
    else lines.push([run])
  }
  return lines.map((line) => segmentOf(line.sort((a, b) => a.x0 - b.x0)))
}
