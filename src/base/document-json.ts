// A document as stored JSON bytes. Metadata come last, so that a scrape can merge its own without parsing the page's
// text.
import { JsonBytes } from './json-bytes.ts'
import type { Document } from './visit-and-capture-types.ts'

const METADATA = '"metadata":{'
const WARNING = '"warning":"'

export function serialiseDocument({ metadata, warning, ...fields }: Document): Buffer {
  const pieces: Uint8Array[] = []
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue
    pieces.push(text(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(field)}:`))
    pieces.push(value instanceof JsonBytes ? value.bytes : text(JSON.stringify(value)))
  }
  const rest = JSON.stringify({ ...(warning === undefined ? {} : { warning }), metadata })
  pieces.push(text(pieces.length === 0 ? rest : `,${rest.slice(1)}`))
  return Buffer.concat(pieces)
}

/** The document in one buffer, with what a response puts around it: a page's text is copied once or not at all. */
export type WriteDocumentJson = (before?: string, after?: string) => Buffer

export function mergeMetadataIntoJson(
  packed: Uint8Array,
  overlay: Document['metadata'],
  own = readMetadataOfJson(packed),
): { json: WriteDocumentJson; metadata: Document['metadata'] } {
  const whole = view(packed)
  const metadata = { ...own, ...overlay }
  const page = whole.subarray(0, metadataAt(whole))
  return {
    json: (before = '', after = '') =>
      Buffer.concat([text(before), page, text(`"metadata":${JSON.stringify(metadata)}}${after}`)]),
    metadata,
  }
}

export function readMetadataOfJson(packed: Uint8Array): Document['metadata'] {
  const whole = view(packed)
  const from = metadataAt(whole) + METADATA.length - 1
  return JSON.parse(whole.toString('utf8', from, whole.length - 1)) as Document['metadata']
}

/** The warning comes just before the metadata. */
export function readWarningOfJson(packed: Uint8Array): string | undefined {
  const whole = view(packed)
  const at = metadataAt(whole)
  const near = whole.subarray(Math.max(0, at - MAX_WARNING_BYTES), at)
  const from = near.lastIndexOf(WARNING)
  if (from < 0) return undefined
  const found = /^"warning":("(?:[^"\\]|\\.)*"),$/.exec(near.toString('utf8', from))
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as string)
}

const MAX_WARNING_BYTES = 20_000

const text = (string: string): Buffer => Buffer.from(string)
const view = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/**
 * The last match is the document's own: metadata contain no objects, and inside a string the quotes would be
 * escaped.
 */
const metadataAt = (packed: Buffer): number => packed.lastIndexOf(METADATA)
