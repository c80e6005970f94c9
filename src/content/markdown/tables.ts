// Classifies tables as data, layout or code, builds the grid of data tables and writes it as Markdown.
import type { AnyNode, Element } from 'domhandler'
import type { RemovedNodes } from '../find-main-content.ts'
import { isElement, isText } from '../parse-tree.ts'
import { isCodeDecoration } from './extract-code.ts'

export type TableKind = 'data' | 'layout' | 'code'

interface Facts {
  rows: number
  widest: number
  headers: number
  blocks: number
  headings: number
  gutters: number
  inner: Element[]
  cells: number
  longCells: number
}

export type MarkdownCell = { text: string; header: boolean; columns: number; rows: number; align: string }

export function classifyTables(root: AnyNode, cuts: RemovedNodes): Map<Element, TableKind> {
  const facts = gather(root, cuts)
  const kinds = new Map<Element, TableKind>()
  // Reverse document order, so the kinds of inner tables are known first.
  for (const [table, fact] of [...facts].reverse()) kinds.set(table, kindOf(table, fact, kinds))
  return kinds
}

function kindOf(table: Element, fact: Facts, kinds: Map<Element, TableKind>): TableKind {
  const role = table.attribs.role
  if (fact.gutters > 1) return 'code'
  if (role === 'presentation' || role === 'none') return 'layout'
  if (fact.cells === 0) return 'layout'
  // One column is data where it has a head and nothing but short cells.
  if (fact.widest < 2)
    return fact.headers === 1 && fact.rows > 1 && fact.blocks + fact.headings + fact.inner.length + fact.longCells === 0
      ? 'data'
      : 'layout'
  if (fact.headers > 0) {
    // One header cell is enough for data, unless several headings indicate a layout.
    return fact.headings > 2 && fact.headers < 2 ? 'layout' : 'data'
  }
  if (fact.rows < 2 || fact.headings > 0) return 'layout'
  if (fact.inner.some((inner) => kinds.get(inner) === 'data')) return 'layout'
  if (fact.blocks > fact.cells * 2) return 'layout'
  if (fact.longCells * 2 > fact.cells) return 'layout'
  return 'data'
}

const BLOCKS = new Set(['p', 'ul', 'ol', 'pre', 'blockquote', 'form', 'section', 'article', 'hr', 'dl', 'figure'])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const LONG_CELL = 600

type OpenTable = { table: Element; fact: Facts; width: number; cellChars: number; outer: OpenTable | undefined }

function gather(root: AnyNode, cuts: RemovedNodes): Map<Element, Facts> {
  const facts = new Map<Element, Facts>()
  let top: OpenTable | undefined
  let node: AnyNode | null = root
  while (node) {
    let skip = false
    if (isText(node)) {
      if (top) top.cellChars += node.data.length
    } else if (isElement(node)) {
      if (cuts.has(node)) skip = true
      else if (node.name === 'table') {
        const contents = { headers: 0, blocks: 0, headings: 0, gutters: 0, inner: [] }
        const fact = { rows: 0, widest: 0, ...contents, cells: 0, longCells: 0 }
        top?.fact.inner.push(node)
        facts.set(node, fact)
        top = { table: node, fact, width: 0, cellChars: 0, outer: top }
      } else if (top) count(node, top)
    }
    const first: AnyNode | undefined = !skip && 'children' in node ? node.children[0] : undefined
    if (first) {
      node = first
      continue
    }
    while (node && node !== root && !node.next) {
      leave(node)
      node = node.parent
    }
    if (!node || node === root) break
    leave(node)
    node = node.next
  }
  return facts

  function leave(left: AnyNode): void {
    if (top && left === top.table) {
      const { outer, cellChars } = top
      if (outer) outer.cellChars += cellChars
      top = outer
    } else if (top && isElement(left) && (left.name === 'td' || left.name === 'th')) {
      if (top.cellChars > LONG_CELL) top.fact.longCells++
      top.cellChars = 0
    }
  }
}

function count(element: Element, top: { fact: Facts; width: number }): void {
  const { fact } = top
  const { name } = element
  if (name === 'tr') {
    fact.rows++
    top.width = 0
  } else if (name === 'td' || name === 'th') {
    fact.cells++
    if (name === 'th') fact.headers++
    if (isCodeDecoration(element)) fact.gutters++
    fact.widest = Math.max(fact.widest, ++top.width)
  } else if (HEADINGS.has(name)) fact.headings++
  else if (BLOCKS.has(name)) fact.blocks++
}

