// A crawl as server-sent events. A document's number is the event id, so a reconnecting client resumes after it.
import { Readable } from 'node:stream'
import { withinTime } from '../../base/deadline.ts'
import { type JobStreamDependencies, streamJob } from '../../jobs/stream-job.ts'

/** Comment lines keep proxies from closing the connection of a slow crawl. */
const KEEP_ALIVE_MS = 15_000

export function streamCrawlEvents(
  parts: JobStreamDependencies,
  jobId: string,
  after: number,
  signal: AbortSignal,
): Readable {
  return Readable.from(lines(parts, jobId, after, signal), { objectMode: false, highWaterMark: 64 * 1024 })
}

async function* lines(
  parts: JobStreamDependencies,
  jobId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const updates = streamJob(parts, jobId, after, signal)
  try {
    for (let next = updates.next(); ; ) {
      const progress = await withinTime(KEEP_ALIVE_MS, next)
      if (progress === undefined) {
        yield ': still there\n\n'
        continue
      }
      if (progress.done) return
      next = updates.next()
      const id = progress.value.type === 'document' ? `id: ${progress.value.seq}\n` : ''
      // JSON text contains no raw line breaks, so one data line is enough.
      yield `event: ${progress.value.type}\n${id}data: ${progress.value.text}\n\n`
    }
  } finally {
    await updates.return(undefined)
  }
}
