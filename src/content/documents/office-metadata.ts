// Reads metadata of Office files: docProps/core.xml (OOXML) and meta.xml (OpenDocument).

import type { PageMetadata } from '../metadata.ts'
import { findFirstElement, parseXml, xmlTextOf } from '../walk-xml.ts'
import type { Archive } from './zip-archive.ts'

const NAMES: readonly (readonly [string, string])[] = [
  ['dc:title', 'title'],
  ['dc:creator', 'author'],
  ['meta:initial-creator', 'author'],
  ['dc:description', 'description'],
  ['dc:subject', 'subject'],
  ['cp:keywords', 'keywords'],
  ['meta:keyword', 'keywords'],
  ['dc:language', 'language'],
  ['dcterms:created', 'publishedTime'],
  ['meta:creation-date', 'publishedTime'],
  ['dcterms:modified', 'modifiedTime'],
  ['dc:date', 'modifiedTime'],
]
const MAX_FACT = 2000

export function readOfficeMetadata(archive: Archive): PageMetadata {
  const text = archive.text('docProps/core.xml') ?? archive.text('meta.xml')
  if (!text) return {}
  const root = parseXml(text)
  const metadata: PageMetadata = {}
  for (const [element, name] of NAMES) {
    const found = findFirstElement(root, element)
    const value = found && xmlTextOf(found).replace(/\s+/g, ' ').trim().slice(0, MAX_FACT)
    if (value && metadata[name] === undefined) metadata[name] = value
  }
  return metadata
}

export const titleOfMetadata = ({ title }: PageMetadata): string | undefined =>
  typeof title === 'string' ? title : undefined
