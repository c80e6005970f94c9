// Reads .docx and .docm in reading order, without deleted or hidden text, comments, headers and footers. Tracked
// changes count as accepted.

import type { Element } from 'domhandler'
import { escapeHtml } from '../../base/escape-html.ts'
import { appendAll } from '../../base/large-array-helpers.ts'
import { Problem } from '../../base/problem.ts'
import {
  altTextToHtml,
  linkOfWordField,
  makeHtmlPage,
  safeLinkOrUndefined,
  type TableCell,
} from '../escape-and-build-html.ts'
import { childElementsOf, findAllElements, findFirstElement, parseXml, xmlTextOf } from '../walk-xml.ts'
import { chartToRows } from './chart-to-rows.ts'
import {
  paragraphKindOfOutlineLevel,
  readWordBooleanProperty,
  readWordNumbering,
  readWordProperty,
  readWordStyles,
} from './docx-styles.ts'
import { officeMathToHtml } from './office-math.ts'
import { readOfficeMetadata, titleOfMetadata } from './office-metadata.ts'
import { findPartByType, type OfficeRelation, readRelations } from './office-relations.ts'
import {
  HtmlBuilder,
  type ListPosition,
  NoteList,
  numeral,
  type ParagraphKind,
  ParagraphText,
  type RunStyle,
  readListNumber,
} from './paragraphs-to-html.ts'
import type { DocumentReading } from './sniff-document.ts'
import type { Archive } from './zip-archive.ts'

/** Deeper content is kept as plain text. */
const MAX_DEPTH = 60
const MAX_SPAN = 200

export function readDocx(archive: Archive, main = 'word/document.xml', withEdges = false): DocumentReading {
  const text = archive.text(main)
  const body = text === undefined ? undefined : findFirstElement(parseXml(text), 'w:body')
  if (!body) throw new Problem('unreadable_file', { because: 'it has no main document part' })
  const metadata = readOfficeMetadata(archive)
  const notes = new NoteList()
  const links = readRelations(archive, main)
  const reader = new Reader(archive, links, notes)
  const html = reader.read(body)
  const [before, after] = withEdges ? EDGES.map((edge) => reader.edge(body, edge)) : ['', '']
  const page = [before, html + notes.toHtml(), after].filter(Boolean).join('<hr>')
  return { kind: 'docx', html: makeHtmlPage(titleOfMetadata(metadata), page), metadata, warnings: [] }
}

const EDGES = ['header', 'footer'] as const

interface Shared {
  style: ReturnType<typeof readWordStyles>
  numbering: ReturnType<typeof readWordNumbering>
  counts: Map<string, number[]>
  notes: Map<string, NoteBody>
}
interface NoteBody {
  links: Links
  body: Element
  sign?: string
}
type Links = ReadonlyMap<string, OfficeRelation>

class Reader {
  readonly #notes: NoteList
  readonly #links: Links
  readonly #shared: Shared
  readonly #archive: Archive
  readonly #fields: { instruction: string; link: string | undefined; isResult: boolean }[] = []
  #boxes: Element[] = []
  #charts: string[][][] = []

