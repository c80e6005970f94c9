// Data tables: column headers and rows; rows of two cells are labels and values.
import type { Element } from 'domhandler'
import { elementChildren, findElement } from '../../content/parse-tree.ts'
import { cellTextOf, type LabelValuePair, looksLikeLabel, makePair } from './find-label-value-pairs.ts'

export interface DataTable {
  element: Element
  isMain: boolean
  at: number
  caption: string
  /** Empty without a header row. */
  headers: string[]
  rows: Element[][]
}

const MAX_ROWS = 2000
const MAX_CELLS = 60
/** Rows sampled to classify a table. */
const MAX_SAMPLED_ROWS = 30

export function readDataTable(element: Element, isMain: boolean, at: number): DataTable | undefined {
  const rows: { cells: Element[]; isHead: boolean }[] = []
  let caption = ''
  const open = [...elementChildren(element)].reverse()
  for (let part = open.pop(); part && rows.length < MAX_ROWS; part = open.pop()) {
    if (part.name === 'caption') caption = cellTextOf(part)
    else if (part.name === 'tr') {
      const cells = elementChildren(part)
        .filter(({ name }) => name === 'td' || name === 'th')
        .slice(0, MAX_CELLS)
      const inHead = part.parent && 'name' in part.parent && part.parent.name === 'thead'
      if (cells.length > 0) rows.push({ cells, isHead: inHead || cells.every(({ name }) => name === 'th') })
    } else if (/^t(?:head|body|foot)$/.test(part.name)) open.push(...elementChildren(part).reverse())
  }
  if (rows.length === 0) return undefined
  const head = rows.findIndex(({ isHead, cells }) => isHead && cells.length > 1)
  const headers = head < 0 ? [] : rows[head]!.cells.flatMap(spread)
  // Totals in the footer are not rows.
  const isSum = (cells: readonly Element[]) => inFoot(cells[0]!) && cells.length < headers.length
  const body = rows.filter(({ isHead, cells }, n) => !isHead && n > head && !isSum(cells)).map(({ cells }) => cells)
  return { element, isMain, at, caption, headers, rows: body }
}

const inFoot = ({ parent }: Element): boolean =>
  parent?.parent !== null && parent?.parent !== undefined && 'name' in parent.parent && parent.parent.name === 'tfoot'

function headerText(cell: Element): string {
  const text = cellTextOf(cell)
  const abbr =
    cell.attribs.abbr ??
    cell.attribs.title ??
    findElement(cell, ({ name, attribs }) => name === 'abbr' && attribs.title !== undefined, 20)?.attribs.title
  return abbr && abbr.length > text.length && abbr.length <= 60 ? abbr : text
}

/** A header over two columns applies to both. */
function spread(cell: Element): string[] {
  const columns = Math.min(10, Math.max(1, Number.parseInt(cell.attribs.colspan ?? '1', 10) || 1))
  return Array.from({ length: columns }, () => headerText(cell))
}

const MAX_CROSSED = 400

/**
 * The value of a row and a column: "Citations", "Since 2021".
 */
export function pairsOfRowsAndColumns({ headers, rows, isMain, at }: DataTable): LabelValuePair[] {
  if (headers.length < 2 || rows.length > 60 || rows.length * headers.length > MAX_CROSSED) return []
  const isBare = headers[0] === '' && headers.length === 2
  return rows.flatMap((cells, n) => {
    const label = cells[0] && cellTextOf(cells[0])
    if (!label || cells.length !== headers.length || !looksLikeLabel(label)) return []
    return cells.slice(1).flatMap((cell, m) => {
      const value = cellTextOf(cell)
      const header = headers[m + 1] ?? ''
      const crossed = header === '' ? [] : [makePair(`${label} ${header}`, value, cell, isMain, at + n, 0.9)]
      return isBare ? [makePair(label, value, cell, isMain, at + n, 0.9), ...crossed] : crossed
    })
  })
}

/** Rows of one label and one value; none when the table is a list of records. */
export function pairsOfTwoColumnTable({ headers, rows, isMain, at }: DataTable): LabelValuePair[] {
  const sample = rows.slice(0, MAX_SAMPLED_ROWS)
  if (headers.length > 2 || sample.length === 0) return []
  const twos = sample.filter((cells) => cells.length === 2).length
  if (twos < sample.length * 0.6) return []
  // Two columns with headers are records of two fields, unless the first column consists of header cells.
  const headed = headers.length === 2 && !sample.some(([first]) => first?.name === 'th')
  return rows.flatMap((cells, n) => {
    const [label, value] = cells
    if (cells.length !== 2 || !label || !value) return []
    const text = cellTextOf(label)
    return looksLikeLabel(text) ? [makePair(text, cellTextOf(value), value, isMain, at + n, headed ? 0.7 : 1)] : []
  })
}
