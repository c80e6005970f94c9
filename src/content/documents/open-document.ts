// OpenDocument text and presentations: their XML is close to html, so it is written over element by element.
import type { AnyNode, Element } from 'domhandler'
import { Problem } from '../../base/problem.ts'
import { isElement } from '../tree.ts'
import type { DocumentReading } from './document.ts'
import { all, children, escaped, first, htmlPage, safeLink, tableHtml, textIn, xmlRoot } from './markup.ts'
import { officeFacts, titleOf } from './office-facts.ts'
import type { Archive } from './zip.ts'

/** Comments and tracked changes are not the document. */
const SILENT = new Set([
  'office:annotation',
  'office:annotation-end',
  'text:tracked-changes',
  'text:sequence-decls',
  'office:forms',
  'presentation:settings',
])
const MAX_DEPTH = 60
const MAX_REPEAT = 100

export function readOpenDocument(archive: Archive, kind: 'odt' | 'odp'): DocumentReading {
  const text = archive.text('content.xml')
  const body = text === undefined ? undefined : first(xmlRoot(text), 'office:body')
  if (!body) throw new Problem('unreadable_file', { because: 'it has no content part' })
  const metadata = officeFacts(archive)
  const notes: string[] = []
  const html =
    kind === 'odp'
      ? all(body, 'draw:page')
          .map((page, index) => slide(page, index + 1, notes))
          .join('\n')
      : blocks(body, notes, 0)
  const foot = notes.length > 0 ? `<hr><ol>${notes.map((note) => `<li>${note}</li>`).join('')}</ol>` : ''
  return { kind, html: htmlPage(titleOf(metadata), html + foot), metadata, warnings: [] }
}

function slide(page: Element, number: number, notes: string[]): string {
  const frames = children(page).filter(({ name }) => name === 'draw:frame' || name === 'draw:custom-shape')
  const title = frames.find(
    ({ attribs }) =>
      /title/.test(attribs['presentation:class'] ?? '') && !/subtitle/.test(attribs['presentation:class'] ?? ''),
  )
  const heading = (title && textIn(title).replace(/\s+/g, ' ').trim()) || `Slide ${number}`
  const body = frames.filter((frame) => frame !== title).map((frame) => blocks(frame, notes, 0))
  const spoken = first(page, 'presentation:notes')
  const said = spoken
    ? all(spoken, 'text:p')
        .map((one) => textIn(one).trim())
        .filter(Boolean)
    : []
  const note = said.length > 0 ? `<blockquote><p>Notes: ${said.map(escaped).join('</p><p>')}</p></blockquote>` : ''
  return `<h2>${escaped(heading)}</h2>\n${body.join('\n')}\n${note}`
}

function blocks(parent: Element, notes: string[], depth: number): string {
  if (depth > MAX_DEPTH) return `<p>${escaped(textIn(parent))}</p>`
  return children(parent)
    .map((element) => block(element, notes, depth))
    .join('\n')
}

function block(element: Element, notes: string[], depth: number): string {
  if (SILENT.has(element.name) || element.name === 'presentation:notes') return ''
  switch (element.name) {
    case 'text:h': {
      const level = Math.min(6, Math.max(1, Number(element.attribs['text:outline-level']) || 1))
      return `<h${level}>${inline(element, notes)}</h${level}>`
    }
    case 'text:p': {
      const html = inline(element, notes)
      return html.trim() ? `<p>${html}</p>` : ''
    }
    case 'text:list':
      return `<ul>${children(element)
        .map((item) => `<li>${blocks(item, notes, depth + 1).replace(/^<p>([\s\S]*?)<\/p>/, '$1')}</li>`)
        .join('')}</ul>`
    case 'table:table':
      return tableHtml(all(element, 'table:table-row').map((row) => cells(row, notes)))
    default:
      return blocks(element, notes, depth + 1)
  }
}

function cells(row: Element, notes: string[]): string[] {
  return children(row).flatMap((cell) => {
    if (cell.name !== 'table:table-cell' && cell.name !== 'table:covered-table-cell') return []
    const html = all(cell, 'text:p')
      .map((one) => inline(one, notes))
      .join('<br>')
    const repeat = Math.min(MAX_REPEAT, Number(cell.attribs['table:number-columns-repeated']) || 1)
    return Array.from({ length: repeat }, () => html)
  })
}

/** Iterative: an attacker chooses how deep spans are nested. */
function inline(parent: Element, notes: string[]): string {
  let html = ''
  const open: (AnyNode | string)[] = [...parent.children].reverse()
  while (open.length > 0) {
    const node = open.pop()!
    if (typeof node === 'string') html += node
    else if (node.type === 'text') html += escaped(node.data.replace(/\s+/g, ' '))
    else if (isElement(node) && !SILENT.has(node.name)) {
      const special = specialInline(node, notes)
      if (special !== undefined) html += special
      else {
        const link = node.name === 'text:a' ? safeLink(node.attribs['xlink:href']) : undefined
        if (link) {
          html += `<a href="${escaped(link)}">`
          open.push('</a>')
        }
        for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at]!)
      }
    }
  }
  return html
}

function specialInline(node: Element, notes: string[]): string | undefined {
  switch (node.name) {
    case 'text:s':
      return ' '
    case 'text:tab':
      return ' '
    case 'text:line-break':
      return '<br>'
    case 'text:note': {
      const body = first(node, 'text:note-body')
      notes.push(escaped(body ? textIn(body).replace(/\s+/g, ' ').trim() : ''))
      return `<sup>${notes.length}</sup>`
    }
    case 'draw:frame': {
      const about = first(node, 'svg:desc') ?? first(node, 'svg:title')
      const text = first(node, 'draw:text-box')
      if (text)
        return all(text, 'text:p')
          .map((one) => escaped(textIn(one)))
          .join('<br>')
      return about ? `[Image: ${escaped(textIn(about).trim())}]` : ''
    }
    default:
      return undefined
  }
}
