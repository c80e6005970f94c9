// Builds HTML from the content of document files, which is untrusted: all of it is escaped here.

import { escapeHtml } from '../base/escape-html.ts'

export function makeHtmlPage(title: string | undefined, body: string): string {
  const head = title ? `<title>${escapeHtml(title)}</title>` : ''
  return `<!doctype html><html><head><meta charset="utf-8">${head}</head><body>\n${body}\n</body></html>`
}

const MAX_COLUMNS = 200

/** HTML, with its spans if larger than one. Null: covered by another cell's span. */
export type TableCell = string | { html: string; columns: number; rows: number } | null

const htmlOf = (cell: TableCell | undefined): string => (typeof cell === 'string' ? cell : (cell?.html ?? ''))

/** The first row is the head. Empty rows and outer empty columns are dropped. */
export function tableToHtml(rows: readonly (readonly TableCell[])[]): string {
  const filled = withoutEmptySpans(rows).filter((row) =>
    row.some((cell) => cell === null || htmlOf(cell).trim() !== ''),
  )
  let from = MAX_COLUMNS
  let to = 0
  for (const row of filled)
    for (let at = 0; at < Math.min(row.length, MAX_COLUMNS); at++) {
      if (!htmlOf(row[at]).trim()) continue
      from = Math.min(from, at)
      to = Math.max(to, at + 1)
    }
  if (from >= to) return ''
  const cellHtml = (cell: TableCell | undefined, at: number, tag: string): string => {
    if (cell === null) return ''
    if (cell === undefined || typeof cell === 'string') return `<${tag}>${cell ?? ''}</${tag}>`
    const columns = Math.min(cell.columns, to - at)
    const spans = `${columns > 1 ? ` colspan="${columns}"` : ''}${cell.rows > 1 ? ` rowspan="${cell.rows}"` : ''}`
    return `<${tag}${spans}>${cell.html}</${tag}>`
  }
  const line = (row: readonly TableCell[], tag: string) =>
    `<tr>${Array.from({ length: to - from }, (_, at) => cellHtml(row[from + at], from + at, tag)).join('')}</tr>`
  return `<table><thead>${line(filled[0]!, 'th')}</thead><tbody>\n${filled
    .slice(1)
    .map((row) => line(row, 'td'))
    .join('\n')}\n</tbody></table>`
}

function withoutEmptySpans(rows: readonly (readonly TableCell[])[]): TableCell[][] {
  const grid = rows.map((row) => row.slice(0, MAX_COLUMNS))
  grid.forEach((row, top) => {
    row.forEach((cell, left) => {
      if (cell === null || typeof cell === 'string' || cell.html.trim()) return
      row[left] = ''
      for (let y = top; y < Math.min(grid.length, top + cell.rows); y++) {
        const first = y === top ? left + 1 : left
        if (y > top && grid[y]![left] !== null) break
        for (let x = first; x < left + cell.columns && grid[y]![x] === null; x++) grid[y]![x] = ''
      }
    })
  })
  return grid
}

/** `[Image: …]` with the alt text, since images in files have no address. Empty when it is only a file name. */
export const imageAltTextOrEmpty = (about: string | undefined): string => {
  const text = about?.replace(/\s+/g, ' ').trim() ?? ''
  return text === '' || /^\S+\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|emf|wmf)$/i.test(text) ? '' : `[Image: ${text}]`
}
export const altTextToHtml = (about: string | undefined): string => escapeHtml(imageAltTextOrEmpty(about))

/** Only http(s) and mailto; addresses in documents are untrusted. */
export const safeLinkOrUndefined = (url: string | undefined): string | undefined =>
  url && /^(?:https?:|mailto:)/i.test(url) ? url : undefined

/** The link of a Word or RTF field: `HYPERLINK "https://…" \\o "…"`. */
export const linkOfWordField = (instruction: string): string | undefined =>
  safeLinkOrUndefined(/^\s*HYPERLINK\s+"([^"]{1,2000})"/i.exec(instruction)?.[1])