const MAX_COLUMNS = 200

/** Makes rows equally long: row spans repeat the cell, column spans add empty cells. */
function gridOf(rows: readonly (readonly MarkdownCell[])[]): string[][] {
  let cells = 0
  let chars = 0
  for (const row of rows) for (const cell of row) chars += cell.text.length + (++cells && 1)
  // Limits repetition to the table's own size, so a hostile rowspan cannot multiply the output.
  let budget = 20_000 + chars
  const grid: string[][] = []
  const held: ({ text: string; rows: number } | undefined)[] = []
  for (const row of rows) {
    if (row.length === 0) continue
    const line: string[] = []
    const fill = () => {
      for (let above = held[line.length]; above && above.rows > 0; above = held[line.length]) {
        above.rows--
        budget -= above.text.length + 3
        if (budget < 0) held.length = 0
        else line.push(above.text)
      }
    }
    for (const cell of row) {
      fill()
      if (line.length >= MAX_COLUMNS) {
        line[line.length - 1] += ` ${cell.text}`
        continue
      }
      for (let column = 0; column < cell.columns && line.length < MAX_COLUMNS; column++) {
        const text = column === 0 ? cell.text : ''
        held[line.length] = cell.rows > 1 ? { text, rows: cell.rows - 1 } : undefined
        line.push(text)
      }
    }
    fill()
    grid.push(line)
  }
  const width = grid.reduce((most, line) => Math.max(most, line.length), 0)
  // GFM parsers fill short rows; one long row must not lengthen a million others.
  const pad = grid.length * width <= cells * 8 + 20_000
  for (const line of grid) while (line.length < width && (pad || line === grid[0])) line.push('')
  return grid
}

export function tableToMarkdown(rows: readonly (readonly MarkdownCell[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.text !== ''))
  if (filled.length === 0) return ''
  const grid = gridOf(filled)
  const width = grid[0]?.length ?? 0
  const aligns = alignments(filled, width)
  const hasHead = isHeadRow(filled[0]!)
  // GFM has no table without a head: an empty one leaves the first row what it is, data.
  const lines: string[] = hasHead ? [] : [rowText(aligns.map(() => '')), rowText(aligns)]
  for (let at = 0; at < grid.length; at++) {
    lines.push(rowText(grid[at]!))
    if (at === 0 && hasHead) lines.push(rowText(aligns))
  }
  return lines.join('\n')
}

/** A lone header cell beside data is the head of its row. A row of bold cells is a head without the tag for it. */
function isHeadRow([first, ...others]: readonly MarkdownCell[]): boolean {
  if (others.length === 0) return first?.header === true
  if (others.some(({ header }) => header)) return true
  return [first!, ...others].every(({ text }) => text === '' || BOLD.test(text))
}

const BOLD = /^\*\*(?:(?!\*\*).)+\*\*$/

const rowText = (cells: readonly string[]): string => `|${cells.map((cell) => (cell ? ` ${cell} ` : ' ')).join('|')}|`

const RULES: Record<string, string> = { left: ':--', center: ':-:', right: '--:' }

function alignments(rows: readonly (readonly MarkdownCell[])[], width: number): string[] {
  const rules: string[] = []
  const second = rows[1] ?? []
  for (const [index, cell] of (rows[0] ?? []).entries()) {
    const align = cell.align || (cell.columns === 1 ? (second[index]?.align ?? '') : '')
    for (let column = 0; column < cell.columns && rules.length < width; column++) rules.push(RULES[align] ?? '---')
  }
  while (rules.length < width) rules.push('---')
  return rules
}

export function cellAttributesOf(element: Element): Omit<MarkdownCell, 'text'> {
  const { attribs, name, parent } = element
  const rowGroup = parent?.parent
  const style = attribs.style?.match(/text-align\s*:\s*(left|center|right)/i)?.[1]
  return {
    header: name === 'th' || (isElement(rowGroup) && rowGroup.name === 'thead'),
    columns: span(attribs.colspan, MAX_COLUMNS),
    rows: span(attribs.rowspan, 65_534),
    align: (attribs.align ?? style ?? '').toLowerCase(),
  }
}

function span(text: string | undefined, most: number): number {
  const number = Number.parseInt(text ?? '1', 10)
  return number >= 1 ? Math.min(number, most) : 1
}
