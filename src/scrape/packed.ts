// A document as the JSON text it is stored and sent as. Its metadata stand last, so that a scrape's own metadata can be
// laid over them without parsing and writing the page's text again: most of the cost of answering from the cache.
import type { Document } from '../base/page.ts'

const METADATA = '"metadata":{'

/** The text of a document whose metadata are the page's alone. */
export function pack({ metadata, warning, ...fields }: Document): string {
  return JSON.stringify({ ...fields, ...(warning === undefined ? {} : { warning }), metadata })
}

/** The text of the same document with more metadata laid over. */
export function withMetadata(packed: string, overlay: Document['metadata']): string {
  const at = metadataAt(packed)
  return `${packed.slice(0, at)}"metadata":${JSON.stringify({ ...metadataIn(packed), ...overlay })}}`
}

/** The metadata of a document in its text form. */
export const metadataIn = (packed: string): Document['metadata'] =>
  JSON.parse(packed.slice(metadataAt(packed) + METADATA.length - 1, -1)) as Document['metadata']

/** What could not be done, if anything: it stands just before the metadata. */
export function warningOf(packed: string): string | undefined {
  const before = packed.slice(0, metadataAt(packed))
  const found = /[{,]"warning":("(?:[^"\\]|\\.)*"),$/.exec(before.slice(-MAX_WARNING))
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as string)
}

const MAX_WARNING = 20_000

/**
 * The last one is the document's own: metadata hold no objects, so nothing after it can look the same, and inside a
 * string the quotes would be escaped.
 */
const metadataAt = (packed: string): number => packed.lastIndexOf(METADATA)
