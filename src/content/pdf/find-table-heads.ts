// Finds a table's head between the rule above it and the body, and assigns its pieces, upright or rotated, to columns.
import { maxOf } from '../../base/large-array-helpers.ts'
import { makeSegment } from './group-rows.ts'
import {
  type Box,
  boundingBoxOf,
  middleX,
  middleY,
  type PdfRun,
  type PdfSegment,
  type RuledLine,
} from './page-layout-types.ts'

export interface TableColumn {
  x0: number
  x1: number
}

/** A table head is not taller than this. */
const MAX_HEAD_HEIGHT_PT = 110
/** A rule closer than this to the first row has no text in between, so it ends the table head. */
const ADJACENT_RULE_DISTANCE_PT = 9
/** Minimum share of the table's width that a rule must cover. */
const MIN_RULE_WIDTH_SHARE = 0.85

/** Sorted from top to bottom. */
export const findRuledLinesAcross = (rules: readonly RuledLine[], { x0, x1 }: TableColumn): RuledLine[] =>
  rules
    .filter(
      (rule) =>
        rule.x1 - rule.x0 > rule.y1 - rule.y0 &&
        Math.min(rule.x1, x1) - Math.max(rule.x0, x0) >= MIN_RULE_WIDTH_SHARE * (x1 - x0),
    )
    .sort((a, b) => a.y0 - b.y0)

export const MAX_HEAD_PIECES = 200

/** The area between a table and the nearest rule above it, if text fits there. */
export function findHeadArea(table: Box, rules: readonly RuledLine[], slack = -5): Box | undefined {
  const over = findRuledLinesAcross(rules, table).filter(
    ({ y1 }) => y1 < table.y0 + slack && y1 > table.y0 - MAX_HEAD_HEIGHT_PT,
  )
  const lowest = over.at(-1)
  // A rule directly above the first row ends the head, which is between it and the next rule above.
  const isHead = lowest !== undefined && table.y0 - lowest.y1 < ADJACENT_RULE_DISTANCE_PT
  const rule =
    isHead && over.length > 1 ? over.findLast(({ y1 }) => y1 < lowest.y0 - ADJACENT_RULE_DISTANCE_PT) : lowest
  return rule && { x0: Math.min(rule.x0, table.x0), x1: Math.max(rule.x1, table.x1), y0: rule.y0, y1: table.y0 + 2 }
}

export const isBoxIn = (box: Box, area: Box, slack = 4): boolean =>
  middleY(box) > area.y0 && middleY(box) < area.y1 && box.x0 >= area.x0 - slack && box.x1 <= area.x1 + slack

/** Column names are narrow; lines of text are nearly as wide as the table. */
export const looksLikeColumnNames = (pieces: readonly Box[], { x0, x1 }: TableColumn): boolean =>
  pieces.every((piece) => piece.x1 - piece.x0 < 0.5 * (x1 - x0))

/** Rotated words that begin in the area; their far ends may leave it. */
export const rotatedRunsIn = (turned: readonly PdfRun[], area: Box): PdfRun[] =>
  turned.filter((run) => middleY(run) > area.y0 && middleY(run) < area.y1 && run.x0 > area.x0 && run.x0 < area.x1)

/** Head pieces of each column, from top to bottom. `isEmpty` marks spacer columns. */
export function makeHeadCells(
  columns: readonly TableColumn[],
  pieces: readonly PdfSegment[],
  turned: readonly PdfRun[],
  isEmpty: (column: number) => boolean,
): PdfSegment[][] {
  const heads: PdfSegment[][] = columns.map(() => [])
  const taken = new Set<number>()
  for (const run of turned) {
    const column = columnAt(columns, run.x0 + run.size * 0.5)
    heads[column]!.push(makeSegment([run]))
    taken.add(column)
  }
  const lowest = Math.max(maxOf(pieces.map(({ base }) => base)), 0)
  for (const piece of pieces) {
    const own = columnsUnder(columns, piece)
    const isAbove = piece.base < lowest - 2 || taken.size > 0
    const span = isAbove && own.length > 0 ? widenColumns(columns, own, piece, isEmpty, pieces) : own
    for (const column of span) heads[column]!.push(piece)
  }
  for (const head of heads) head.sort((a, b) => a.y1 - b.y1 || a.x0 - b.x0)
  return heads
}

function columnAt(columns: readonly TableColumn[], x: number): number {
  let best = 0
  for (const [index, { x0, x1 }] of columns.entries()) {
    if (x >= x0 && x <= x1) return index
    const away = (column: TableColumn) => Math.min(Math.abs(column.x0 - x), Math.abs(column.x1 - x))
    if (away(columns[index]!) < away(columns[best]!)) best = index
  }
  return best
}

function columnsUnder(columns: readonly TableColumn[], piece: PdfSegment): number[] {
  const found = columns.flatMap(({ x0, x1 }, index) => {
    const shared = Math.min(x1, piece.x1) - Math.max(x0, piece.x0)
    return shared > Math.min(x1 - x0, piece.x1 - piece.x0) * 0.5 ? [index] : []
  })
  return found.length > 0 ? found : [columnAt(columns, middleX(piece))]
}

/** The widest group of columns centred on the piece, limited by other pieces in its row. */
function widenColumns(
  columns: readonly TableColumn[],
  own: readonly number[],
  piece: PdfSegment,
  isEmpty: (column: number) => boolean,
  pieces: readonly PdfSegment[],
): number[] {
  const beside = pieces.filter((other) => other !== piece && Math.abs(other.base - piece.base) < 0.5 * piece.size)
  const isFree = (column: number) =>
    !isEmpty(column) &&
    !beside.some(({ x0, x1 }) => Math.min(x1, columns[column]!.x1) - Math.max(x0, columns[column]!.x0) > 2)
  let from = own[0]!
  let to = own.at(-1)!
  while (from > 0 && isFree(from - 1)) from--
  while (to < columns.length - 1 && isFree(to + 1)) to++
  const middle = middleX(piece)
  let best: [number, number] = [own[0]!, own.at(-1)!]
  for (let start = from; start <= own[0]!; start++)
    for (let end = own.at(-1)!; end <= to; end++) {
      const { x0, x1 } = boundingBoxOf([columns[start]!, columns[end]!].map((one) => ({ ...one, y0: 0, y1: 0 })))
      const isCentred = Math.abs((x0 + x1) / 2 - middle) < Math.max(piece.size * 0.8, (x1 - x0) * 0.06)
      if (isCentred && end - start > best[1] - best[0]) best = [start, end]
    }
  return Array.from({ length: best[1] - best[0] + 1 }, (_, at) => best[0] + at)
}
