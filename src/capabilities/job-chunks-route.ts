// The chunks of a job as JSONL: what to write to an index, and what to remove from it.
import { Readable } from 'node:stream'
import { z } from 'zod'
import { Problem } from '../base/problem.ts'
import { readDocumentsAfter } from '../jobs/job-status.ts'
import type { FormatRequest } from '../scrape/formats/format.ts'
import type { Job } from '../store/jobs.ts'
import { findJobOfTeam } from './job-routes.ts'
import { makeRouteBuilder, type Route, type Services, StreamReply } from './route.ts'
import type { JobSettings } from './visit-job-page.ts'

type HandlerServices = Pick<Services, 'store' | 'clock'>
const BATCH = 50
const CONTENT_TYPE = 'application/jsonl'

interface Page {
  change?: 'new' | 'changed' | 'same' | 'removed'
  chunks?: { id: string }[] | null
  metadata: { url: string }
}

async function* lines({ store }: HandlerServices, job: Job, signal: AbortSignal): AsyncGenerator<string> {
  const { since } = JSON.parse(job.settings) as JobSettings
  for (let seen = 0; !signal.aborted; ) {
    const { count, texts } = await readDocumentsAfter(store, job.id, seen, BATCH)
    if (count === 0) return
    seen += count
    for (const text of texts) yield linesOf(JSON.parse(text) as Page, since !== undefined)
  }
}

/** The chunks of a page replace all chunks that an index has for its address. */
function linesOf({ change, chunks, metadata: { url } }: Page, hasSince: boolean): string {
  if (change === 'same' || (!chunks && change !== 'removed')) return ''
  const all = chunks ?? []
  const except = all.map(({ id }) => id)
  const lines = [...(hasSince ? [{ op: 'delete', url, except }] : []), ...all.map((one) => ({ op: 'upsert', ...one }))]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

export const makeChunksRoute = (kind: string, path: string): Route<HandlerServices> =>
  makeRouteBuilder<HandlerServices>()({
    method: 'GET',
    path: `${path}/:id/download`,
    command: null,
    summary: `The chunks of a ${kind} as JSONL, for an index`,
    bucket: 'jobStatus',
    query: z.object({
      as: z
        .enum(['chunks'])
        .default('chunks')
        .describe('`chunks`: a line per chunk; with `since` also lines for chunks to delete.'),
    }),
    serves: [CONTENT_TYPE],
    async handle(services, { params }, { caller, signal }) {
      const job = await findJobOfTeam(services, kind, params.id ?? '', caller.teamId)
      const { formats } = (await services.store.jobs.options(job.id, 0)) as { formats: readonly FormatRequest[] }
      if (!formats.some(({ type }) => type === 'chunks'))
        throw new Problem('conflict', {
          instead: `This ${kind} has no chunks: start it with "chunks" among the formats of its pages`,
        })
      return new StreamReply(
        Readable.from(lines(services, job, signal), { objectMode: false, highWaterMark: 256 * 1024 }),
        CONTENT_TYPE,
        { 'cache-control': 'no-store' },
      )
    },
  })
