// Converts OpenDocument text and presentations to HTML. Comments, tracked deletions, headers and footers are left out.

import type { AnyNode, Element } from 'domhandler'
import { escapeHtml } from '../../base/escape-html.ts'
import { Problem } from '../../base/problem.ts'
import { altTextToHtml, makeHtmlPage, safeLinkOrUndefined, type TableCell } from '../escape-and-build-html.ts'
import { isElement } from '../parse-tree.ts'
import { childElementsOf, findAllElements, findFirstElement, parseXml, xmlTextOf } from '../walk-xml.ts'
import { type OdfStyles, readOdfStyles } from './odf-styles.ts'
import { readOfficeMetadata, titleOfMetadata } from './office-metadata.ts'
import {
  HtmlBuilder,
  headingKindOfLevel,
  type ListPosition,
  NoteList,
  ParagraphText,
  type RunStyle,
  readListNumber,
  speakerNotesToHtml,
} from './paragraphs-to-html.ts'
import type { DocumentReading } from './sniff-document.ts'
import { readOdfChart } from './workbook-charts.ts'
import type { Archive } from './zip-archive.ts'

const SILENT = new Set([
  'office:annotation',
  'office:annotation-end',
  'text:tracked-changes',
  'text:sequence-decls',
  'office:forms',
  'presentation:settings',
  'presentation:notes',
  'svg:title',
  'svg:desc',
])
const MAX_DEPTH = 60
const MAX_REPEAT = 100
/** Of all repeated rows and cells: tables in cells multiply them. */
const MAX_REPEATED_CHARS = 500_000
const MAX_SPACES = 200
const MAX_LEVEL = 10

export function readOdtOrOdp(archive: Archive, kind: 'odt' | 'odp'): DocumentReading {
  const text = archive.text('content.xml')
  const root = text === undefined ? undefined : findFirstElement(parseXml(text), 'office:document-content')
  const body = root && findFirstElement(root, 'office:body')
  if (!body) throw new Problem('unreadable_file', { because: 'it has no content part' })
  const metadata = readOfficeMetadata(archive)
  const notes = new NoteList()
  const reader = new Reader(archive, readOdfStyles(archive, root), notes)
  const html =
    kind === 'odp'
      ? findAllElements(body, 'draw:page')
          .map((page, index) => reader.slide(page, index + 1))
          .join('\n')
      : reader.text(body)
  return { kind, html: makeHtmlPage(titleOfMetadata(metadata), html + notes.toHtml()), metadata, warnings: [] }
}

interface ListState {
  style: string | undefined
  level: number
  goesOn: boolean
}

class Reader {
  readonly #archive: Archive
  readonly #styles: OdfStyles
  readonly #notes: NoteList
  /** By list style, the numbers of all levels. */
  readonly #counts = new Map<string | undefined, number[]>()
  readonly #headings: number[] = []
  #boxes: Element[] = []
  #repeatable = MAX_REPEATED_CHARS
  #charts: string[][][] = []

  constructor(archive: Archive, styles: OdfStyles, notes: NoteList) {
    this.#archive = archive
    this.#styles = styles
    this.#notes = notes
  }

  text(body: Element): string {
    const prose = new HtmlBuilder()
    this.#blocks(body, prose, 0)
    return prose.toHtml()
  }

  slide(page: Element, number: number): string {
    const isTitle = ({ attribs }: Element) => attribs['presentation:class'] === 'title'
    const title = childElementsOf(page).find((frame) => isTitle(frame) && xmlTextOf(frame).trim() !== '')
    const heading = (title && xmlTextOf(title).replace(/\s+/g, ' ').trim()) || `Slide ${number}`
    const prose = new HtmlBuilder()
    for (const shape of childElementsOf(page)) if (shape !== title) this.#block(shape, prose, 0)
    const spoken = findFirstElement(page, 'presentation:notes')
    const said = (spoken ? findAllElements(spoken, 'text:p') : []).map((one) => xmlTextOf(one).trim()).filter(Boolean)
    return `<h2>${escapeHtml(heading)}</h2>\n${prose.toHtml()}\n${speakerNotesToHtml(said)}`
  }

