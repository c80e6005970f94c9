// EPUB: the chapters of its spine, one after another.
import { Problem } from '../../base/problem.ts'
import type { Metadata } from '../metadata.ts'
import type { DocumentReading } from './document.ts'
import { all, first, htmlPage, textIn, xmlRoot } from './markup.ts'
import { titleOf } from './office-facts.ts'
import type { Archive } from './zip.ts'

const MAX_CHAPTERS = 2000
const MAX_HTML = 30_000_000

export function readEpub(archive: Archive): DocumentReading {
  const container = archive.text('META-INF/container.xml')
  const path = container && first(xmlRoot(container), 'rootfile')?.attribs['full-path']
  const text = path ? archive.text(path) : undefined
  if (!path || text === undefined)
    throw new Problem('unreadable_file', { because: 'the book names no package document' })
  const root = xmlRoot(text)
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : ''
  const items = new Map(all(root, 'item').map(({ attribs }) => [attribs.id ?? '', attribs.href ?? '']))
  const warnings: string[] = []
  let body = ''
  for (const { attribs } of all(root, 'itemref').slice(0, MAX_CHAPTERS)) {
    const href = items.get(attribs.idref ?? '')
    const chapter = href ? chapterOf(archive, folder + decoded(href)) : undefined
    if (!chapter) continue
    if (body.length + chapter.length > MAX_HTML) {
      warnings.push('The book is longer than what is given of it.')
      break
    }
    body += `\n${chapter}`
  }
  const metadata = facts(root)
  return { kind: 'epub', html: htmlPage(titleOf(metadata), body), metadata, warnings }
}

/** A chapter may carry the doctype of XHTML; nothing here reads it. */
function chapterOf(archive: Archive, name: string): string | undefined {
  const bytes = archive.bytes(name.split('#', 1)[0]!)
  if (!bytes) return undefined
  const text = new TextDecoder().decode(bytes)
  const start = text.search(/<body[\s>]/i)
  const end = text.lastIndexOf('</body')
  if (start === -1) return text
  return text.slice(text.indexOf('>', start) + 1, end === -1 ? undefined : end)
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
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
