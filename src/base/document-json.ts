// A document as stored JSON bytes. Metadata come last, so that a scrape can merge its own without parsing the page's
// text.
import { valueOr } from './attempt.ts'
import { JsonBytes } from './json-bytes.ts'
import type { Document } from './visit-and-capture-types.ts'

const METADATA = '"metadata":{'
const WARNING = '"warning":"'
const OPENING_BRACE = 0x7b

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

/** `overlayText` is the JSON of the overlay, for callers that need it too. */
export function mergeMetadataIntoJson(
  packed: Uint8Array,
  overlay: Document['metadata'],
  overlayText = JSON.stringify(overlay),
): WriteDocumentJson {
  const whole = view(packed)
  const { metadata, from } = headOf(packed)
  // Both objects end the document. Metadata that the overlay leaves as they are need not be written again.
  const [kept, rest] = canAppend(metadata, overlay)
    ? [whole.length - '}}'.length, `,${overlayText.slice(1)}`]
    : [from, `${METADATA.slice(0, -1)}${JSON.stringify({ ...metadata, ...overlay })}`]
  const page = whole.subarray(0, kept)
  return (before = '', after = '') => Buffer.concat([text(before), page, text(`${rest}}${after}`)])
}

export const readMetadataOfJson = (packed: Uint8Array): Readonly<Document['metadata']> => headOf(packed).metadata

export const readWarningOfJson = (packed: Uint8Array): string | undefined => headOf(packed).warning

/** False for stored bytes that are damaged or encrypted. */
export const isDocumentJson = (packed: Uint8Array): boolean =>
  valueOr(false, () => packed[0] === OPENING_BRACE && headOf(packed).from > 0)

interface DocumentHead {
  metadata: Readonly<Document['metadata']>
  warning: string | undefined
  /** Where the metadata begin. */
  from: number
}

/** The bytes of a cached document serve many answers. */
const heads = new WeakMap<Uint8Array, DocumentHead>()

function headOf(packed: Uint8Array): DocumentHead {
  const known = heads.get(packed)
  if (known) return known
  const whole = view(packed)
  const from = metadataAt(whole)
  const metadata = JSON.parse(whole.toString('utf8', from + METADATA.length - 1, whole.length - 1))
  const head = { metadata: metadata as Document['metadata'], warning: warningBefore(whole, from), from }
  heads.set(packed, head)
  return head
}

function canAppend(metadata: Readonly<Document['metadata']>, overlay: Document['metadata']): boolean {
  const names = Object.keys(overlay)
  if (names.length === 0 || names.some((name) => Object.hasOwn(metadata, name))) return false
  for (const _ in metadata) return true
  return false
}

function warningBefore(whole: Buffer, at: number): string | undefined {
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
