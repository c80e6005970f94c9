// Tables of data: which words head the columns, and the rows below; rows of two cells are labels and values.
import type { Element } from 'domhandler'
import { elementChildren } from '../tree.ts'
import { cellText, isLabel, type Pair, pair } from './pairs.ts'

export interface DataTable {
  element: Element
  isMain: boolean
  at: number
  caption: string
  /** Empty when no row heads the columns. */
  headers: string[]
  rows: Element[][]
}

const MAX_ROWS = 2000
const MAX_CELLS = 60
/** Rows looked at when a table's use is judged. */
const SAMPLE = 30

export function tableOf(element: Element, isMain: boolean, at: number): DataTable | undefined {
  const rows: { cells: Element[]; isHead: boolean }[] = []
  let caption = ''
  const open = [...elementChildren(element)].reverse()
  for (let part = open.pop(); part && rows.length < MAX_ROWS; part = open.pop()) {
    if (part.name === 'caption') caption = cellText(part)
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
  const body = rows.filter(({ isHead }, n) => !isHead && n > head).map(({ cells }) => cells)
  const headers = head < 0 ? [] : rows[head]!.cells.flatMap(spread)
  return { element, isMain, at, caption, headers, rows: body }
}

/** A heading over two columns heads both. */
function spread(cell: Element): string[] {
  const columns = Math.min(10, Math.max(1, Number.parseInt(cell.attribs.colspan ?? '1', 10) || 1))
  return Array.from({ length: columns }, () => cellText(cell))
}

/** Rows of one label and one value; none when the table is a list of records. */
export function tablePairs({ headers, rows, isMain, at }: DataTable): Pair[] {
  const sample = rows.slice(0, SAMPLE)
  if (headers.length > 2 || sample.length === 0) return []
  const twos = sample.filter((cells) => cells.length === 2).length
  if (twos < sample.length * 0.6) return []
  // Two columns with headings are records of two fields, unless the first column is itself made of headings.
  const headed = headers.length === 2 && !sample.some(([first]) => first?.name === 'th')
  return rows.flatMap((cells, n) => {
    const [label, value] = cells
    if (cells.length !== 2 || !label || !value) return []
    const text = cellText(label)
    return isLabel(text) ? [pair(text, cellText(value), value, isMain, at + n, headed ? 0.7 : 1)] : []
  })
}
