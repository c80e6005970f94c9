// Converts blocks to HTML. Parses only the markdown that this folder writes.

import { escapeHtml } from '../../base/escape-html.ts'
import { makeLookupTable } from '../../base/lookup-table.ts'
import type { PdfPageBlocks } from './assemble-pages.ts'

export function blocksToHtml(pages: readonly PdfPageBlocks[], title: string | undefined): string {
  const parts: string[] = []
  const lists: { tag: string; indent: number; number: number }[] = []
  const closeTo = (indent: number, tag?: string) => {
    for (let last = lists.at(-1); last && (last.indent > indent || (last.indent === indent && last.tag !== tag)); ) {
      parts.push(`</li></${last.tag}>`)
      lists.pop()
      last = lists.at(-1)
    }
  }
  for (const { items } of pages)
    for (const { type, label, content, markdownSpan } of items) {
      if (!markdownSpan || !content) continue
      const item = label === 'list_item' ? /^( *)(?:(\d+)\.|-) ([\s\S]*)$/.exec(content) : null
      if (!item) {
        closeTo(-1)
        parts.push(label === 'code' ? codeHtml(content) : blockHtml(type, content))
        continue
      }
      const indent = item[1]!.length
      const tag = item[2] ? 'ol' : 'ul'
      const number = Number(item[2] ?? 0)
      closeTo(indent, tag)
      const list = lists.at(-1)
      let value = ''
      if (list?.indent === indent) {
        parts.push('</li>')
        if (number !== list.number + 1 && item[2]) value = ` value="${number}"`
        list.number = number
      } else {
        lists.push({ tag, indent, number })
        parts.push(item[2] ? `<ol start="${number}">` : '<ul>')
      }
      parts.push(`<li${value}>${inline(item[3]!)}`)
    }
  closeTo(-1)
  const head = title ? `<title>${escapeHtml(title)}</title>` : ''
  return `<!doctype html><html><head><meta charset="utf-8">${head}</head><body>\n${parts.join('\n').replaceAll('\n</li>', '</li>')}\n</body></html>`
}

/** Without the fences around it. */
const codeHtml = (content: string): string =>
  `<pre><code>${escapeHtml(content.split('\n').slice(1, -1).join('\n'))}</code></pre>`

function blockHtml(type: string, content: string): string {
  if (type === 'table') return tableHtml(content)
  const heading = /^(#{1,6}) ([\s\S]*)$/.exec(content)
  if (heading && (type === 'title' || type === 'section_header')) {
    const level = heading[1]!.length
    return `<h${level}>${inline(heading[2]!)}</h${level}>`
  }
  return `<p>${inline(content)}</p>`
}

function tableHtml(content: string): string {
  const rows = content.split('\n').filter((_, index) => index !== 1)
  const cells = (row: string, tag: string) =>
    row
      .replace(/^\| | \|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => `<${tag}>${inline(cell.trim().replaceAll('\\|', '|'))}</${tag}>`)
      .join('')
  const lines = rows.map((row, index) => `<tr>${cells(row, index === 0 ? 'th' : 'td')}</tr>`)
  return `<table>\n<thead>${lines[0] ?? ''}</thead>\n<tbody>${lines.slice(1).join('\n')}</tbody>\n</table>`
}

const TOKEN =
  /\\([!-/:-@[-`{-~])|(`+)([\s\S]*?[^`])\2(?!`)|\[((?:\\.|[^\]\\])*)\]\(([^)\s]*)\)|(\*{1,3})|(<\/?sup>)|(\$\$?)(?=\S|\n)((?:\\.|(?!\*\*)[^$\\])+?)(?<=\S\n?)\8(?!\d)/g

function inline(text: string): string {
  let out = ''
  let from = 0
  const open: string[] = []
  for (const match of text.matchAll(TOKEN)) {
    const [whole, literal, fence, code, label, address, stars, sign, formula] = match
    out += escapeHtml(text.slice(from, match.index))
    from = match.index + whole.length
    if (literal) out += escapeHtml(literal)
    else if (sign) out += sign
    else if (formula) out += escapeHtml(whole)
    else if (fence) out += `<code>${escapeHtml(code!.trim())}</code>`
    else if (address !== undefined)
      out += `<a href="${escapeHtml(address)}">${escapeHtml(label!.replace(/\\(.)/g, '$1').replace(/\*+/g, ''))}</a>`
    else if (stars) {
      if (open.at(-1) === stars) out += CLOSE[open.pop()!]
      else {
        open.push(stars)
        out += OPEN[stars]
      }
    }
  }
  out += escapeHtml(text.slice(from))
  while (open.length > 0) out += CLOSE[open.pop()!]
  return out
}

const OPEN = makeLookupTable<string>({ '*': '<em>', '**': '<strong>', '***': '<strong><em>' })
const CLOSE = makeLookupTable<string>({ '*': '</em>', '**': '</strong>', '***': '</em></strong>' })
