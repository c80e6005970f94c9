// Collects RTF text into lines, paragraphs and table cells. The document, each note and each text box has its own flow.
import type { TableCell } from '../escape-and-build-html.ts'
import {
  HtmlBuilder,
  headingKindOfLevel,
  type ListPosition,
  type ParagraphKind,
  ParagraphText,
} from './paragraphs-to-html.ts'
import type { RtfHeaderTables } from './rtf-header-tables.ts'

/** Paragraph properties, valid until the next `pard`. */
interface Paragraph {
  kind: ParagraphKind | undefined
  style: number
  list: number | undefined
  oldMark: 'bullet' | 'number' | undefined
  level: number
  inTable: boolean
}
const makePlainParagraph = (): Paragraph => ({
  kind: undefined,
  style: 0,
  list: undefined,
  oldMark: undefined,
  level: 0,
  inTable: false,
})

interface CellShape {
  right: number
  joinsAbove: boolean
  joinsLeft: boolean
}
interface Row {
  cells: string[]
  shapes: CellShape[]
}

/** Cell edges closer than this count as equal. */
const EQUAL_EDGE_TWIPS = 60
const MAX_CELLS = 200

export class RtfTextCollector {
  line = new ParagraphText()
  readonly #tables: RtfHeaderTables
  readonly #prose = new HtmlBuilder()
  #cell = new HtmlBuilder()
  #cells: string[] = []
  #shapes: CellShape[] = []
  #shape = { joinsAbove: false, joinsLeft: false }
  #rows: Row[] = []
  #paragraph = makePlainParagraph()
  readonly #counts = new Map<number, number[]>()
  #boxes: string[] = []

  constructor(tables: RtfHeaderTables) {
    this.#tables = tables
  }

  /** True if the control word concerned paragraphs or tables. */
  control(word: string, value = 0): boolean {
    const at = this.#paragraph
    if (word === 'pard') this.#paragraph = makePlainParagraph()
    else if (word === 's') at.style = value
    else if (word === 'outlinelevel') at.kind = value < 9 ? headingKindOfLevel(value + 1) : undefined
    else if (word === 'ls') at.list = value
    else if (word === 'ilvl') at.level = Math.min(8, Math.max(0, value))
    else if (word === 'pnlvlblt') at.oldMark = 'bullet'
    else if (word === 'pndec') at.oldMark = 'number'
    else if (word === 'intbl') at.inTable = true
    else if (word === 'par' || word === 'sect' || word === 'page') this.#endParagraph()
    else if (word === 'trowd') this.#shapes = []
    else if (word === 'clvmrg') this.#shape.joinsAbove = true
    else if (word === 'clmrg') this.#shape.joinsLeft = true
    else if (word === 'cellx') this.#endShape(value)
    else if (word === 'cell') this.#endCell()
    else if (word === 'nestcell') this.line.write(' ')
    else if (word === 'row') this.#endRow()
    else return false
    return true
  }

  box(html: string): void {
    if (html) this.#boxes.push(html)
  }

  end(): HtmlBuilder {
    if (this.#cells.length > 0) this.#endRow()
    this.#paragraph.inTable = false
    this.#endParagraph()
    this.#endTable()
    return this.#prose
  }

  #endParagraph(): void {
    const at = this.#paragraph
    if (!at.inTable) this.#endTable()
    const prose = at.inTable ? this.#cell : this.#prose
    const kind = at.kind ?? this.#tables.kind(at.style)
    prose.paragraph(this.line, kind, this.line.isEmpty ? undefined : this.#place(at))
    for (const box of this.#boxes) prose.add(box)
    this.#boxes = []
    this.line = new ParagraphText()
  }

  #place({ list, level, oldMark }: Paragraph): ListPosition | undefined {
    const mark = list === undefined || list === 0 ? oldMark : this.#tables.mark(list, level)
    if (!mark) return undefined
    const counts = this.#counts.get(list ?? 0) ?? []
    this.#counts.set(list ?? 0, counts)
    const number = (counts[level] ?? 0) + 1
    counts.length = level
    counts[level] = number
    return { level, ordered: mark === 'number', number }
  }

  #endShape(right: number): void {
    if (this.#shapes.length < MAX_CELLS) this.#shapes.push({ right, ...this.#shape })
    this.#shape = { joinsAbove: false, joinsLeft: false }
  }

  #endCell(): void {
    this.#paragraph.inTable = true
    this.#endParagraph()
    if (this.#cells.length < MAX_CELLS) this.#cells.push(this.#cell.toInnerHtml())
    this.#cell = new HtmlBuilder()
  }

  #endRow(): void {
    if (this.#cells.length > 0) this.#rows.push({ cells: this.#cells, shapes: this.#shapes })
    this.#cells = []
  }

  #endTable(): void {
    if (this.#rows.length > 0) this.#prose.table(gridOf(this.#rows))
    this.#rows = []
  }
}

/** Rows store the right edges of cells; a cell that skips an edge of other rows spans columns. */
function gridOf(rows: readonly Row[]): TableCell[][] {
  const columnAfter = columnsOf(rows)
  const grid: TableCell[][] = []
  const reaching: ({ rows: number } | undefined)[] = []
  for (const { cells, shapes } of rows) {
    const row: TableCell[] = []
    let before: { columns: number } | undefined
    cells.forEach((html, index) => {
      const shape = shapes[index]
      const from = row.length
      const to = Math.max(from + 1, shape ? columnAfter(shape.right) : 0)
      const above = shape?.joinsAbove ? reaching[from] : undefined
      const left = shape?.joinsLeft ? before : undefined
      const made = above || left ? null : { html, columns: to - from, rows: 1 }
      if (above) above.rows++
      if (left) left.columns += to - from
      before = made ?? before
      for (let at = from; at < to; at++) {
        reaching[at] = above ?? made ?? undefined
        row.push(at === from ? made : null)
      }
    })
    grid.push(row)
  }
  return grid
}

function columnsOf(rows: readonly Row[]): (right: number) => number {
  const edges: number[] = []
  const all = new Set(rows.flatMap(({ shapes }) => shapes.map(({ right }) => right)))
  for (const right of [...all].sort((a, b) => a - b))
    if (edges.length === 0 || right - edges.at(-1)! > EQUAL_EDGE_TWIPS) edges.push(right)
  if (edges.length > MAX_CELLS) return () => 0
  return (right) => edges.findIndex((edge) => right - edge <= EQUAL_EDGE_TWIPS) + 1
}
