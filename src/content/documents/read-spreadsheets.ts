// Renders each sheet of a spreadsheet as a heading and a table of displayed values. Formulas are not computed, macros
// not run.

import { decodeXML } from 'entities'
import { escapeHtml } from '../../base/escape-html.ts'
import { minOf } from '../../base/large-array-helpers.ts'
import { Problem } from '../../base/problem.ts'
import { decodeText } from '../decode-text.ts'
import { makeHtmlPage, safeLinkOrUndefined, type TableCell, tableToHtml } from '../escape-and-build-html.ts'
import type { PageMetadata } from '../metadata.ts'
import { titleOfMetadata } from './office-metadata.ts'
import type { DocumentReading } from './sniff-document.ts'

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
  const { read } = await import('@e965/xlsx')
  let book: ReturnType<typeof read>
  try {
    book = read(bytes, {
      type: 'array',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellStyles: false,
      bookVBA: false,
      sheetRows: MAX_ROWS + 1,
    })
  } catch (error) {
    const why =
      error instanceof Error && /password-protected|ECMA-376|encryption scheme/i.test(error.message)
        ? 'the workbook is encrypted and opens only with its password'
        : 'the workbook is broken'
    throw new Problem('unreadable_file', { because: why, cause: error })
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
      const cells = Array.from(row?.slice(0, MAX_COLUMNS) ?? [], cellHtml)
      left -= cells.length
      rows.push(cells)
    }
    if (data.length > MAX_ROWS || left <= 0)
      warnings.push(`The sheet ${JSON.stringify(name)} is longer than the returned part.`)
    let joined = 0
    for (const merged of (sheet?.['!merges'] ?? []).slice(0, MAX_MERGES))
      if (joined < MAX_CELLS) joined += join(rows, merged)
    const drawn = (charts.get(name) ?? []).map((chart) => tableToHtml(chart))
    parts.push(`<h2>${escapeHtml(name)}</h2>`, ...divideIntoTables(rows).map(blockToHtml), ...drawn)
  }
  const { Title: title, Author: author } = book.Props ?? {}
  const metadata = facts ?? { ...(title ? { title } : {}), ...(author ? { author } : {}) }
  return { kind, html: makeHtmlPage(titleOfMetadata(metadata), parts.join('\n')), metadata, warnings }
}

/** Empty rows divide the tables of a sheet, and so do empty columns between two tables of at least two columns. */
function divideIntoTables(rows: readonly TableCell[][]): TableCell[][][] {
  return runsOfFilled(rows.map((row) => row.some((cell) => cell !== ''))).flatMap(([top, bottom]) => {
    const block = rows.slice(top, bottom)
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

/** A line with one cell is a title or a note. */
function blockToHtml(rows: readonly TableCell[][]): string {
  const filled = rows[0]!.filter((cell) => cell !== '' && cell !== null)
  const [only] = filled
  if (rows.length > 1 || filled.length > 1 || only === undefined || only === null) return tableToHtml(rows)
  return `<p>${typeof only === 'string' ? only : only.html}</p>`
}

interface Cell {
  t?: string
  w?: string
  v?: unknown
  l?: { Target?: string }
}
interface Sheet {
  '!data'?: (Cell | undefined)[][]
  '!merges'?: { s: { r: number; c: number }; e: { r: number; c: number } }[]
}

function cellHtml(cell: Cell | undefined): string {
  if (!cell) return ''
  const text = escapeHtml(formatCell(cell).replace(/\s+/g, ' ').trim())
  const link = safeLinkOrUndefined(cell.l?.Target)
  return link && text ? `<a href="${escapeHtml(link)}">${text}</a>` : text
}

function formatCell({ t, w, v }: Cell): string {
  if (t === 'b') return v ? 'TRUE' : 'FALSE'
  return w ?? (v instanceof Date ? v.toISOString().slice(0, 10) : String(v ?? ''))
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
  const cells = rows.slice(0, MAX_ROWS).map((row) => row.map((cell) => escapeHtml(cell.replace(/\s+/g, ' ').trim())))
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
