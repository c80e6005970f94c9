// Jobs of every kind: the team's list, each page with its outcome, and all results as one file.
import { isoTimeOrNull } from '../../base/clock.ts'
import { scopeRefusalTexts } from '../../base/crawl-scope.ts'
import { makeLookupTable } from '../../base/lookup-table.ts'
import { Problem } from '../../base/problem.ts'
import type { Egress } from '../../fetch/egress.ts'
import { openBucket } from '../../store/blob-bucket.ts'
import type { JobPageRow } from '../../store/frontier-types.ts'
import type { Job } from '../../store/jobs.ts'
import { defineCapability } from '../capability.ts'
import { findJobOfTeam, makeJobControlRoutes } from '../job-routes.ts'
import { defineRoute, type Services, StreamReply } from '../route.ts'
import {
  downloadQuery,
  exportBody,
  exportReply,
  jobPagesQuery,
  jobPagesReply,
  jobReply,
  listJobsQuery,
  listJobsReply,
  type ShownJob,
  type ShownPage,
} from './schema.ts'
import { DOWNLOAD_CONTENT_TYPES, streamJobDownload } from './stream-job-download.ts'

const MAX_REPLY_BYTES = 1024 * 1024

/** The standard `fetch` over the egress, for a client library of a service that a caller named. */
const fetchThrough =
  (send: Egress['fetch'], signal: AbortSignal): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const bytes = new Uint8Array(await request.arrayBuffer())
    const { status, headers, body } = await send(
      {
        ...{ url: request.url, method: request.method, headers: Object.fromEntries(request.headers) },
        ...(bytes.byteLength > 0 ? { body: bytes } : {}),
        ...{ skipTlsVerification: false, proxy: 'basic', maxRedirects: 0, maxBytes: MAX_REPLY_BYTES },
      },
      AbortSignal.any([signal, request.signal]),
    )
    return new Response(body.byteLength > 0 ? Buffer.from(body) : null, { status, headers })
  }

/** Of the frontier's reason codes: why a URL was not visited. */
const reasonTexts = makeLookupTable<string>({
  ...scopeRefusalTexts,
  DUPLICATE: 'it is the same page as one before it',
  OTHER_LANGUAGE: 'it is in another language than `language`',
  ROBOTS: 'robots.txt forbids it',
  ENDED: 'the job ended before its turn',
  NO_CREDIT: 'the team had no credits left',
})

const PATH = '/v2/jobs'
const bucket = 'jobStatus'

const toShownJob = (job: Job): ShownJob => ({
  id: job.id,
  kind: job.kind,
  status: job.state,
  paused: job.pausedAt !== null,
  url: job.url,
  discovering: job.discovering,
  pageLimit: job.pageLimit,
  total: job.total,
  queued: job.queued,
  active: job.active,
  completed: job.completed,
  failed: job.failed,
  dropped: job.dropped,
  creditsUsed: job.credits,
  createdAt: new Date(job.createdAt).toISOString(),
  finishedAt: isoTimeOrNull(job.finishedAt),
  expiresAt: new Date(job.expiresAt).toISOString(),
  error: job.error,
  warning: job.warning,
})

const list = defineRoute({
  method: 'GET',
  path: PATH,
  summary: "The team's jobs of every kind, newest first",
  bucket,
  query: listJobsQuery,
  reply: listJobsReply,
  async handle({ store }, { query: { kind, limit, cursor } }, { caller }) {
    const found = await store.jobs.list(caller.teamId, { kind, before: cursor?.toLowerCase(), limit: limit + 1 })
    const jobs = found.slice(0, limit)
    return {
      success: true,
      data: jobs.map(toShownJob),
      cursor: found.length > limit ? (jobs.at(-1)?.id ?? null) : null,
    }
  },
})

const get = defineRoute({
  method: 'GET',
  path: `${PATH}/:id`,
  summary: 'Status of one job, without its documents',
  bucket,
  reply: jobReply,
  async handle(services, { params }, { caller }) {
    return { success: true, data: toShownJob(await findJobOfTeam(services, 'any', params.id ?? '', caller.teamId)) }
  },
})

