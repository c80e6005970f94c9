// Collects one response body, decoded, up to a byte budget. Memory stays at the budget plus a constant.
import { Problem } from '../base/problem.ts'
import { openDecoder, parseContentEncodings } from './decode-content-encoding.ts'

export interface BodyEvents {
  /** The decoders lag behind: stop sending until `drain`. */
  pause(): void
  drain(): void
  done(result: BodyResult): void
  fail(problem: Problem): void
}

export interface BodyResult {
  bytes: Uint8Array
  truncated: boolean
  warnings: string[]
}

export interface BodyCollector {
  write(chunk: Buffer): void
  end(early: boolean): void
  destroy(): void
}

// A decompression bomb exceeds both limits. A page of identical table rows can reach a ratio of 100, but not at this
// size.
const MIN_BOMB_BYTES = 20 * 1024 * 1024
const BOMB_RATIO = 100
const FIRST_CAPACITY = 65_536

export function openBodyCollector(
  encoding: string | undefined,
  lengthHint: number,
  maxBytes: number,
  events: BodyEvents,
): BodyCollector {
  const names = parseContentEncodings(encoding)
  const warnings: string[] = []
  const sink = byteSink(names.length === 0 ? lengthHint : lengthHint * 4, maxBytes)
  let wireBytes = 0
  let over = false

  function close(act: () => void): void {
    if (over) return
    over = true
    decoder?.destroy()
    act()
  }

  function finish(truncated: boolean): void {
    if (truncated) warnings.push(`The page was cut at ${maxBytes} bytes`)
    close(() => events.done({ bytes: sink.take(), truncated, warnings }))
  }

  function collect(chunk: Uint8Array): void {
    if (!over && !sink.add(chunk)) finish(true)
  }

  const unpack = {
    produced(bytes: number): boolean {
      if (bytes > MIN_BOMB_BYTES && bytes > wireBytes * BOMB_RATIO) close(() => events.fail(new Problem('bomb')))
      return !over
    },
    data: collect,
    end: () => finish(false),
    broken(error: Error): void {
      if (sink.length() === 0) {
        close(() => events.fail(makeLostProblem('its compressed body is damaged', error)))
        return
      }
      warnings.push('The compressed body is damaged; what could be read of it is kept')
      finish(false)
    },
    plain: () => warnings.push('The body was not compressed although its headers say so'),
    pause: events.pause,
    drain: events.drain,
  }
  const decoder = names.length === 0 ? undefined : openDecoder(names, unpack)

  return {
    write(chunk) {
      if (over) return
      wireBytes += chunk.length
      if (decoder === undefined) collect(chunk)
      // The compressed bytes alone exceed the budget for decoded ones.
      else if (wireBytes > maxBytes + FIRST_CAPACITY) finish(true)
      else decoder.write(chunk)
    },
    end(early) {
      if (over) return
      if (early && wireBytes === 0) {
        close(() => events.fail(makeLostProblem('it closed the connection before sending its page')))
        return
      }
      if (early) warnings.push('The site closed the connection early; what had arrived is kept')
      if (decoder === undefined) finish(false)
      else decoder.end()
    },
    destroy() {
      over = true
      decoder?.destroy()
    },
  }
}

/** Streams the undecoded bytes to `into` without buffering; the sender pauses until each chunk is consumed. */
export function openUndecodedBodyForwarder(
  encoding: string | undefined,
  maxBytes: number,
  into: (chunk: Uint8Array) => Promise<void>,
  events: BodyEvents,
): BodyCollector {
  if (parseContentEncodings(encoding).length > 0)
    throw makeLostProblem('it sent the file compressed although that was not asked for')
  const nothing = new Uint8Array(0)
  let taken = 0
  let waiting = 0
  let ended = false
  let over = false
  const close = (act: () => void) => {
    if (over) return
    over = true
    act()
  }
  const fail = (error: unknown) =>
    close(() => events.fail(error instanceof Problem ? error : makeLostProblem('the file could not be kept', error)))
  const finish = (truncated: boolean) => close(() => events.done({ bytes: nothing, truncated, warnings: [] }))
  return {
    write(chunk) {
      // The parser emits an empty chunk on resume without data. Pausing for it would loop forever without yielding to
      // the event loop.
      if (over || chunk.length === 0) return
      taken += chunk.length
      if (taken > maxBytes) return finish(true)
      waiting += 1
      events.pause()
      into(chunk).then(() => {
        waiting -= 1
        if (over || waiting > 0) return
        if (ended) finish(false)
        else events.drain()
      }, fail)
    },
    end(early) {
      if (early) return fail(makeLostProblem('it closed the connection before the file was complete'))
      ended = true
      if (waiting === 0) finish(false)
    },
    destroy() {
      over = true
    },
  }
}

interface ByteSink {
  add(chunk: Uint8Array): boolean
  length(): number
  take(): Uint8Array
}

// One growing buffer: a list of one-byte chunks would cost a hundred times the body size.
function byteSink(hint: number, maxBytes: number): ByteSink {
  let buffer = Buffer.allocUnsafeSlow(Math.min(Math.max(hint, 1024), FIRST_CAPACITY, maxBytes))
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
    // A buffer of the exact length, so it can be transferred to another thread without a copy.
    take: () => new Uint8Array(length === buffer.length ? buffer.buffer : buffer.buffer.slice(0, length)),
  }
}

function makeLostProblem(because: string, cause?: unknown): Problem {
  return new Problem('site_failed', { because, cause })
}
