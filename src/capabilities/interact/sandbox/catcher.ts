// What a program prints during one call: kept up to a limit, cut off at the mark that ends the call, and thrown away between
// calls. A program that prints for ever costs no memory here.
import type { Readable } from 'node:stream'

export interface Catcher {
  begin(mark: string): void
  add(text: string): void
  /** Resolves at the mark, at the end of the stream, or after so long. */
  finish(patienceMs: number): Promise<void>
  text(): string
  cut(): boolean
}

const MAX_BYTES = 1024 * 1024

export function openCatcher(stream: Readable): Catcher {
  let mark: Buffer | undefined
  let kept: Buffer[] = []
  let bytes = 0
  let isCut = false
  /** The end of what came, in which the mark may have begun. */
  let tail: Buffer = Buffer.alloc(0)
  let ended = false
  let wake: (() => void) | undefined
  const keep = (part: Buffer) => {
    const room = MAX_BYTES - bytes
    if (part.length > room) isCut = true
    const taken = part.subarray(0, Math.max(0, room))
    if (taken.length > 0) kept.push(Buffer.from(taken))
    bytes += taken.length
  }
  const close = () => {
    mark = undefined
    wake?.()
  }
  stream.on('data', (chunk: Buffer) => {
    if (!mark) return
    const seen = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
    const at = seen.indexOf(mark)
    if (at >= 0) {
      keep(seen.subarray(0, at))
      tail = Buffer.alloc(0)
      return close()
    }
    const open = Math.max(0, seen.length - mark.length + 1)
    keep(seen.subarray(0, open))
    tail = Buffer.from(seen.subarray(open))
  })
  const end = () => {
    ended = true
    keep(tail)
    tail = Buffer.alloc(0)
    close()
  }
  stream.on('end', end)
  stream.on('error', end)
  return {
    begin(wanted) {
      mark = Buffer.from(wanted)
      kept = []
      bytes = 0
      isCut = false
      tail = Buffer.alloc(0)
    },
    add: (text) => keep(Buffer.from(text)),
    async finish(patienceMs) {
      if (!mark || ended) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        wake = resolve
        timer = setTimeout(resolve, patienceMs)
      })
      clearTimeout(timer)
      wake = undefined
      if (mark) keep(tail)
      tail = Buffer.alloc(0)
      mark = undefined
    },
    text: () => new TextDecoder().decode(Buffer.concat(kept)).replaceAll('\0', ''),
    cut: () => isCut,
  }
}
