// Reads metadata of Office files: docProps/core.xml (OOXML) and meta.xml (OpenDocument).

import { first, textIn, xmlRoot } from '../markup.ts'
import type { Metadata } from '../metadata.ts'
import type { Archive } from './zip.ts'

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

export function officeFacts(archive: Archive): Metadata {
  const text = archive.text('docProps/core.xml') ?? archive.text('meta.xml')
  if (!text) return {}
  const root = xmlRoot(text)
  const metadata: Metadata = {}
  for (const [element, name] of NAMES) {
    const found = first(root, element)
    const value = found && textIn(found).replace(/\s+/g, ' ').trim().slice(0, MAX_FACT)
    if (value && metadata[name] === undefined) metadata[name] = value
  }
  return metadata
}

export const titleOf = ({ title }: Metadata): string | undefined => (typeof title === 'string' ? title : undefined)
