// A crawl as server-sent events, for browsers and curl: the number of a document is the id of its event, so a client that
// lost its connection asks for what came after.
import { Readable } from 'node:stream'
import { type WatchParts, watchJob } from '../../jobs/watch.ts'

/** A comment line now and then, so that nobody on the way takes a slow crawl for a dead one. */
const KEEP_ALIVE_MS = 15_000

export function eventsOf(parts: WatchParts, jobId: string, after: number, signal: AbortSignal): Readable {
  return Readable.from(lines(parts, jobId, after, signal), { objectMode: false, highWaterMark: 64 * 1024 })
}

async function* lines(parts: WatchParts, jobId: string, after: number, signal: AbortSignal): AsyncGenerator<string> {
  const sights = watchJob(parts, jobId, after, signal)
  try {
    for (let next = sights.next(); ; ) {
      const sight = await within(next, KEEP_ALIVE_MS)
      if (sight === undefined) {
        yield ': still there\n\n'
        continue
      }
      if (sight.done) return
      next = sights.next()
      const id = sight.value.type === 'document' ? `id: ${sight.value.seq}\n` : ''
      // JSON has no line breaks outside of strings, and none inside them either.
      yield `event: ${sight.value.type}\n${id}data: ${sight.value.text}\n\n`
    }
  } finally {
    await sights.return(undefined)
  }
}

/** What comes first: the next sight, or the end of patience. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, patience])
  } finally {
    clearTimeout(timer)
  }
}