  constructor(archive: Archive, links: Links, notes: NoteList, shared?: Shared) {
    this.#archive = archive
    this.#notes = notes
    this.#links = links
    const textOf = (type: string) => archive.text(findPartByType(links, type) ?? `word/${type}.xml`)
    this.#shared = shared ?? {
      style: readWordStyles(textOf('styles')),
      numbering: readWordNumbering(textOf('numbering')),
      counts: new Map(),
      notes: notesOf(archive, links),
    }
  }

  read(parent: Element): string {
    const prose = new HtmlBuilder()
    this.#blocks(parent, prose, 0)
    return prose.toHtml()
  }

  edge(body: Element, edge: (typeof EDGES)[number]): string {
    const reported = new Set<string>()
    const parts = findAllElements(body, `w:${edge}Reference`).map(({ attribs }) =>
      this.#links.get(attribs['r:id'] ?? ''),
    )
    for (const part of new Set(parts.flatMap((one) => (one && !one.isExternal ? [one.target] : [])))) {
      const text = this.#archive.text(part)
      const root =
        text === undefined ? undefined : findFirstElement(parseXml(text), edge === 'header' ? 'w:hdr' : 'w:ftr')
      if (root)
        reported.add(
          new Reader(this.#archive, readRelations(this.#archive, part), this.#notes, this.#shared).read(root),
        )
    }
    return [...reported].join('')
  }

  #blocks(parent: Element, prose: HtmlBuilder, depth: number): void {
    for (const element of childElementsOf(parent)) {
      if (depth > MAX_DEPTH) prose.add(`<p>${escapeHtml(xmlTextOf(element))}</p>`)
      else if (element.name === 'w:p') this.#paragraph(element, prose, depth)
      else if (element.name === 'w:tbl') this.#table(element, prose, depth)
      else if (!PASSED_OVER.has(element.name)) this.#blocks(element, prose, depth + 1)
    }
  }

  #paragraph(element: Element, prose: HtmlBuilder, depth: number): void {
    const properties = childElementsOf(element).find(({ name }) => name === 'w:pPr')
    const style = this.#shared.style(readWordProperty(properties, 'w:pStyle'))
    const line = new ParagraphText()
    this.#inline(element, line, undefined, depth)
    const kind = paragraphKindOfOutlineLevel(readWordProperty(properties, 'w:outlineLvl')) ?? style.kind
    const list = line.isEmpty ? undefined : this.#place(properties, style, kind)
    prose.paragraph(line, kind, list)
    const boxes = this.#boxes
    this.#boxes = []
    for (const box of boxes) this.#blocks(box, prose, depth + 1)
    for (const rows of this.#charts.splice(0)) prose.table(rows)
  }

  #place(
    properties: Element | undefined,
    style: ReturnType<Shared['style']>,
    kind: ParagraphKind,
  ): ListPosition | undefined {
    const own = properties && childElementsOf(properties).find(({ name }) => name === 'w:numPr')
    const numId = readWordProperty(own, 'w:numId') ?? style.numId
    const level = Math.min(8, readListNumber(readWordProperty(own, 'w:ilvl')) ?? style.level ?? 0)
    const found = numId === undefined ? undefined : this.#shared.numbering(numId, level)
    if (!found?.mark) return undefined
    const counts = this.#shared.counts.get(found.id) ?? []
    this.#shared.counts.set(found.id, counts)
    const number = (counts[level] ?? found.start - 1) + 1
    counts.length = level
    counts[level] = number
    const place = { level, ordered: found.mark === 'number', number }
    // Only headings show it.
    if (!place.ordered || typeof kind !== 'number') return place
    const label = found.label.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const outer = this.#shared.numbering(numId!, at)
      return numeral(counts[at] ?? outer?.start ?? 1, outer?.format ?? '1')
    })
    return { ...place, label }
  }

  #table(table: Element, prose: HtmlBuilder, depth: number): void {
    const grid: TableCell[][] = []
    /** By column, the cell that may span into the next row. */
    const reaching: ({ rows: number } | undefined)[] = []
    for (const row of findNearest(table, 'w:tr')) {
      const cells: TableCell[] = Array.from(
        { length: spanOf(findFirstElement(row, 'w:trPr'), 'w:gridBefore', 0) },
        () => '',
      )
      for (const cell of findNearest(row, 'w:tc')) {
        const properties = childElementsOf(cell).find(({ name }) => name === 'w:tcPr')
        const columns = spanOf(properties, 'w:gridSpan', 1)
        const merge = readWordProperty(properties, 'w:vMerge')
        const above = merge === undefined || merge === 'restart' ? undefined : reaching[cells.length]
        if (above) above.rows++
        const inner = new HtmlBuilder()
        if (!above) this.#blocks(cell, inner, depth + 1)
        const made = above ? null : { html: inner.toInnerHtml(), columns, rows: 1 }
        for (let more = 0; more < columns; more++) {
          reaching[cells.length] = above ?? (merge === undefined || !made ? undefined : made)
          cells.push(more === 0 ? made : null)
        }
      }
      grid.push(cells)
    }
    const only = grid.length === 1 && grid[0]?.length === 1 ? grid[0][0] : undefined
    // A one-cell table is a frame around text.
    if (only && typeof only === 'object') prose.add(`<div>${only.html}</div>`)
    else prose.table(grid)
  }

  #inline(parent: Element, line: ParagraphText, link: string | undefined, depth: number): void {
    for (const element of childElementsOf(parent)) {
      if (depth > MAX_DEPTH) line.write(xmlTextOf(element))
      else if (element.name === 'w:r') this.#run(element, line, link, depth)
      else if (element.name === 'w:hyperlink') {
        const target = this.#links.get(element.attribs['r:id'] ?? '')
        this.#inline(element, line, (target?.isExternal && safeLinkOrUndefined(target.target)) || link, depth + 1)
      } else if (element.name === 'w:fldSimple')
        this.#inline(element, line, linkOfWordField(element.attribs['w:instr'] ?? '') ?? link, depth + 1)
      else if (element.name === 'm:oMath') line.add(officeMathToHtml(element, parent.name === 'm:oMathPara'))
      else if (!PASSED_OVER.has(element.name)) this.#inline(element, line, link, depth + 1)
    }
  }

  #run(run: Element, line: ParagraphText, link: string | undefined, depth: number): void {
    const properties = childElementsOf(run).find(({ name }) => name === 'w:rPr')
    if (readWordBooleanProperty(properties, 'w:vanish')) return
    const style = this.#shared.style(readWordProperty(properties, 'w:rStyle'))
    const raised = readWordProperty(properties, 'w:vertAlign')
    const computedStyle: RunStyle = {
      bold: readWordBooleanProperty(properties, 'w:b') ?? style.bold ?? false,
      italic: readWordBooleanProperty(properties, 'w:i') ?? style.italic ?? false,
      strike:
        readWordBooleanProperty(properties, 'w:strike') ?? readWordBooleanProperty(properties, 'w:dstrike') ?? false,
      code: style.isCode,
      raised: raised === 'superscript' ? 'sup' : raised === 'subscript' ? 'sub' : undefined,
    }
    for (const element of childElementsOf(run)) this.#runPart(element, line, computedStyle, link, depth)
  }

  #runPart(element: Element, line: ParagraphText, style: RunStyle, link: string | undefined, depth: number): void {
    const { name, attribs } = element
    const field = this.#fields.at(-1)
    const write = (text: string) => line.write(text, style, link ?? field?.link)
    if (name === 'w:t' && (!field || field.isResult)) write(xmlTextOf(element))
    else if (name === 'w:tab' || name === 'w:ptab') write(' ')
    else if (name === 'w:noBreakHyphen') write('-')
    else if (name === 'w:sym') write(symbol(element))
    else if (name === 'w:cr' || (name === 'w:br' && !/^(?:page|column)$/.test(attribs['w:type'] ?? '')))
      line.write('\n')
    else if (name === 'w:fldChar') this.#field(attribs['w:fldCharType'])
    else if (name === 'w:instrText' && field && field.instruction.length < 4000) field.instruction += xmlTextOf(element)
    else if (name === 'w:footnoteReference' || name === 'w:endnoteReference') line.add(this.#note(element))
    else if (DRAWINGS.has(name)) this.#drawing(element, line, depth)
  }

  /** A field inside a link inherits the link. */
  #field(type: string | undefined): void {
    const field = this.#fields.at(-1)
    if (type === 'begin') this.#fields.push({ instruction: '', link: field?.link, isResult: false })
    else if (type === 'end') this.#fields.pop()
    else if (type === 'separate' && field) {
      field.isResult = true
      field.link = linkOfWordField(field.instruction) ?? field.link
    }
  }

  #note(reference: Element): string {
    const note = this.#shared.notes.get(`${reference.name.slice(2, -9)} ${reference.attribs['w:id']}`)
    if (!note) return ''
    if (note.sign !== undefined) return note.sign
    const prose = new HtmlBuilder()
    // Notes get no notes of their own, so self-references cannot recurse.
    const shared = { ...this.#shared, notes: new Map<string, NoteBody>() }
    new Reader(this.#archive, note.links, this.#notes, shared).#blocks(note.body, prose, 1)
    note.sign = this.#notes.add(prose.toInnerHtml())
    return note.sign
  }

  /** mc:Choice is the newer of two representations. */
  #drawing(element: Element, line: ParagraphText, depth: number): void {
    const drawn = (element.name === 'mc:AlternateContent' && findFirstElement(element, 'mc:Choice')) || element
    if (drawn.name === 'mc:Choice' && childElementsOf(drawn).length === 0) return
    const boxes = findAllElements(drawn, 'w:txbxContent')
    if (depth < MAX_DEPTH) appendAll(this.#boxes, boxes)
    const chart = findFirstElement(drawn, 'c:chart')?.attribs['r:id']
    const data = chart && this.#archive.text(this.#links.get(chart)?.target ?? '')
    if (data) this.#charts.push(chartToRows(parseXml(data)))
    const about = findFirstElement(drawn, 'wp:docPr') ?? findFirstElement(drawn, 'pic:cNvPr')
    const shape = findFirstElement(drawn, 'v:shape')
    if (boxes.length === 0)
      line.add(altTextToHtml(about?.attribs.descr || about?.attribs.title || shape?.attribs.alt || undefined))
  }
}

