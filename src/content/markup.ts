// Builds HTML from document parts and walks their XML. All file content is escaped here.
import type { AnyNode, Element } from 'domhandler'
import { isElement, parseTree } from './tree.ts'

export const escaped = (text: string): string =>
  text
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

export function htmlPage(title: string | undefined, body: string): string {
  const head = title ? `<title>${escaped(title)}</title>` : ''
  return `<!doctype html><html><head><meta charset="utf-8">${head}</head><body>\n${body}\n</body></html>`
}

const MAX_COLUMNS = 200

/** HTML, with its spans if larger than one. Null: covered by another cell's span. */
export type TableCell = string | { html: string; columns: number; rows: number } | null

const htmlOf = (cell: TableCell | undefined): string => (typeof cell === 'string' ? cell : (cell?.html ?? ''))

/** The first row is the head. Empty rows and outer empty columns are dropped. */
export function tableHtml(rows: readonly (readonly TableCell[])[]): string {
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

export const xmlRoot = (text: string): AnyNode => parseTree(text, 'xml').tree

const MAX_DEPTH = 500

export function all(root: AnyNode, name: string): Element[] {
  const found: Element[] = []
  const open: { node: AnyNode; depth: number }[] = [{ node: root, depth: 0 }]
  while (open.length > 0) {
    const { node, depth } = open.pop()!
    if (isElement(node) && node.name === name && node !== root) {
      found.push(node)
      continue
    }
    if (!('children' in node) || depth > MAX_DEPTH) continue
    for (let at = node.children.length - 1; at >= 0; at--) open.push({ node: node.children[at]!, depth: depth + 1 })
  }
  return found
}

export const first = (root: AnyNode, name: string): Element | undefined => all(root, name)[0]

export const children = (root: AnyNode): Element[] =>
  'children' in root ? (root.children.filter((child) => isElement(child)) as Element[]) : []

export function textIn(root: AnyNode): string {
  let text = ''
  const open: AnyNode[] = [root]
  while (open.length > 0) {
    const node = open.pop()!
    if (node.type === 'text') text += node.data
    if ('children' in node) for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at]!)
  }
  return text
}

/** Images in files have no address, so only the description is kept; file names are ignored. */
export const pictureWords = (about: string | undefined): string => {
  const text = about?.replace(/\s+/g, ' ').trim() ?? ''
  return text === '' || /^\S+\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|emf|wmf)$/i.test(text) ? '' : `[Image: ${text}]`
}
export const pictureText = (about: string | undefined): string => escaped(pictureWords(about))

/** Only http(s) and mailto; addresses in documents are untrusted. */
export const safeLink = (url: string | undefined): string | undefined =>
  url && /^(?:https?:|mailto:)/i.test(url) ? url : undefined

/** The link of a Word or RTF field: `HYPERLINK "https://…" \\o "…"`. */
export const fieldLink = (instruction: string): string | undefined =>
  safeLink(/^\s*HYPERLINK\s+"([^"]{1,2000})"/i.exec(instruction)?.[1])
