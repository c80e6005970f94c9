// Renders PowerPoint slides: headings, text, lists, tables, charts, alt texts and speaker's notes.

import type { Element } from 'domhandler'
import { escapeHtml } from '../../base/escape-html.ts'
import { appendAll } from '../../base/large-array-helpers.ts'
import { Problem } from '../../base/problem.ts'
import { altTextToHtml, makeHtmlPage, safeLinkOrUndefined, type TableCell } from '../escape-and-build-html.ts'
import { childElementsOf, findAllElements, findFirstElement, parseXml, xmlTextOf } from '../walk-xml.ts'
import { chartToRows } from './chart-to-rows.ts'
import { readOfficeMetadata, titleOfMetadata } from './office-metadata.ts'
import { findPartByType, type OfficeRelation, readRelations } from './office-relations.ts'
import {
  HtmlBuilder,
  type ListPosition,
  ParagraphText,
  type RunStyle,
  readListNumber,
  speakerNotesToHtml,
} from './paragraphs-to-html.ts'
import type { DocumentReading } from './sniff-document.ts'
import type { Archive } from './zip-archive.ts'

const MAX_SLIDES = 2000
const MAX_SPAN = 200

type Links = ReadonlyMap<string, OfficeRelation>

export function readPptx(archive: Archive, main = 'ppt/presentation.xml'): DocumentReading {
  const presentation = archive.text(main)
  if (presentation === undefined) throw new Problem('unreadable_file', { because: 'it has no presentation part' })
  const targets = readRelations(archive, main)
  const slides = findAllElements(parseXml(presentation), 'p:sldId').flatMap(
    ({ attribs }) => targets.get(attribs['r:id'] ?? '')?.target ?? [],
  )
  const metadata = readOfficeMetadata(archive)
  const parts = slides.slice(0, MAX_SLIDES).map((path, index) => slideHtml(archive, path, index + 1))
  const warnings =
    slides.length > MAX_SLIDES ? [`It has ${slides.length} slides; the first ${MAX_SLIDES} are returned.`] : []
  return { kind: 'pptx', html: makeHtmlPage(titleOfMetadata(metadata), parts.join('\n')), metadata, warnings }
}

function slideHtml(archive: Archive, path: string, number: number): string {
  const text = archive.text(path)
  if (text === undefined) return ''
  const links = readRelations(archive, path)
  const tree = findFirstElement(parseXml(text), 'p:spTree')
  const shapes = tree ? shapesOf(tree) : []
  const title = shapes.find(
    (shape) => /^(?:title|ctrTitle)$/.test(placeholder(shape)) && xmlTextOf(shape).trim() !== '',
  )
  const heading = title ? paragraphsOf(title).map(speakerTextOf).join(' ').trim() : ''
  const prose = new HtmlBuilder()
  for (const shape of shapes) if (shape !== title) addShape(shape, prose, archive, links)
  const notes = findPartByType(links, 'notesSlide')
  return `<h2>${escapeHtml(heading || `Slide ${number}`)}</h2>\n${prose.toHtml()}\n${notes ? notesHtml(archive, notes) : ''}`
}

const SHAPES = new Set(['p:sp', 'p:graphicFrame', 'p:pic'])

function shapesOf(tree: Element): Element[] {
  const found: Element[] = []
  const open = childElementsOf(tree).reverse()
  while (open.length > 0) {
    const element = open.pop()!
    if (SHAPES.has(element.name)) found.push(element)
    else if (element.name === 'p:grpSp' || element.name === 'mc:AlternateContent' || element.name === 'mc:Choice')
      appendAll(open, childElementsOf(element).reverse())
  }
  return found
}

const placeholder = (shape: Element): string => {
  const found = findFirstElement(shape, 'p:ph')
  return found ? (found.attribs.type ?? 'body') : ''
}
const paragraphsOf = (shape: Element): Element[] => findAllElements(shape, 'a:p')
/** A line break in a title becomes a space. */
const speakerTextOf = (paragraph: Element): string =>
  childElementsOf(paragraph)
    .map((run) => (run.name === 'a:br' ? ' ' : xmlTextOf(run)))
    .join('')
    .trim()

