// Opens zip containers with limits, because Office files are untrusted. Entry names are map keys only, never paths.
import { inflateRawSync } from 'node:zlib'
import { Problem } from '../../base/problem.ts'

const MAX_ENTRIES = 10_000
const MAX_ENTRY_BYTES = 100 * 1024 * 1024
const MAX_TOTAL_BYTES = 300 * 1024 * 1024
/** XML compresses to 1/10, at best 1/50; a zip bomb to 1/1000. Small files are exempt. */
const MAX_COMPRESSION_RATIO = 300
const RATIO_COUNTS_FROM = 20 * 1024 * 1024

export interface Archive {
  names: readonly string[]
  has(name: string): boolean
  bytes(name: string): Uint8Array | undefined
  text(name: string): string | undefined
}

interface Entry {
  method: number
  flags: number
  packed: number
  size: number
  at: number
}

export function openArchive(bytes: Uint8Array): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = directory(view, bytes)
  let total = 0
  for (const { size } of entries.values()) {
    total += size
    if (
      size > MAX_ENTRY_BYTES ||
      total > MAX_TOTAL_BYTES ||
      (total > RATIO_COUNTS_FROM && total > bytes.byteLength * MAX_COMPRESSION_RATIO)
    )
      throw makeUnreadableProblem('it unpacks to more than is allowed')
  }
  const partOf = (name: string): Uint8Array | undefined => {
    const entry = entries.get(name)
    return entry && unpackEntry(view, bytes, entry)
  }
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    bytes: partOf,
    text(name) {
      const part = partOf(name)
      if (!part) return undefined
      const isUtf16 = (part[0] === 0xff && part[1] === 0xfe) || (part[0] === 0xfe && part[1] === 0xff)
      const text = new TextDecoder(isUtf16 ? (part[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(part)
      // Office never writes entities, and an XML reader might resolve them.
      if (/<!DOCTYPE[^>]*\[|<!ENTITY/i.test(text.slice(0, 4096)))
        throw makeUnreadableProblem('its XML declares custom entities')
      return text
    },
  }
}

const makeUnreadableProblem = (because: string): Problem => new Problem('unreadable_file', { because })

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50

function directory(view: DataView, bytes: Uint8Array): Map<string, Entry> {
  const end = endRecord(view)
  const count = view.getUint16(end + 10, true)
  if (count > MAX_ENTRIES) throw makeUnreadableProblem(`it has ${count} parts, more than the ${MAX_ENTRIES} allowed`)
  const entries = new Map<string, Entry>()
  let at = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== CENTRAL)
      throw makeUnreadableProblem('the archive is broken')
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    const entry = {
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    }
    if (!name.endsWith('/')) entries.set(name.replaceAll('\\', '/').replace(/^\/+/, ''), entry)
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

/** The end record may be followed by a comment of up to 64 KiB. */
function endRecord(view: DataView): number {
  const first = Math.max(0, view.byteLength - 65_557)
  for (let at = view.byteLength - 22; at >= first; at--) if (view.getUint32(at, true) === END) return at
  throw makeUnreadableProblem('the archive is broken or cut short')
}

function unpackEntry(view: DataView, bytes: Uint8Array, { method, flags, packed, size, at }: Entry): Uint8Array {
  if ((flags & 1) !== 0) throw makeUnreadableProblem('the archive is encrypted')
  if (at + 30 > view.byteLength || view.getUint32(at, true) !== LOCAL)
    throw makeUnreadableProblem('the archive is broken')
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
  const data = bytes.subarray(start, start + packed)
  if (data.byteLength < packed) throw makeUnreadableProblem('the archive is cut short')
  if (method === 0) return data
  if (method !== 8) throw makeUnreadableProblem('the archive is packed in a way that is not known')
  try {
    // Sizes in the directory are untrusted, so output is limited while unpacking.
    return inflateRawSync(data, { maxOutputLength: Math.min(MAX_ENTRY_BYTES, Math.max(size, 1) + 1024) })
  } catch (error) {
    throw new Problem('unreadable_file', { because: 'a part of it does not unpack to what it should', cause: error })
  }
}
