// Building html from the parts of a document, and walking its XML. Everything that comes from a file is escaped here.
import type { AnyNode, Element } from 'domhandler'
import { isElement, parseTree } from '../tree.ts'

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

/** Rows of ready html; the first is the head. Empty rows and trailing empty columns say nothing. */
export function tableHtml(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  let width = 0
  for (const row of filled)
    for (let at = Math.min(row.length, MAX_COLUMNS); at > width; at--) if (row[at - 1]!.trim()) width = at
  if (filled.length === 0 || width === 0) return ''
  const line = (row: readonly string[], tag: string) =>
    `<tr>${Array.from({ length: width }, (_, at) => `<${tag}>${row[at] ?? ''}</${tag}>`).join('')}</tr>`
  return `<table><thead>${line(filled[0]!, 'th')}</thead><tbody>\n${filled
    .slice(1)
    .map((row) => line(row, 'td'))
    .join('\n')}\n</tbody></table>`
}

/** XML as a tree; the parser knows no DTD. */
export const xmlRoot = (text: string): AnyNode => parseTree(text, 'xml').tree

const MAX_DEPTH = 500

/** Every element of this name below, in order; not those inside another of the same name. */
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

/** Joined text of everything below. */
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

/** Addresses that may be links; a document can name anything. */
export const safeLink = (url: string | undefined): string | undefined =>
  url && /^(?:https?:|mailto:)/i.test(url) ? url : undefined