function addShape(shape: Element, prose: HtmlBuilder, archive: Archive, links: Links): void {
  const kind = placeholder(shape)
  if (/^(?:sldNum|dt|ftr|hdr)$/.test(kind)) return
  const table = findFirstElement(shape, 'a:tbl')
  const chart = findFirstElement(shape, 'c:chart')?.attribs['r:id']
  const diagram = findFirstElement(shape, 'dgm:relIds')?.attribs['r:dm']
  if (table) prose.table(findAllElements(table, 'a:tr').map((row) => cellsOf(row, links)))
  else if (chart) {
    const text = archive.text(links.get(chart)?.target ?? '')
    if (text) prose.table(chartToRows(parseXml(text)))
  } else if (diagram) {
    // Only the labels of a diagram are read.
    const text = archive.text(links.get(diagram)?.target ?? '')
    for (const point of text ? findAllElements(parseXml(text), 'dgm:t') : [])
      addParagraphs(paragraphsOf(point), 'body', prose, links)
  } else addParagraphs(paragraphsOf(shape), kind, prose, links)
  const about = findFirstElement(shape, 'p:cNvPr')?.attribs.descr
  if (shape.name !== 'p:sp' && about) prose.add(`<p>${altTextToHtml(about)}</p>`)
}

/** Slide bodies are lists by default; text boxes only if marked. */
function addParagraphs(paragraphs: readonly Element[], kind: string, prose: HtmlBuilder, links: Links): void {
  const counts: number[] = []
  for (const paragraph of paragraphs) {
    const line = lineOf(paragraph, links)
    if (!line.isEmpty) prose.paragraph(line, 'text', placeOf(paragraph, kind, counts))
  }
}

function placeOf(paragraph: Element, kind: string, counts: number[]): ListPosition | undefined {
  const properties = childElementsOf(paragraph).find(({ name }) => name === 'a:pPr')
  const mark =
    properties && childElementsOf(properties).find(({ name }) => /^a:bu(?:None|Char|AutoNum|Blip)$/.test(name))
  const level = Math.min(8, readListNumber(properties?.attribs.lvl) ?? 0)
  if (mark?.name === 'a:buNone' || (!mark && !/^(?:body|obj)$/.test(kind))) {
    counts.length = 0
    return undefined
  }
  const ordered = mark?.name === 'a:buAutoNum'
  const number = (counts[level] ?? (readListNumber(mark?.attribs.startAt) || 1) - 1) + 1
  counts.length = level
  if (ordered) counts[level] = number
  return { level, ordered, number: ordered ? number : 1 }
}

function lineOf(paragraph: Element, links: Links): ParagraphText {
  const line = new ParagraphText()
  for (const run of childElementsOf(paragraph)) {
    if (run.name === 'a:br') line.write('\n')
    if (run.name !== 'a:r' && run.name !== 'a:fld') continue
    const properties = childElementsOf(run).find(({ name }) => name === 'a:rPr')
    const link = links.get((properties && findFirstElement(properties, 'a:hlinkClick')?.attribs['r:id']) ?? '')
    line.write(
      findAllElements(run, 'a:t').map(xmlTextOf).join(''),
      styleOf(properties),
      safeLinkOrUndefined(link?.target),
    )
  }
  return line
}

function styleOf(properties: Element | undefined): RunStyle {
  const { b, i, strike, baseline } = properties?.attribs ?? {}
  const height = Number(baseline) || 0
  return {
    bold: b === '1' || b === 'true',
    italic: i === '1' || i === 'true',
    strike: strike === 'sngStrike' || strike === 'dblStrike',
    raised: height > 0 ? 'sup' : height < 0 ? 'sub' : undefined,
  }
}

const cellsOf = (row: Element, links: Links): TableCell[] =>
  findAllElements(row, 'a:tc').map((cell) => {
    const { attribs } = cell
    if (attribs.hMerge === '1' || attribs.vMerge === '1') return null
    const prose = new HtmlBuilder()
    addParagraphs(paragraphsOf(cell), '', prose, links)
    const span = (value: string | undefined) => Math.min(MAX_SPAN, Math.max(1, Number(value) || 1))
    return { html: prose.toInnerHtml(), columns: span(attribs.gridSpan), rows: span(attribs.rowSpan) }
  })

function notesHtml(archive: Archive, path: string): string {
  const text = archive.text(path)
  if (text === undefined) return ''
  const body = findAllElements(parseXml(text), 'p:sp').filter((shape) => placeholder(shape) === 'body')
  return speakerNotesToHtml(body.flatMap(paragraphsOf).map(speakerTextOf).filter(Boolean))
}