const DRAWINGS = new Set(['w:drawing', 'w:pict', 'w:object', 'mc:AlternateContent'])
const PASSED_OVER = new Set(
  'w:pPr w:rPr w:tblPr w:tblGrid w:trPr w:tcPr w:sectPr w:sdtPr w:sdtEndPr w:del w:moveFrom mc:Fallback'.split(' '),
)

/** Rows or cells, including those in content controls but not in nested tables. */
function findNearest(parent: Element, name: string): Element[] {
  const found: Element[] = []
  const open = childElementsOf(parent).reverse()
  while (open.length > 0) {
    const element = open.pop()!
    if (element.name === name) found.push(element)
    else if (!PASSED_OVER.has(element.name)) appendAll(open, childElementsOf(element).reverse())
  }
  return found
}

const spanOf = (properties: Element | undefined, name: string, least: number): number =>
  Math.min(MAX_SPAN, Math.max(least, Number(readWordProperty(properties, name) ?? least) || least))

/** Private-use characters are meaningless without their symbol font. */
function symbol({ attribs }: Element): string {
  const code = Number.parseInt(attribs['w:char'] ?? '', 16)
  return code >= 0x20 && code < 0xe000 ? String.fromCharCode(code) : ''
}

function notesOf(archive: Archive, links: Links): Map<string, NoteBody> {
  const notes = new Map<string, NoteBody>()
  for (const kind of ['footnote', 'endnote']) {
    const part = findPartByType(links, `${kind}s`) ?? `word/${kind}s.xml`
    const text = archive.text(part)
    if (text === undefined) continue
    const own = readRelations(archive, part)
    for (const body of findAllElements(parseXml(text), `w:${kind}`))
      if (!body.attribs['w:type']) notes.set(`${kind} ${body.attribs['w:id']}`, { links: own, body })
  }
  return notes
}
