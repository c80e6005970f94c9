// Renders PowerPoint slides: headings, text, lists, tables, charts, alt texts and speaker's notes.

import type { Element } from 'domhandler'
import { appendAll } from '../../base/lists.ts'
import { Problem } from '../../base/problem.ts'
import {
  all,
  children,
  escaped,
  first,
  htmlPage,
  pictureText,
  safeLink,
  type TableCell,
  textIn,
  xmlRoot,
} from '../markup.ts'
import { chartRows } from './chart.ts'
import type { DocumentReading } from './document.ts'
import { officeFacts, titleOf } from './office-facts.ts'
import { type ListPlace, ParagraphText, Prose, type RunStyle, spokenHtml } from './paragraphs-to-html.ts'
import { partOf, type Relation, relations } from './relations.ts'
import type { Archive } from './zip.ts'

const MAX_SLIDES = 2000
const MAX_SPAN = 200

type Links = ReadonlyMap<string, Relation>

export function readPptx(archive: Archive, main = 'ppt/presentation.xml'): DocumentReading {
  const presentation = archive.text(main)
  if (presentation === undefined) throw new Problem('unreadable_file', { because: 'it has no presentation part' })
  const targets = relations(archive, main)
  const slides = all(xmlRoot(presentation), 'p:sldId').flatMap(
    ({ attribs }) => targets.get(attribs['r:id'] ?? '')?.target ?? [],
  )
  const metadata = officeFacts(archive)
  const parts = slides.slice(0, MAX_SLIDES).map((path, index) => slideHtml(archive, path, index + 1))
  const warnings =
    slides.length > MAX_SLIDES ? [`It has ${slides.length} slides; the first ${MAX_SLIDES} are given.`] : []
  return { kind: 'pptx', html: htmlPage(titleOf(metadata), parts.join('\n')), metadata, warnings }
}

function slideHtml(archive: Archive, path: string, number: number): string {
  const text = archive.text(path)
  if (text === undefined) return ''
  const links = relations(archive, path)
  const tree = first(xmlRoot(text), 'p:spTree')
  const shapes = tree ? shapesOf(tree) : []
  const title = shapes.find((shape) => /^(?:title|ctrTitle)$/.test(placeholder(shape)) && textIn(shape).trim() !== '')
  const heading = title ? paragraphsOf(title).map(spoken).join(' ').trim() : ''
  const prose = new Prose()
  for (const shape of shapes) if (shape !== title) addShape(shape, prose, archive, links)
  const notes = partOf(links, 'notesSlide')
  return `<h2>${escaped(heading || `Slide ${number}`)}</h2>\n${prose.toHtml()}\n${notes ? notesHtml(archive, notes) : ''}`
}

const SHAPES = new Set(['p:sp', 'p:graphicFrame', 'p:pic'])

function shapesOf(tree: Element): Element[] {
  const found: Element[] = []
  const open = children(tree).reverse()
  while (open.length > 0) {
    const element = open.pop()!
    if (SHAPES.has(element.name)) found.push(element)
    else if (element.name === 'p:grpSp' || element.name === 'mc:AlternateContent' || element.name === 'mc:Choice')
      appendAll(open, children(element).reverse())
  }
  return found
}

const placeholder = (shape: Element): string => {
  const found = first(shape, 'p:ph')
  return found ? (found.attribs.type ?? 'body') : ''
}
const paragraphsOf = (shape: Element): Element[] => all(shape, 'a:p')
/** A line break in a title becomes a space. */
const spoken = (paragraph: Element): string =>
  children(paragraph)
    .map((run) => (run.name === 'a:br' ? ' ' : textIn(run)))
    .join('')
    .trim()

function addShape(shape: Element, prose: Prose, archive: Archive, links: Links): void {
  const kind = placeholder(shape)
  if (/^(?:sldNum|dt|ftr|hdr)$/.test(kind)) return
  const table = first(shape, 'a:tbl')
  const chart = first(shape, 'c:chart')?.attribs['r:id']
  const diagram = first(shape, 'dgm:relIds')?.attribs['r:dm']
  if (table) prose.table(all(table, 'a:tr').map((row) => cellsOf(row, links)))
  else if (chart) {
    const text = archive.text(links.get(chart)?.target ?? '')
    if (text) prose.table(chartRows(xmlRoot(text)))
  } else if (diagram) {
    // Only the labels of a diagram are read.
    const text = archive.text(links.get(diagram)?.target ?? '')
    for (const point of text ? all(xmlRoot(text), 'dgm:t') : [])
      addParagraphs(paragraphsOf(point), 'body', prose, links)
  } else addParagraphs(paragraphsOf(shape), kind, prose, links)
  const about = first(shape, 'p:cNvPr')?.attribs.descr
  if (shape.name !== 'p:sp' && about) prose.add(`<p>${pictureText(about)}</p>`)
}

/** Slide bodies are lists by default; text boxes only if marked. */
function addParagraphs(paragraphs: readonly Element[], kind: string, prose: Prose, links: Links): void {
  const counts: number[] = []
  for (const paragraph of paragraphs) {
    const line = lineOf(paragraph, links)
    if (!line.isEmpty) prose.paragraph(line, 'text', placeOf(paragraph, kind, counts))
  }
}

function placeOf(paragraph: Element, kind: string, counts: number[]): ListPlace | undefined {
  const properties = children(paragraph).find(({ name }) => name === 'a:pPr')
  const mark = properties && children(properties).find(({ name }) => /^a:bu(?:None|Char|AutoNum|Blip)$/.test(name))
  const level = Math.min(8, Math.max(0, Number(properties?.attribs.lvl ?? 0) || 0))
  if (mark?.name === 'a:buNone' || (!mark && !/^(?:body|obj)$/.test(kind))) {
    counts.length = 0
    return undefined
  }
  const ordered = mark?.name === 'a:buAutoNum'
  const number = (counts[level] ?? (Number(mark?.attribs.startAt) || 1) - 1) + 1
  counts.length = level
  if (ordered) counts[level] = number
  return { level, ordered, number: ordered ? number : 1 }
}

function lineOf(paragraph: Element, links: Links): ParagraphText {
  const line = new ParagraphText()
  for (const run of children(paragraph)) {
    if (run.name === 'a:br') line.write('\n')
    if (run.name !== 'a:r' && run.name !== 'a:fld') continue
    const properties = children(run).find(({ name }) => name === 'a:rPr')
    const link = links.get((properties && first(properties, 'a:hlinkClick')?.attribs['r:id']) ?? '')
    line.write(all(run, 'a:t').map(textIn).join(''), styleOf(properties), safeLink(link?.target))
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
  all(row, 'a:tc').map((cell) => {
    const { attribs } = cell
    if (attribs.hMerge === '1' || attribs.vMerge === '1') return null
    const prose = new Prose()
    addParagraphs(paragraphsOf(cell), '', prose, links)
    const span = (value: string | undefined) => Math.min(MAX_SPAN, Math.max(1, Number(value) || 1))
    return { html: prose.toInnerHtml(), columns: span(attribs.gridSpan), rows: span(attribs.rowSpan) }
  })

function notesHtml(archive: Archive, path: string): string {
  const text = archive.text(path)
  if (text === undefined) return ''
  const body = all(xmlRoot(text), 'p:sp').filter((shape) => placeholder(shape) === 'body')
  return spokenHtml(body.flatMap(paragraphsOf).map(spoken).filter(Boolean))
}
