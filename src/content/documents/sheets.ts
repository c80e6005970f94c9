// Spreadsheets: a heading and a table for each sheet, cells as they are shown. Formulas are not computed, macros not run.
import { Problem } from '../../base/problem.ts'
import { decode } from '../charset.ts'
import type { DocumentReading } from './document.ts'
import { escaped, htmlPage, tableHtml } from './markup.ts'

const MAX_ROWS = 50_000
const MAX_CELLS = 1_000_000
const MAX_COLUMNS = 200

export async function readWorkbook(bytes: Uint8Array, kind: string): Promise<DocumentReading> {
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
      error instanceof Error && /password|encrypt/i.test(error.message)
        ? 'the workbook is encrypted'
        : 'the workbook is broken'
    throw new Problem('unreadable_file', { because: why, cause: error })
  }
  const warnings: string[] = []
  const parts: string[] = []
  let left = MAX_CELLS
  for (const name of book.SheetNames) {
    const data =
      (book.Sheets[name] as { '!data'?: ({ w?: string; v?: unknown } | undefined)[][] } | undefined)?.['!data'] ?? []
    const rows: string[][] = []
    for (const row of data.slice(0, MAX_ROWS)) {
      if (left <= 0) break
      const cells = Array.from(row ?? [], (cell) => escaped(shown(cell))).slice(0, MAX_COLUMNS)
      left -= cells.length
      rows.push(cells)
    }
    if (data.length > MAX_ROWS || left <= 0)
      warnings.push(`The sheet ${JSON.stringify(name)} is longer than what is given of it.`)
    parts.push(`<h2>${escaped(name)}</h2>\n${tableHtml(rows)}`)
  }
  const title = book.Props?.Title
  return {
    kind,
    html: htmlPage(title, parts.join('\n')),
    metadata: { ...(title ? { title } : {}), ...(book.Props?.Author ? { author: book.Props.Author } : {}) },
    warnings,
  }
}

const shown = (cell: { w?: string; v?: unknown } | undefined): string => {
  if (!cell) return ''
  const text = cell.w ?? (cell.v instanceof Date ? cell.v.toISOString().slice(0, 10) : String(cell.v ?? ''))
  return text.replace(/\s+/g, ' ').trim()
}

/** Comma, semicolon, tab or bar: whichever divides the first lines most evenly. */
export function readCsv(bytes: Uint8Array, contentType: string | undefined): DocumentReading {
  const { text } = decode(bytes, contentType)
  const delimiter = delimiterOf(text.slice(0, 20_000))
  const rows = parseCsv(text.replace(/^\ufeff/, ''), delimiter)
  const isCut = rows.length > MAX_ROWS
  const cells = rows.slice(0, MAX_ROWS).map((row) => row.map((cell) => escaped(cell.replace(/\s+/g, ' ').trim())))
  return {
    kind: 'csv',
    html: htmlPage(undefined, tableHtml(cells)),
    metadata: {},
    warnings: isCut ? [`The file has ${rows.length} rows; the first ${MAX_ROWS} are given.`] : [],
  }
}

function delimiterOf(sample: string): string {
  const lines = sample.split(/\r?\n/).slice(0, 20).filter(Boolean)
  let best = ','
  let most = 0
  for (const mark of [',', ';', '\t', '|']) {
    const counts = lines.map((line) => line.split(mark).length - 1)
    const least = Math.min(...counts)
    const score = least * 10 + (counts[0] ?? 0)
    if (score > most) [best, most] = [mark, score]
  }
  return best
}

/** One pass; a quote that never closes ends with the file. */
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
