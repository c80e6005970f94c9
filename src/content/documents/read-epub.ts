// Reads EPUB: chapters in spine order with notes at the end, without the table of contents.
import type { Element } from 'domhandler'
import { Problem } from '../../base/problem.ts'
import { makeHtmlPage } from '../escape-and-build-html.ts'
import type { RemovedNodes } from '../find-main-content.ts'
import type { PageMetadata } from '../metadata.ts'
import { findAllElements, findFirstElement, parseXml, xmlTextOf } from '../walk-xml.ts'
import {
  chapterToHtml,
  decodeHref,
  type EpubChapter,
  enclosingBlockOf,
  noteToHtml,
  parseEpubChapter,
  renumberNoteReference,
} from './epub-chapter.ts'
import { titleOfMetadata } from './office-metadata.ts'
import { NoteList } from './paragraphs-to-html.ts'
import type { DocumentReading } from './sniff-document.ts'
import type { Archive } from './zip-archive.ts'

const MAX_CHAPTERS = 2000
const MAX_HTML = 30_000_000

export function readEpub(archive: Archive): DocumentReading {
  const container = archive.text('META-INF/container.xml')
  const path = container && findFirstElement(parseXml(container), 'rootfile')?.attribs['full-path']
  const text = path ? archive.text(path) : undefined
  if (!path || text === undefined)
    throw new Problem('unreadable_file', { because: 'the book names no package document' })
  if (archive.has('META-INF/encryption.xml') && archive.has('META-INF/rights.xml'))
    throw new Problem('unreadable_file', { because: 'the book is locked by its publisher (DRM)' })
  const root = parseXml(text)
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : ''
  const { chapters, isCut } = chaptersOf(archive, root, folder)
  const metadata = facts(root)
  return {
    kind: 'epub',
    html: makeHtmlPage(titleOfMetadata(metadata), joinChapters(chapters)),
    metadata,
    warnings: isCut ? ['The book is longer than the returned part.'] : [],
  }
}

function chaptersOf(
  archive: Archive,
  root: Parameters<typeof findAllElements>[0],
  folder: string,
): { chapters: EpubChapter[]; isCut: boolean } {
  const items = new Map(findAllElements(root, 'item').map(({ attribs }) => [attribs.id ?? '', attribs]))
  const chapters: EpubChapter[] = []
  let length = 0
  const spine = findAllElements(root, 'itemref')
  for (const { attribs } of spine.slice(0, MAX_CHAPTERS)) {
    const item = items.get(attribs.idref ?? '')
    if (!item?.href || /\bnav\b/.test(item.properties ?? '')) continue
    const path = folder + decodeHref(item.href).split('#', 1)[0]
    const bytes = archive.bytes(path)
    if (!bytes) continue
    length += bytes.byteLength
    if (length > MAX_HTML) return { chapters, isCut: true }
    const chapter = parseEpubChapter(new TextDecoder().decode(bytes), path)
    if (chapter) chapters.push(chapter)
  }
  return { chapters, isCut: spine.length > MAX_CHAPTERS }
}

/**
 * Moves notes to the end, numbered by reference. A note must follow its reference, because back links look like
 * references.
 */
function joinChapters(chapters: readonly EpubChapter[]): string {
  const notes = new NoteList()
  /** Blocks examined, and their note numbers; one block may have several ids. */
  const numbers = new Map<Element, number | undefined>()
  const cuts: RemovedNodes = new Map()
  const places = new Map(
    chapters.flatMap((chapter, index) =>
      [...chapter.places].map(([name, place]) => [name, { ...place, index }] as const),
    ),
  )
  const numberAt = (place: Element): number | undefined => {
    const block = enclosingBlockOf(place)
    if (!numbers.has(block)) {
      const html = noteToHtml(block)
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
      renumberNoteReference(element, isLater && !isCutAway(element, cuts) ? numberAt(place.element) : undefined)
    }
  })
  return chapters.map((chapter) => chapterToHtml(chapter, cuts)).join('\n') + notes.toHtml()
}

function isCutAway(element: Element, cuts: RemovedNodes): boolean {
  for (let at: Element['parent'] = element; at; at = at.parent) if (cuts.has(at)) return true
  return false
}

function facts(root: Parameters<typeof findAllElements>[0]): PageMetadata {
  const metadata: PageMetadata = {}
  const names = {
    title: 'dc:title',
    author: 'dc:creator',
    language: 'dc:language',
    description: 'dc:description',
    publisher: 'dc:publisher',
    publishedTime: 'dc:date',
  }
  for (const [key, element] of Object.entries(names)) {
    const found = findFirstElement(root, element)
    const value = found && xmlTextOf(found).replace(/\s+/g, ' ').trim().slice(0, 2000)
    if (value) metadata[key] = value
  }
  return metadata
}
