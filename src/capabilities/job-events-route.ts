// A job as server-sent events. A document's number is the event id, so a reconnecting client resumes after it.
import { Readable } from 'node:stream'
import { z } from 'zod'
import { withinTime } from '../base/deadline.ts'
import { type JobStreamDependencies, streamJob } from '../jobs/stream-job.ts'
import { findJobOfTeam } from './job-routes.ts'
import { makeRouteBuilder, type Route, StreamReply } from './route.ts'

/** Comment lines keep proxies from closing the connection of a slow crawl. */
const KEEP_ALIVE_MS = 15_000

const documentNumber = z
  .string()
  .regex(/^\d{1,9}$/, { error: 'must be the number of a document' })
  .transform(Number)

export const makeEventsRoute = (kind: string, path: string): Route<JobStreamDependencies> =>
  makeRouteBuilder<JobStreamDependencies>()({
    method: 'GET',
    path: `${path}/:id/events`,
    summary: `Live events of a ${kind}, as server-sent events`,
    serves: ['text/event-stream'],
    command: null,
    bucket: 'jobStatus',
    query: z.object({
      after: documentNumber
        .optional()
        .describe('Start after the document with this number (the id of an event); otherwise after `Last-Event-ID`.'),
    }),
    async handle(services, { params, query }, { caller, signal, header }) {
      const job = await findJobOfTeam(services, kind, params.id ?? '', caller.teamId)
      const after = query.after ?? documentNumber.safeParse(header('last-event-id')).data ?? 0
      const stream = Readable.from(lines(services, job.id, after, signal), {
        objectMode: false,
        highWaterMark: 64 * 1024,
      })
      return new StreamReply(stream, 'text/event-stream', { 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    },
  })

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
