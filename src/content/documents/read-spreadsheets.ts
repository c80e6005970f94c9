// Renders each sheet of a spreadsheet as a heading and a table of displayed values. Formulas are not computed, macros
// not run.

import { decodeXML } from 'entities'
import { escapeHtml } from '../../base/escape-html.ts'
import { minOf } from '../../base/large-array-helpers.ts'
import { decodeText } from '../decode-text.ts'
import { makeHtmlPage, safeLinkOrUndefined, type TableCell, tableToHtml } from '../escape-and-build-html.ts'
import type { PageMetadata } from '../metadata.ts'
import { titleOfMetadata } from './office-metadata.ts'
import type { DocumentReading } from './sniff-document.ts'
import { problemOfXlsxError } from './xlsx-errors.ts'

const MAX_ROWS = 50_000
const MAX_CELLS = 1_000_000
const MAX_COLUMNS = 200
const MAX_MERGES = 10_000

/** `facts`: container metadata; the old format has only what the library finds. `charts`: by sheet, as rows. */
export async function readWorkbook(
  bytes: Uint8Array,
  kind: string,
  facts?: PageMetadata,
  charts: ReadonlyMap<string, string[][][]> = new Map(),
): Promise<DocumentReading> {
  const { read, SSF } = await import('@e965/xlsx')
  let book: ReturnType<typeof read>
  try {
    book = read(bytes, {
      type: 'array',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellStyles: false,
      cellNF: true,
      bookVBA: false,
      sheetRows: MAX_ROWS + 1,
    })
  } catch (error) {
    throw problemOfXlsxError(error)
  }
  const warnings: string[] = []
  const parts: string[] = []
  let left = MAX_CELLS
  for (const key of book.SheetNames) {
    // The library does not decode XML entities in ODS sheet names.
    const name = kind === 'ods' ? decodeXML(key) : key
    const sheet = book.Sheets[key] as Sheet | undefined
    const data = sheet?.['!data'] ?? []
    const rows: TableCell[][] = []
    for (const row of data.slice(0, MAX_ROWS)) {
      if (left <= 0) break
      const cells = Array.from(row?.slice(0, MAX_COLUMNS) ?? [], (cell) => cellHtml(cell, SSF.format))
      left -= cells.length
      rows.push(cells)
    }
    if (data.length > MAX_ROWS || left <= 0)
      warnings.push(`The sheet ${JSON.stringify(name)} is longer than the returned part.`)
    let joined = 0
    for (const merged of (sheet?.['!merges'] ?? []).slice(0, MAX_MERGES))
      if (joined < MAX_CELLS) joined += join(rows, merged)
    const drawn = (charts.get(name) ?? []).map((chart) => tableToHtml(chart))
    parts.push(`<h2>${escapeHtml(name)}</h2>`, ...divideIntoTables(rows).flatMap(blockToHtml), ...drawn)
  }
  const { Title: title, Author: author } = book.Props ?? {}
  const metadata = facts ?? { ...(title ? { title } : {}), ...(author ? { author } : {}) }
  return { kind, html: makeHtmlPage(titleOfMetadata(metadata), parts.join('\n')), metadata, warnings }
}

/** Empty rows divide the tables of a sheet, and so do empty columns between two tables of at least two columns. */
function divideIntoTables(rows: readonly TableCell[][]): TableCell[][][] {
  return joinAcrossGaps(rows, runsOfFilled(rows.map((row) => row.some((cell) => cell !== '')))).flatMap((block) => {
    const width = block.reduce((most, { length }) => Math.max(most, length), 0)
    const filled = new Array<boolean>(width).fill(false)
    for (const row of block)
      row.forEach((cell, at) => {
        if (cell !== '') filled[at] = true
      })
    const parts = runsOfFilled(filled)
    if (parts.length < 2 || parts.some(([from, to]) => to - from < 2)) return [block]
    return parts.flatMap(([from, to]) => divideIntoTables(block.map((row) => row.slice(from, to))))
  })
}

/** Rows after one empty row go on with the table above if they have figures where it has some, and no head. */
function joinAcrossGaps(rows: readonly TableCell[][], runs: readonly [number, number][]): TableCell[][][] {
  const blocks: TableCell[][][] = []
  let end = -1
  for (const [top, bottom] of runs) {
    const above = blocks.at(-1)
    const goesOn =
      above !== undefined &&
      top === end + 1 &&
      rows[top]!.some((cell, at) => isFigure(cell) && isFigure(above.at(-1)![at]) && !isFigure(above[0]![at]))
    if (goesOn) above.push(...rows.slice(top, bottom))
    else blocks.push(rows.slice(top, bottom))
    end = bottom
  }
  return blocks
}

/** Years may be the head of a table of their own. */
const isFigure = (cell: TableCell | undefined): boolean =>
  typeof cell === 'string' && /^[^\p{L}]*\d[^\p{L}]*$/u.test(cell) && !/^(?:19|20)\d\d$/.test(cell)

function runsOfFilled(filled: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = []
  filled.forEach((isFilled, at) => {
    if (!isFilled) return
    const last = runs.at(-1)
    if (last?.[1] === at) last[1]++
    else runs.push([at, at + 1])
  })
  return runs
}