function pageOf(job: Job, { url, depth, state, reason, problem, scrapeId, at }: JobPageRow): ShownPage {
  // Pages still waiting when their job ended will not run.
  const isLeft = job.state !== 'scraping' && (state === 'queued' || state === 'active')
  const why = problem?.message ?? (reason === null ? null : (reasonTexts[reason] ?? reason))
  return {
    url,
    depth,
    state: isLeft ? 'dropped' : state,
    why: isLeft ? reasonTexts.ENDED! : why,
    scrapeId,
    at: isoTimeOrNull(at),
  }
}

const pages = defineRoute({
  method: 'GET',
  path: `${PATH}/:id/pages`,
  summary: 'Every page of a job: kept, dropped or failed, with the reason',
  bucket,
  query: jobPagesQuery,
  reply: jobPagesReply,
  async handle(services, { params, query: { after, limit } }, { caller }) {
    const job = await findJobOfTeam(services, 'any', params.id ?? '', caller.teamId)
    const rows = await services.store.frontier.seen(job.id, after, limit)
    return {
      success: true,
      data: rows.map((row) => pageOf(job, row)),
      next: rows.length === limit ? (rows.at(-1)?.key ?? null) : null,
    }
  },
})

async function findJobWithResults(services: Services, id = '', teamId: string): Promise<Job> {
  const job = await findJobOfTeam(services, 'any', id, teamId)
  if (job.completed === 0)
    throw new Problem('conflict', { because: 'this job has no results yet, so there is nothing to download' })
  return job
}

const download = defineRoute({
  method: 'GET',
  path: `${PATH}/:id/download`,
  command: null,
  summary: 'All results of a job as one file',
  bucket,
  query: downloadQuery,
  serves: DOWNLOAD_CONTENT_TYPES,
  async handle(services, { params, query: { format } }, { caller, signal }) {
    const job = await findJobWithResults(services, params.id, caller.teamId)
    const { stream, contentType, ending } = streamJobDownload(services, job, format, signal)
    return new StreamReply(stream, contentType, {
      'content-disposition': `attachment; filename="${job.kind}-${job.id}.${ending}"`,
      'cache-control': 'no-store',
    })
  },
})

const toBucket = defineRoute({
  method: 'POST',
  path: `${PATH}/:id/export`,
  summary: 'Write all results of a job into an S3-compatible bucket',
  bucket: 'crawl',
  body: exportBody,
  example: {
    ...{ format: 'parquet', endpoint: 'https://s3.eu-central-1.amazonaws.com', bucket: 'my-pages' },
    ...{ region: 'eu-central-1', accessKey: 'AKIA…', secretKey: '…' },
  },
  reply: exportReply,
  async handle(services, { params, body }, { caller, signal }) {
    const job = await findJobWithResults(services, params.id, caller.teamId)
    const { format, style, bucket, endpoint, region, accessKey, secretKey } = body
    const { stream, ending } = streamJobDownload(services, job, format, signal)
    const object = body.object ?? `${job.kind}-${job.id}.${ending}`
    const target = { endpoint, bucket, region, accessKey, secretKey, virtualHost: style === 'host' }
    const objects = openBucket({ ...target, fetch: fetchThrough(services.sendRequest, signal) })
    const bytes = await objects.write(object, untilAborted(stream, signal), Number.POSITIVE_INFINITY)
    return { success: true, data: { bucket, object, bytes } }
  },
})

/** A stream that ends early is no whole file: the object must not be completed. */
async function* untilAborted(stream: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield* stream
  signal.throwIfAborted()
}

export const jobsCapability = defineCapability({
  name: 'jobs',
  tag: 'Jobs',
  right: 'use',
  cliGroup: 'Look after jobs',
  mcp: {
    jobs: {
      use: 'List recent jobs of every kind: crawls, batches, agent runs.',
      inputs: { kind: '', limit: '' },
    },
    'jobs pages': { use: 'Every page of a crawl or batch: kept, dropped or failed, and why.', inputs: { limit: '' } },
  },
  routes: [list, get, pages, download, toBucket, ...makeJobControlRoutes({ kind: 'any', path: PATH, command: 'jobs' })],
})
