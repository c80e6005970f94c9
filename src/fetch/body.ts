// The body of one answer: undoes its content encodings as a stream and gathers the plain bytes up to a budget. Memory
// stays at the budget plus a constant, whatever is sent. Knows nothing of sockets; it only asks for a pause.
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'
import { Problem } from '../base/problem.ts'
import { createUnzstd } from './zstd.ts'

export interface BodyEvents {
  /** The sender may go on after a pause. */
  drain(): void
  /** Everything is here, or enough is: the connection may go. */
  done(result: BodyResult): void
  fail(problem: Problem): void
}

export interface BodyResult {
  bytes: Uint8Array
  truncated: boolean
  warnings: string[]
}

export interface Body {
  /** False: stop sending until `drain`. */
  write(chunk: Buffer): boolean
  /** The sender finished; `early`: before it had sent all it promised. */
  end(early: boolean): void
  destroy(): void
}

// A bomb is told from a well-compressed page by both: how much comes out, and how little went in. Repetitive HTML
// reaches ratios of 30 to 60; deflate cannot pass 1032, and only a page made for it comes near.
const BOMB_BYTES = 20 * 1024 * 1024
const BOMB_RATIO = 100
const MAX_ENCODINGS = 3
const FIRST_CAPACITY = 65_536

/** Takes what arrives on the wire; throws `site_failed` for an encoding that cannot be undone. */
export function openBody(encoding: string | undefined, lengthHint: number, maxBytes: number, events: BodyEvents): Body {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > MAX_ENCODINGS) throw unreadable(`more than ${MAX_ENCODINGS} content encodings`)
  const bad = names.find((name) => !(name in DECODERS))
  if (bad !== undefined) throw unreadable(`the content encoding "${bad.slice(0, 20)}" is unknown`)
  return gather(names.reverse(), lengthHint, maxBytes, events)
}

function gather(names: string[], lengthHint: number, maxBytes: number, events: BodyEvents): Body {
  const warnings: string[] = []
  const sink = byteSink(names.length === 0 ? lengthHint : lengthHint * 4, maxBytes)
  let stages: Transform[] | undefined
  let wireBytes = 0
  let over = false

  function finish(truncated: boolean): void {
    if (over) return
    over = true
    destroyStages()
    if (truncated) warnings.push(`The page was cut at ${maxBytes} bytes`)
    events.done({ bytes: sink.take(), truncated, warnings })
  }

  function destroyStages(): void {
    for (const stage of stages ?? []) stage.destroy()
  }

  function fail(problem: Problem): void {
    if (over) return
    over = true
    destroyStages()
    events.fail(problem)
  }

  function collect(chunk: Uint8Array): void {
    if (!over && !sink.add(chunk)) finish(true)
  }

  function broken(error: Error): void {
    if (sink.length() === 0) {
      fail(unreadable('its compressed body is damaged', error))
    } else {
      warnings.push('The compressed body is damaged; what could be read of it is kept')
      finish(false)
    }
  }

  // The first bytes decide: servers send plain bodies under a gzip header, and raw deflate under "deflate".
  function openStages(head: Buffer): Transform[] {
    const made = names.flatMap((name, index) => DECODERS[name]!(index === 0 ? head : undefined) ?? [])
    if (made.length < names.length) warnings.push('The body was not compressed although its headers say so')
    made.forEach((stage, index) => {
      let produced = 0
      const next = made[index + 1]
      stage.on('error', broken)
      stage.on('data', (chunk: Buffer) => {
        produced += chunk.length
        if (produced > BOMB_BYTES && produced > wireBytes * BOMB_RATIO) return fail(new Problem('bomb'))
        if (next === undefined) collect(chunk)
        else if (!next.write(chunk)) stage.pause()
      })
      if (next !== undefined) {
        next.on('drain', () => stage.resume())
        stage.on('end', () => next.end())
      } else {
        stage.on('end', () => finish(false))
      }
    })
    made[0]?.on('drain', () => events.drain())
    return made
  }

  return {
    write(chunk) {
      if (over) return true
      wireBytes += chunk.length
      if (names.length > 0) stages ??= openStages(chunk)
      const first = stages?.[0]
      if (first === undefined) {
        collect(chunk)
        return true
      }
      // More compressed bytes than plain ones are wanted: nothing good is coming.
      if (wireBytes > maxBytes + FIRST_CAPACITY) {
        finish(true)
        return true
      }
      return first.write(chunk)
    },
    end(early) {
      if (over) return
      if (early && wireBytes === 0) return fail(unreadable('it closed the connection before sending its page'))
      if (early) warnings.push('The site closed the connection early; what had arrived is kept')
      const first = stages?.[0]
      if (first === undefined) finish(false)
      else first.end()
    },
    destroy() {
      over = true
      destroyStages()
    },
  }
}

// A stream that ends too soon gives what it has (the flush mode) instead of an error: what arrived is kept.
const GZIP = { finishFlush: zlib.constants.Z_SYNC_FLUSH, chunkSize: 32_768 }
const BROTLI = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH, chunkSize: 32_768 }

/** Makers by name; each sees the first bytes where it is the first, and may find that there is nothing to undo. */
const DECODERS: Record<string, (head: Buffer | undefined) => Transform | undefined> = {
  gzip: (head) => (head !== undefined && head[0] !== 0x1f ? undefined : zlib.createGunzip(GZIP)),
  'x-gzip': (head) => DECODERS.gzip!(head),
  deflate: (head) => {
    const [first = 0, second] = head ?? [8]
    const wrapped = (first & 0x0f) === 8 && (second === undefined || ((first << 8) | second) % 31 === 0)
    return wrapped ? zlib.createInflate(GZIP) : zlib.createInflateRaw(GZIP)
  },
  br: () => zlib.createBrotliDecompress(BROTLI),
  zstd: (head) => (head !== undefined && head[0] !== 0x28 && (head[0]! & 0xf0) !== 0x50 ? undefined : createUnzstd()),
}

interface ByteSink {
  /** False when the budget is full; what fitted is kept. */
  add(chunk: Uint8Array): boolean
  length(): number
  take(): Uint8Array
}

// Copies into one growing buffer: a body of one-byte chunks, kept as a list, would cost a hundred times its size.
function byteSink(hint: number, maxBytes: number): ByteSink {
  let buffer = Buffer.allocUnsafeSlow(Math.min(Math.max(hint, 1024), FIRST_CAPACITY, maxBytes + 1))
  let length = 0
  return {
    add(chunk) {
      const taken = Math.min(chunk.length, maxBytes - length)
      if (length + taken > buffer.length) {
        const grown = Buffer.allocUnsafeSlow(Math.min(Math.max(buffer.length * 2, length + taken), maxBytes))
        buffer.copy(grown, 0, 0, length)
        buffer = grown
      }
      buffer.set(taken < chunk.length ? chunk.subarray(0, taken) : chunk, length)
      length += taken
      return taken === chunk.length
    },
    length: () => length,
    // Its own memory, exactly as long as the body, so that it can be handed to another thread without a copy.
    take: () => {
      if (length === buffer.length && buffer.byteOffset === 0) return new Uint8Array(buffer.buffer, 0, length)
      return new Uint8Array(buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + length))
    },
  }
}

function unreadable(because: string, cause?: unknown): Problem {
  return new Problem('site_failed', { because, cause })
}
