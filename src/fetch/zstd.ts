// Zstandard as a stream for content encodings, with the limits a hostile sender makes necessary. Frames and blocks are
// cut here (RFC 8878) and given one block at a time to the decoder, which alone would trust their sizes.
import { Transform, type TransformCallback } from 'node:stream'
import { Decompress } from 'fzstd'

const MAGIC = 0xfd2fb528
const SKIPPABLE = 0x184d2a50
// RFC 9659: a content encoding must not need more. The decoder allocates the window of each frame up front.
const MAX_WINDOW = 8 * 1024 * 1024
const MAX_BLOCK = 128 * 1024
const MAX_FRAMES = 1000
// Magic, descriptor and eight bytes of size; a shorter one is in hand before that many have come.
const MAX_HEADER = 14
// The decoder moves its window once per block: many tiny blocks under a large window are work without output. A page of
// 20 MiB in full blocks under the largest window moves 1.3 GiB.
const MAX_MOVED = 3 * 1024 ** 3
// How much is decoded before other work gets its turn.
const TURN_BYTES = 1024 * 1024

interface Frame {
  decoder: Decompress
  window: number
  checksum: boolean
}

export function createUnzstd(): Transform {
  let pending: Buffer = Buffer.alloc(0)
  // Chunks wait uncopied until what the next step needs is there: joining each byte of a drip would be quadratic.
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let needed = 0
  let skip = 0
  let frame: Frame | undefined
  let frames = 0
  let moved = 0
  let sinceTurn = 0

  function needs(bytes: number): boolean {
    needed = bytes
    return pending.length >= bytes
  }

  /** Takes one header or block off `pending`; false when more bytes are needed. */
  function step(emit: (bytes: Uint8Array) => void): boolean {
    if (skip > 0) {
      const taken = Math.min(skip, pending.length)
      pending = pending.subarray(taken)
      skip -= taken
      return taken > 0
    }
    return frame === undefined ? startFrame(emit) : takeBlock(frame)
  }

  function startFrame(emit: (bytes: Uint8Array) => void): boolean {
    if (!needs(8)) return false
    if (++frames > MAX_FRAMES) throw new Error('too many zstd frames')
    const magic = pending.readUInt32LE(0)
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      skip = 8 + pending.readUInt32LE(4)
      return true
    }
    if (magic !== MAGIC) throw new Error('not a zstd frame')
    const head = readHeader(pending)
    if (head === undefined) {
      frames--
      return needs(MAX_HEADER)
    }
    if (head.window > MAX_WINDOW) throw new Error('zstd window too large')
    const decoder = new Decompress((bytes) => {
      if (bytes.length > 0) emit(bytes)
    })
    // The checksum is skipped here, so the decoder is told that there is none.
    const bytes = Uint8Array.from(pending.subarray(0, head.size))
    bytes[4]! &= ~0x04
    decoder.push(bytes)
    frame = { decoder, window: head.window, checksum: head.checksum }
    pending = pending.subarray(head.size)
    return true
  }

  function takeBlock({ decoder, window, checksum }: Frame): boolean {
    if (!needs(3)) return false
    const head = pending.readUIntLE(0, 3)
    const last = (head & 1) === 1
    const kind = (head >> 1) & 3
    const size = head >> 3
    if (size > MAX_BLOCK || kind === 3) throw new Error('bad zstd block')
    const length = 3 + (kind === 1 ? 1 : size)
    if (!needs(length)) return false
    moved += window
    if (moved > MAX_MOVED) throw new Error('too many zstd blocks')
    decoder.push(Uint8Array.from(pending.subarray(0, length)), last)
    pending = pending.subarray(length)
    if (last) {
      skip = checksum ? 4 : 0
      frame = undefined
    }
    return true
  }

  function transform(this: Transform, chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    waiting.push(chunk)
    waitingBytes += chunk.length
    if (pending.length + waitingBytes < needed) {
      done()
      return
    }
    pending = Buffer.concat([pending, ...waiting])
    waiting = []
    waitingBytes = 0
    const emit = (bytes: Uint8Array) => {
      sinceTurn += bytes.length
      this.push(bytes)
    }
    const run = () => {
      try {
        for (;;) {
          if (this.destroyed) return
          if (sinceTurn > TURN_BYTES) {
            sinceTurn = 0
            setImmediate(run)
            return
          }
          sinceTurn += frame === undefined ? 0 : frame.window >> 4
          if (!step(emit)) break
        }
        done()
      } catch (error) {
        done(error as Error)
      }
    }
    run()
  }

  return new Transform({ transform })
}

/** Size of a frame header and the window it asks for; nothing when it is not there in full. */
function readHeader(bytes: Buffer): { size: number; window: number; checksum: boolean } | undefined {
  const descriptor = bytes[4]!
  const single = (descriptor & 0x20) !== 0
  if ((descriptor & 0x08) !== 0) throw new Error('bad zstd frame')
  // No dictionary was agreed on, so a frame that names one cannot be read.
  if ((descriptor & 0x03) !== 0) throw new Error('zstd frame needs a dictionary')
  const sizeFlag = descriptor >> 6
  const sizeBytes = sizeFlag === 0 ? (single ? 1 : 0) : 1 << sizeFlag
  const start = single ? 5 : 6
  if (bytes.length < start + sizeBytes) return undefined
  const checksum = (descriptor & 0x04) !== 0
  if (!single) {
    const exponent = bytes[5]! >> 3
    const base = 2 ** (10 + exponent)
    return { size: start + sizeBytes, window: base + (base / 8) * (bytes[5]! & 7), checksum }
  }
  const low = bytes.readUIntLE(start, Math.min(sizeBytes, 6))
  const high = sizeBytes === 8 ? bytes.readUInt16LE(start + 6) : 0
  return { size: start + sizeBytes, window: high > 0 ? Infinity : low + (sizeFlag === 1 ? 256 : 0), checksum }
}