/** Lines with one cell above or below a table are titles and notes. */
function blockToHtml(rows: readonly TableCell[][]): string[] {
  const only = rows.map(findOnlyText)
  const lines = (texts: typeof only) => texts.map((text) => `<p>${text}</p>`)
  const isColumn = only.every((text) => text !== undefined)
  if (isColumn && rows.length === 1) return lines(only)
  // A lone figure is the sum of its column.
  const isOfTable = only.map((text) => isColumn || text === undefined || isFigure(text))
  const [from, last] = [isOfTable.indexOf(true), isOfTable.lastIndexOf(true)]
  const below = only.slice(last + 1)
  // A row that has only a name is no longer than the other names.
  const names = below.findIndex((text, at) =>
    isLongerThanColumn(text ?? '', rows[last + 1 + at]!, rows.slice(from, last + 1)),
  )
  const to = names === -1 ? rows.length : last + 1 + names
  return [...lines(only.slice(0, from)), tableToHtml(dropEmptyColumns(rows.slice(from, to))), ...lines(only.slice(to))]
}

function isLongerThanColumn(text: string, row: readonly TableCell[], table: readonly TableCell[][]): boolean {
  const at = row.findIndex((cell) => cell !== '' && cell !== null)
  return table.every((other) => lengthOfCell(text) > lengthOfCell(textOfCell(other[at])))
}

/** Of its longest line, without tags. */
const lengthOfCell = (html: string): number => Math.max(...html.split(/<[^>]*>/).map((line) => line.length))

const textOfCell = (cell: TableCell | undefined): string =>
  typeof cell === 'object' ? (cell?.html ?? '') : (cell ?? '')

function findOnlyText(row: readonly TableCell[]): string | undefined {
  const filled = row.filter((cell) => cell !== '' && cell !== null)
  const [only] = filled
  // A cell that spans rows belongs to each of them.
  if (filled.length !== 1 || !only || (typeof only === 'object' && only.rows > 1)) return undefined
  return textOfCell(only)
}

/** Columns that only keep others apart. */
function dropEmptyColumns(rows: readonly TableCell[][]): TableCell[][] {
  const isEmpty = (at: number) => rows.every((row) => row[at] === '' || row[at] === undefined)
  return rows.map((row) => row.filter((_, at) => !isEmpty(at)))
}

interface Cell {
  t?: string
  w?: string
  v?: unknown
  z?: string
  l?: { Target?: string }
}
interface Sheet {
  '!data'?: (Cell | undefined)[][]
  '!merges'?: { s: { r: number; c: number }; e: { r: number; c: number } }[]
}

type FormatNumber = (format: string, value: unknown) => string

function cellHtml(cell: Cell | undefined, format: FormatNumber): string {
  if (!cell) return ''
  const text = renderLines(formatCell(cell, format))
  const link = safeLinkOrUndefined(cell.l?.Target)
  return link && text ? `<a href="${escapeHtml(link)}">${text}</a>` : text
}

const renderLines = (text: string): string =>
  escapeHtml(text.trim())
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '<br>')

function formatCell({ t, w, v, z }: Cell, format: FormatNumber): string {
  if (w !== undefined) return w
  if (t === 'b') return v ? 'TRUE' : 'FALSE'
  // The library refuses a date with bare dots, `dd.mm.yyyy`.
  const dotted = typeof v === 'number' && z?.replace(/(?<=[dmyhs])\.(?!0)/gi, '\\.')
  if (dotted && dotted !== z) {
    try {
      return format(dotted, v)
    } catch {
      // A format that the library does not know: the value as it is stored.
    }
  }
  return v instanceof Date ? v.toISOString().slice(0, 10) : String(v ?? '')
}

/** Merges cells; only the first has content. Returns the number of cells merged. */
function join(rows: TableCell[][], { s: from, e: to }: NonNullable<Sheet['!merges']>[number]): number {
  const html = rows[from.r]?.[from.c]
  if (typeof html !== 'string' || html === '') return 0
  const bottom = Math.min(to.r, rows.length - 1)
  const right = Math.min(to.c, MAX_COLUMNS - 1)
  for (let y = from.r; y <= bottom; y++)
    for (let x = from.c; x <= right; x++) {
      while (rows[y]!.length < x) rows[y]!.push('')
      rows[y]![x] = null
    }
  const [columns, height] = [right - from.c + 1, bottom - from.r + 1]
  rows[from.r]![from.c] = { html, columns, rows: height }
  return columns * height
}

/** The delimiter is the one that divides the first lines most evenly. */
export function readCsv(bytes: Uint8Array, contentType: string | undefined): DocumentReading {
  const { text } = decodeText(bytes, contentType)
  const delimiter = delimiterOf(text.slice(0, 20_000))
  const rows = parseCsv(text.replace(/^\ufeff/, ''), delimiter)
  const isCut = rows.length > MAX_ROWS
  const cells = rows.slice(0, MAX_ROWS).map((row) => row.map(renderLines))
  return {
    kind: 'csv',
    html: makeHtmlPage(undefined, tableToHtml(cells)),
    metadata: {},
    warnings: isCut ? [`The file has ${rows.length} rows; the first ${MAX_ROWS} are returned.`] : [],
  }
}

function delimiterOf(sample: string): string {
  const lines = sample.split(/\r?\n/).slice(0, 20).filter(Boolean)
  let best = ','
  let most = 0
  for (const mark of [',', ';', '\t', '|']) {
    const counts = lines.map((line) => line.split(mark).length - 1)
    const least = minOf(counts)
    const score = least * 10 + (counts[0] ?? 0)
    if (score > most) [best, most] = [mark, score]
  }
  return best
}

/** An unclosed quote ends with the file. */
function parseCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length && rows.length <= MAX_ROWS; at++) {
    const char = text[at]!
    if (quoted) {
      if (char !== '"') cell += char
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else quoted = false
    } else if (char === '"' && cell === '') quoted = true
    else if (char === delimiter) {
      row.push(cell)
      cell = ''
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && text[at + 1] === '\n') at++
      row.push(cell)
      rows.push(row)
      row = []
      cell = ''
    } else cell += char
  }
  if (cell || row.length > 0) rows.push([...row, cell])
  return rows
}