  #blocks(parent: Element, prose: HtmlBuilder, depth: number): void {
    for (const element of childElementsOf(parent)) this.#block(element, prose, depth)
  }

  #block(element: Element, prose: HtmlBuilder, depth: number, list?: ListPosition): void {
    const { name, attribs } = element
    if (SILENT.has(name)) return
    if (depth > MAX_DEPTH) prose.add(`<p>${escapeHtml(xmlTextOf(element))}</p>`)
    else if (name === 'text:h') {
      const level = Math.min(MAX_LEVEL, readListNumber(attribs['text:outline-level']) || 1)
      const label = attribs['text:is-list-header'] === 'true' ? undefined : (list?.label ?? this.#numberHeading(level))
      this.#paragraph(
        element,
        prose,
        depth,
        headingKindOfLevel(level),
        label ? { level, ordered: true, label } : undefined,
      )
    } else if (name === 'text:p') {
      const kind = this.#styles.kind(attribs['text:style-name'])
      this.#paragraph(element, prose, depth, kind, list)
    } else if (name === 'text:list') this.#list(element, prose, depth, { style: undefined, level: 0, goesOn: false })
    else if (name === 'table:table')
      prose.table(findAllElements(element, 'table:table-row').flatMap((row) => this.#rows(row, depth)))
    else if (
      name === 'draw:frame' &&
      !findFirstElement(element, 'draw:text-box') &&
      !findFirstElement(element, 'table:table')
    ) {
      const text = altTextToHtml(aboutFrame(element))
      if (text) prose.add(`<p>${text}</p>`)
      prose.table(this.#chart(element))
    } else this.#blocks(element, prose, depth + 1)
  }

  #numberHeading(level: number): string | undefined {
    const counts = this.#headings
    while (counts.length < level) counts.push(counts.length < level - 1 ? 1 : 0)
    counts.length = level
    counts[level - 1]!++
    return this.#styles.headingLabel(counts)
  }

  #paragraph(
    element: Element,
    prose: HtmlBuilder,
    depth: number,
    kind: Parameters<HtmlBuilder['paragraph']>[1],
    list?: ListPosition,
  ): void {
    const line = new ParagraphText()
    this.#inline(element, line, kind === 'code' ? 'code' : 'text')
    prose.paragraph(line, kind, list)
    const boxes = this.#boxes
    this.#boxes = []
    for (const box of boxes) this.#blocks(box, prose, depth + 1)
    for (const rows of this.#charts.splice(0)) prose.table(rows)
  }

  /** Only the outermost list names a style; nested lists inherit it. */
  #list(element: Element, prose: HtmlBuilder, depth: number, outer: ListState): void {
    const style = element.attribs['text:style-name'] ?? outer.style
    const level = outer.level + 1
    const ordered = this.#styles.isOrdered(style, level) ?? false
    const { 'text:continue-numbering': numbering, 'text:continue-list': before } = element.attribs
    const goesOn = outer.goesOn || numbering === 'true' || before !== undefined
    const counts = this.#counts.get(style) ?? []
    this.#counts.set(style, counts)
    if (!goesOn) counts.length = Math.min(counts.length, level - 1)
    for (const item of childElementsOf(element)) {
      const parts = childElementsOf(item)
      let continues = item.name === 'text:list-header'
      // An item with nothing but a list is only its indentation.
      if (!continues && parts[0]?.name !== 'text:list') {
        counts[level - 1] = readListNumber(item.attribs['text:start-value']) || (counts[level - 1] ?? 0) + 1
        counts.length = level
      }
      for (const part of parts) {
        if (part.name === 'text:list' && depth < MAX_DEPTH) this.#list(part, prose, depth + 1, { style, level, goesOn })
        else {
          const label = part.name === 'text:h' ? this.#styles.headingLabel(counts, style) : undefined
          const number = counts[level - 1] ?? 1
          this.#block(part, prose, depth + 1, { level: level - 1, ordered, number, continues, ...(label && { label }) })
          continues = true
        }
      }
    }
  }

  #rows(row: Element, depth: number): TableCell[][] {
    const cells = this.#cells(row, depth)
    const size = cells.reduce((sum, cell) => sum + (typeof cell === 'object' && cell ? cell.html.length : 0) + 9, 0)
    return new Array(this.#repeatsOf(row.attribs['table:number-rows-repeated'], size)).fill(cells)
  }

  #repeatsOf(wanted: string | undefined, size: number): number {
    const most = 1 + Math.floor(this.#repeatable / (size + 9))
    const repeats = Math.max(1, Math.min(MAX_REPEAT, most, Number(wanted) || 1))
    this.#repeatable -= (repeats - 1) * (size + 9)
    return repeats
  }

  #cells(row: Element, depth: number): TableCell[] {
    return childElementsOf(row).flatMap((cell): TableCell[] => {
      const wanted = cell.attribs['table:number-columns-repeated']
      if (cell.name === 'table:covered-table-cell') return new Array(this.#repeatsOf(wanted, 0)).fill(null)
      if (cell.name !== 'table:table-cell') return []
      const prose = new HtmlBuilder()
      this.#blocks(cell, prose, depth + 1)
      const span = (name: string) => Math.max(1, Number(cell.attribs[`table:number-${name}-spanned`]) || 1)
      const made = { html: prose.toInnerHtml(), columns: span('columns'), rows: span('rows') }
      return new Array(this.#repeatsOf(wanted, made.html.length)).fill(made)
    })
  }

  /** Iterative, because the nesting depth is untrusted. */
  #inline(parent: Element, line: ParagraphText, where: 'text' | 'code' | 'note'): void {
    interface Open {
      node: AnyNode
      style: RunStyle
      link: string | undefined
    }
    const open: Open[] = []
    const enter = (element: Element, style: RunStyle, link: string | undefined) => {
      for (let at = element.children.length - 1; at >= 0; at--) open.push({ node: element.children[at]!, style, link })
    }
    enter(parent, this.#styles.style(parent.attribs['text:style-name']), undefined)
    while (open.length > 0) {
      const { node, style: computedStyle, link } = open.pop()!
      if (node.type === 'text') line.write(node.data.replace(/\s+/g, ' '), computedStyle, link)
      else if (isElement(node) && !SILENT.has(node.name)) {
        const text = spaceOf(node, where === 'code')
        if (text !== undefined) line.write(text, computedStyle, link)
        else if (node.name === 'text:note') {
          // Notes inside notes are ignored; editors do not create them.
          if (where !== 'note') line.add(this.#note(node))
        } else if (node.name === 'draw:frame') this.#frame(node, line)
        else if (node.name === 'text:a') enter(node, computedStyle, safeLinkOrUndefined(node.attribs['xlink:href']))
        else if (node.name === 'text:span')
          enter(node, { ...computedStyle, ...this.#styles.style(node.attribs['text:style-name']) }, link)
        else enter(node, computedStyle, link)
      }
    }
  }

  #note(note: Element): string {
    const body = findFirstElement(note, 'text:note-body')
    if (!body) return ''
    const line = new ParagraphText()
    for (const paragraph of findAllElements(body, 'text:p')) {
      if (!line.isEmpty) line.write('\n')
      this.#inline(paragraph, line, 'note')
    }
    return this.#notes.add(line.toHtml())
  }

  #frame(frame: Element, line: ParagraphText): void {
    const box = findFirstElement(frame, 'draw:text-box')
    if (box) this.#boxes.push(box)
    else line.add(altTextToHtml(aboutFrame(frame)))
    this.#charts.push(this.#chart(frame))
  }

  #chart(frame: Element): string[][] {
    const object = findFirstElement(frame, 'draw:object')
    return object ? readOdfChart(this.#archive, object.attribs['xlink:href']) : []
  }
}

function aboutFrame(frame: Element): string | undefined {
  const about = findFirstElement(frame, 'svg:desc') ?? findFirstElement(frame, 'svg:title')
  return about && xmlTextOf(about)
}

function spaceOf({ name, attribs }: Element, isCode: boolean): string | undefined {
  if (name === 'text:s')
    return ' '.repeat(isCode ? Math.min(MAX_SPACES, Math.max(1, Number(attribs['text:c']) || 1)) : 1)
  if (name === 'text:tab') return isCode ? '\t' : ' '
  return name === 'text:line-break' ? '\n' : undefined
}
