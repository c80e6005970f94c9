// The output of one call: the first megabyte is kept, the rest only counted. A mark ends it.
import type { Readable } from 'node:stream'

export type OutputBuffer = ReturnType<typeof openOutputBuffer>

const MAX_BYTES = 1024 * 1024
const NOTHING: Buffer = Buffer.alloc(0)

/** `onExcess`: a call printed more than `maxBytes`. */
export function openOutputBuffer(stream: Readable, maxBytes: number, onExcess: () => void) {
  let mark: Buffer | undefined
  let kept: Buffer[] = []
  let keptBytes = 0
  let seenBytes = 0
  let isCut = false
  /** The end of the output, which may contain the start of the mark. */
  let tail = NOTHING
  let ended = false
  let onEvent: (() => void) | undefined
  const keep = (part: Buffer) => {
    const free = MAX_BYTES - keptBytes
    if (part.length > free) isCut = true
    const taken = part.subarray(0, Math.max(0, free))
    if (taken.length > 0) kept.push(Buffer.from(taken))
    keptBytes += taken.length
  }
  stream.on('data', (chunk: Buffer) => {
    if (!mark) return
    seenBytes += chunk.length
    if (seenBytes > maxBytes) onExcess()
    const seen = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
    const at = seen.indexOf(mark)
    const open = at >= 0 ? at : Math.max(0, seen.length - mark.length + 1)
    keep(seen.subarray(0, open))
    tail = at >= 0 ? NOTHING : Buffer.from(seen.subarray(open))
    if (at >= 0) mark = undefined
    onEvent?.()
  })
  const end = () => {
    ended = true
    keep(tail)
    tail = NOTHING
    mark = undefined
    onEvent?.()
  }
  stream.on('end', end)
  stream.on('error', end)
  return {
    begin(wanted: string) {
      mark = Buffer.from(wanted)
      kept = []
      keptBytes = 0
      seenBytes = 0
      isCut = false
      tail = NOTHING
    },
    add: (text: string) => keep(Buffer.from(text)),
    /** Resolves at the mark, at the end of the stream, or after `quietMs` without output. */
    async finish(quietMs: number) {
      let isQuiet = false
      while (mark && !ended && !isQuiet) {
        let timer: NodeJS.Timeout | undefined
        isQuiet = await new Promise<boolean>((resolve) => {
          onEvent = () => resolve(false)
          timer = setTimeout(resolve, quietMs, true)
        })
        clearTimeout(timer)
      }
      onEvent = undefined
      keep(tail)
      tail = NOTHING
      mark = undefined
    },
    text: () => new TextDecoder().decode(Buffer.concat(kept)).replaceAll('\0', ''),
    isCut: () => isCut,
  }
}
