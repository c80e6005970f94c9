// Zstandard decoding for content encodings, safe against hostile input. Frames and blocks are split here (RFC 8878),
// because the decoder trusts their declared sizes.
import { Transform, type TransformCallback } from 'node:stream'
import { Decompress } from 'fzstd'

const MAGIC = 0xfd2fb528
const SKIPPABLE = 0x184d2a50
const CHECKSUM = 0x04
// RFC 9659: content encodings must not need more. The decoder allocates each frame's window up front.
const MAX_WINDOW_BYTES = 8 * 1024 * 1024
const MAX_BLOCK = 128 * 1024
const MAX_FRAMES = 1000
// Many tiny blocks under a large window cost work without output; a 20 MiB page in full blocks moves 1.3 GiB.
const MAX_MOVED_BYTES = 3 * 1024 ** 3
const TURN_BYTES = 1024 * 1024

interface Frame {
  decoder: Decompress
  window: number
  checksum: boolean
}

export function createZstdDecoder(): Transform {
  const queue = byteQueue()
  let skip = 0
  let frame: Frame | undefined
  let frames = 0
  let moved = 0
  let sinceTurn = 0

  function step(emit: (bytes: Uint8Array) => void): boolean {
    if (skip > 0) {
      skip -= queue.drop(skip)
      return skip === 0 || queue.has(1)
    }
    return frame === undefined ? startFrame(emit) : takeBlock(frame)
  }

  function startFrame(emit: (bytes: Uint8Array) => void): boolean {
    if (!queue.has(8)) return false
    const magic = queue.head().readUInt32LE(0)
    const isFrame = magic === MAGIC
    if (!isFrame && (magic & 0xfffffff0) >>> 0 !== SKIPPABLE) throw new Error('not a zstd frame')
    const size = isFrame ? headerSize(queue.head()[4]!) : 8
    if (!queue.has(size)) return false
    if (++frames > MAX_FRAMES) throw new Error('too many zstd frames')
    if (!isFrame) {
      skip = 8 + queue.head().readUInt32LE(4)
      return true
    }
    const head = Uint8Array.from(queue.head().subarray(0, size))
    const window = windowOf(queue.head())
    if (window > MAX_WINDOW_BYTES) throw new Error('zstd window too large')
    frame = { decoder: new Decompress(emit), window, checksum: (head[4]! & CHECKSUM) !== 0 }
    // The checksum is skipped here, so clear its flag for the decoder.
    head[4]! &= ~CHECKSUM
    frame.decoder.push(head)
    queue.drop(size)
    return true
  }

  function takeBlock({ decoder, window, checksum }: Frame): boolean {
    if (!queue.has(3)) return false
    const head = queue.head().readUIntLE(0, 3)
    const last = (head & 1) === 1
    const kind = (head >> 1) & 3
    const size = head >> 3
    if (size > MAX_BLOCK || kind === 3) throw new Error('bad zstd block')
    const length = 3 + (kind === 1 ? 1 : size)
    if (!queue.has(length)) return false
    moved += window
    sinceTurn += window >> 4
    if (moved > MAX_MOVED_BYTES) throw new Error('too many zstd blocks')
    decoder.push(Uint8Array.from(queue.head().subarray(0, length)), last)
    queue.drop(length)
    if (last) {
      skip = checksum ? 4 : 0
      frame = undefined
    }
    return true
  }

  function transform(this: Transform, chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const emit = (bytes: Uint8Array) => {
      sinceTurn += bytes.length
      if (bytes.length > 0) this.push(bytes)
    }
    const run = () => {
      try {
        while (!this.destroyed && sinceTurn < TURN_BYTES) if (!step(emit)) return done()
      } catch (error) {
        return done(error as Error)
      }
      sinceTurn = 0
      if (!this.destroyed) setImmediate(run)
    }
    if (queue.add(chunk)) run()
    else done()
  }

  return new Transform({ transform })
}

// Chunks are joined only once enough have arrived: joining one by one would be quadratic.
function byteQueue() {
  let joined: Buffer = Buffer.alloc(0)
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let wanted = 0
  return {
    add(chunk: Buffer): boolean {
      waiting.push(chunk)
      waitingBytes += chunk.length
      if (joined.length + waitingBytes < wanted) return false
      joined = Buffer.concat([joined, ...waiting])
      waiting = []
      waitingBytes = 0
      return true
    },
    has(bytes: number): boolean {
      wanted = bytes
      return joined.length >= bytes
    },
    head: () => joined,
    drop(bytes: number): number {
      const dropped = Math.min(bytes, joined.length)
      joined = joined.subarray(dropped)
      return dropped
    },
  }
}

const isSingle = (descriptor: number): boolean => (descriptor & 0x20) !== 0

const sizeBytes = (descriptor: number): number =>
  descriptor >> 6 === 0 ? (isSingle(descriptor) ? 1 : 0) : 1 << (descriptor >> 6)

function headerSize(descriptor: number): number {
  if ((descriptor & 0x08) !== 0) throw new Error('bad zstd frame')
  // No dictionary is negotiated, so such a frame cannot be decoded.
  if ((descriptor & 0x03) !== 0) throw new Error('zstd frame needs a dictionary')
  return (isSingle(descriptor) ? 5 : 6) + sizeBytes(descriptor)
}

/** The declared window, or the content size of a single-segment frame. */
function windowOf(head: Buffer): number {
  const descriptor = head[4]!
  if (!isSingle(descriptor)) {
    const base = 2 ** (10 + (head[5]! >> 3))
    return base + (base / 8) * (head[5]! & 7)
  }
  const bytes = sizeBytes(descriptor)
  if (bytes === 8) return Number(head.readBigUInt64LE(5))
  return head.readUIntLE(5, bytes) + (bytes === 2 ? 256 : 0)
}
