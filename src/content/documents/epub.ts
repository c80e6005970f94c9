// Reads EPUB: chapters in spine order with notes at the end, without the table of contents.
import type { Element } from 'domhandler'
import { Problem } from '../../base/problem.ts'
import type { Cuts } from '../main-content.ts'
import { all, first, htmlPage, textIn, xmlRoot } from '../markup.ts'
import type { Metadata } from '../metadata.ts'
import type { DocumentReading } from './document.ts'
import { blockAt, type Chapter, chapterHtml, decoded, noteHtml, number, openChapter } from './epub-chapter.ts'
import { titleOf } from './office-facts.ts'
import { Notes } from './paragraphs-to-html.ts'
import type { Archive } from './zip.ts'

const MAX_CHAPTERS = 2000
const MAX_HTML = 30_000_000

export function readEpub(archive: Archive): DocumentReading {
  const container = archive.text('META-INF/container.xml')
  const path = container && first(xmlRoot(container), 'rootfile')?.attribs['full-path']
  const text = path ? archive.text(path) : undefined
  if (!path || text === undefined)
    throw new Problem('unreadable_file', { because: 'the book names no package document' })
  if (archive.has('META-INF/encryption.xml') && archive.has('META-INF/rights.xml'))
    throw new Problem('unreadable_file', { because: 'the book is locked by its publisher (DRM)' })
  const root = xmlRoot(text)
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : ''
  const { chapters, isCut } = chaptersOf(archive, root, folder)
  const metadata = facts(root)
  return {
    kind: 'epub',
    html: htmlPage(titleOf(metadata), joined(chapters)),
    metadata,
    warnings: isCut ? ['The book is longer than what is given of it.'] : [],
  }
}

function chaptersOf(
  archive: Archive,
  root: Parameters<typeof all>[0],
  folder: string,
): { chapters: Chapter[]; isCut: boolean } {
  const items = new Map(all(root, 'item').map(({ attribs }) => [attribs.id ?? '', attribs]))
  const chapters: Chapter[] = []
  let length = 0
  const spine = all(root, 'itemref')
  for (const { attribs } of spine.slice(0, MAX_CHAPTERS)) {
    const item = items.get(attribs.idref ?? '')
    if (!item?.href || /\bnav\b/.test(item.properties ?? '')) continue
    const path = folder + decoded(item.href).split('#', 1)[0]
    const bytes = archive.bytes(path)
    if (!bytes) continue
    length += bytes.byteLength
    if (length > MAX_HTML) return { chapters, isCut: true }
    const chapter = openChapter(new TextDecoder().decode(bytes), path)
    if (chapter) chapters.push(chapter)
  }
  return { chapters, isCut: spine.length > MAX_CHAPTERS }
}

/**
 * Moves notes to the end, numbered by reference. A note must follow its reference, because back links look like
 * references.
 */
function joined(chapters: readonly Chapter[]): string {
  const notes = new Notes()
  /** Blocks examined, and their note numbers; one block may have several ids. */
  const numbers = new Map<Element, number | undefined>()
  const cuts: Cuts = new Map()
  const places = new Map(
    chapters.flatMap((chapter, index) =>
      [...chapter.places].map(([name, place]) => [name, { ...place, index }] as const),
    ),
  )
  const numberAt = (place: Element): number | undefined => {
    const block = blockAt(place)
    if (!numbers.has(block)) {
      const html = noteHtml(block)
      numbers.set(block, html === undefined ? undefined : cuts.size + 1)
      if (html !== undefined) {
        notes.add(html)
        cuts.set(block, 'a note')
      }
    }
    return numbers.get(block)
  }
  chapters.forEach(({ signs }, index) => {
    for (const { element, target, order } of signs) {
      const place = places.get(target)
      const isLater = place && (place.index > index || (place.index === index && place.order > order))
      number(element, isLater && !isCutAway(element, cuts) ? numberAt(place.element) : undefined)
    }
  })
  return chapters.map((chapter) => chapterHtml(chapter, cuts)).join('\n') + notes.toHtml()
}

function isCutAway(element: Element, cuts: Cuts): boolean {
  for (let at: Element['parent'] = element; at; at = at.parent) if (cuts.has(at)) return true
  return false
}

function facts(root: Parameters<typeof all>[0]): Metadata {
  const metadata: Metadata = {}
  const names = {
    title: 'dc:title',
    author: 'dc:creator',
    language: 'dc:language',
    description: 'dc:description',
    publisher: 'dc:publisher',
    publishedTime: 'dc:date',
  }
  for (const [key, element] of Object.entries(names)) {
    const found = first(root, element)
    const value = found && textIn(found).replace(/\s+/g, ' ').trim().slice(0, 2000)
    if (value) metadata[key] = value
  }
  return metadata
}
