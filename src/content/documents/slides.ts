// PowerPoint: a heading for each slide, its texts, lists and tables, alt texts of pictures, and the speaker's notes.
import type { Element } from 'domhandler'
import { Problem } from '../../base/problem.ts'
import type { DocumentReading } from './document.ts'
import { all, children, escaped, first, htmlPage, safeLink, tableHtml, textIn, xmlRoot } from './markup.ts'
import { officeFacts, titleOf } from './office-facts.ts'
import type { Archive } from './zip.ts'

const MAX_SLIDES = 2000

export function readPptx(archive: Archive): DocumentReading {
  const presentation = archive.text('ppt/presentation.xml')
  if (presentation === undefined) throw new Problem('unreadable_file', { because: 'it has no presentation part' })
  const targets = relations(archive, 'ppt/presentation.xml')
  const slides = all(xmlRoot(presentation), 'p:sldId').flatMap(
    ({ attribs }) => targets.get(attribs['r:id'] ?? '')?.target ?? [],
  )
  const metadata = officeFacts(archive)
  const parts = slides.slice(0, MAX_SLIDES).map((path, index) => slideHtml(archive, path, index + 1))
  return { kind: 'pptx', html: htmlPage(titleOf(metadata), parts.join('\n')), metadata, warnings: [] }
}

interface Relation {
  target: string
  type: string
}

/** What a part refers to, by id; targets are names inside the archive, whatever they look like. */
function relations(archive: Archive, part: string): Map<string, Relation> {
  const folder = part.slice(0, part.lastIndexOf('/'))
  const text = archive.text(`${folder}/_rels/${part.slice(folder.length + 1)}.rels`)
  const found = new Map<string, Relation>()
  if (!text) return found
  for (const { attribs } of all(xmlRoot(text), 'Relationship')) {
    const { Id = '', Target = '', Type = '', TargetMode } = attribs
    const target = TargetMode === 'External' ? Target : resolved(folder, Target)
    found.set(Id, { target, type: Type.slice(Type.lastIndexOf('/') + 1) })
  }
  return found
}

function resolved(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const steps = folder.split('/')
  for (const step of target.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  }
  return steps.join('/')
}

function slideHtml(archive: Archive, path: string, number: number): string {
  const text = archive.text(path)
  if (text === undefined) return ''
  const links = relations(archive, path)
  const tree = first(xmlRoot(text), 'p:spTree')
  const shapes = tree ? shapesOf(tree) : []
  const title = shapes.find((shape) => /^(?:title|ctrTitle)$/.test(placeholder(shape)))
  const heading = title
    ? paragraphsOf(title)
        .map((one) => textIn(one))
        .join(' ')
        .trim()
    : ''
  const body = shapes.filter((shape) => shape !== title).map((shape) => shapeHtml(shape, links))
  const notes = [...links.values()].find(({ type }) => type === 'notesSlide')?.target
  return `<h2>${escaped(heading || `Slide ${number}`)}</h2>\n${body.join('\n')}\n${notes ? notesHtml(archive, notes) : ''}`
}

const SHAPES = new Set(['p:sp', 'p:graphicFrame', 'p:pic'])

/** In drawing order, those inside groups too. */
function shapesOf(tree: Element): Element[] {
  const found: Element[] = []
  const open = children(tree).reverse()
  while (open.length > 0) {
    const element = open.pop()!
    if (SHAPES.has(element.name)) found.push(element)
    else if (element.name === 'p:grpSp' || element.name === 'mc:AlternateContent' || element.name === 'mc:Choice')
      open.push(...children(element).reverse())
  }
  return found
}

const placeholder = (shape: Element): string =>
  first(shape, 'p:ph')?.attribs.type ?? (first(shape, 'p:ph') ? 'body' : '')
const paragraphsOf = (shape: Element): Element[] => all(shape, 'a:p')

function shapeHtml(shape: Element, links: ReadonlyMap<string, Relation>): string {
  if (shape.name === 'p:pic') {
    const alt = first(shape, 'p:cNvPr')?.attribs.descr
    return alt ? `<p>[Image: ${escaped(alt)}]</p>` : ''
  }
  const table = first(shape, 'a:tbl')
  if (table)
    return tableHtml(
      all(table, 'a:tr').map((row) =>
        all(row, 'a:tc').map((cell) =>
          paragraphsOf(cell)
            .map((one) => inline(one, links))
            .join('<br>'),
        ),
      ),
    )
  const kind = placeholder(shape)
  if (/^(?:sldNum|dt|ftr|hdr)$/.test(kind)) return ''
  const paragraphs = paragraphsOf(shape).flatMap((one) => {
    const html = inline(one, links)
    const properties = first(one, 'a:pPr')
    const isPlain = properties !== undefined && first(properties, 'a:buNone') !== undefined
    return html.trim() ? [{ html, isPlain, level: Math.min(8, Number(properties?.attribs.lvl ?? 0) || 0) }] : []
  })
  // Only the body of a slide is a list by nature; a text box is prose.
  if (!/^(?:body|obj|)$/.test(kind) || kind === '' || paragraphs.every(({ isPlain }) => isPlain))
    return paragraphs.map(({ html }) => `<p>${html}</p>`).join('')
  return nested(paragraphs)
}

function nested(items: readonly { html: string; level: number }[]): string {
  let html = ''
  let depth = 0
  for (const { html: item, level } of items) {
    while (depth < level + 1) {
      html += '<ul>'
      depth++
    }
    while (depth > level + 1) {
      html += '</ul>'
      depth--
    }
    html += `<li>${item}</li>`
  }
  return html + '</ul>'.repeat(depth)
}

function inline(paragraph: Element, links: ReadonlyMap<string, Relation>): string {
  let html = ''
  for (const run of children(paragraph)) {
    if (run.name === 'a:br') html += '<br>'
    if (run.name !== 'a:r' && run.name !== 'a:fld') continue
    const text = escaped(all(run, 'a:t').map(textIn).join(''))
    const properties = first(run, 'a:rPr')
    const link = safeLink(links.get((properties && first(properties, 'a:hlinkClick')?.attribs['r:id']) ?? '')?.target)
    const strong = properties?.attribs.b === '1' ? `<strong>${text}</strong>` : text
    html += link ? `<a href="${escaped(link)}">${strong}</a>` : strong
  }
  return html
}

function notesHtml(archive: Archive, path: string): string {
  const text = archive.text(path)
  if (text === undefined) return ''
  const body = all(xmlRoot(text), 'p:sp').filter((shape) => placeholder(shape) === 'body')
  const lines = body
    .flatMap(paragraphsOf)
    .map((one) => textIn(one).trim())
    .filter(Boolean)
  return lines.length > 0 ? `<blockquote><p>Notes: ${lines.map(escaped).join('</p><p>')}</p></blockquote>` : ''
}
