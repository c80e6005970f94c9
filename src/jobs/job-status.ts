// The status of a job. Stored documents are concatenated, never parsed: clients poll every second or two, and one
// response holds up to 10 MiB.

import { mergeMetadataIntoJson, readMetadataOfJson } from '../base/document-json.ts'
import { makeLookupTable } from '../base/lookup-table.ts'
import { Problem } from '../base/problem.ts'
import type { Store } from '../store/index.ts'
import type { Job } from '../store/jobs.ts'

const MAX_PAGE_BYTES = 10 * 1024 * 1024
const DEFAULT_ITEMS = 100
const MAX_ERRORS = 10_000

interface StatusQuery {
  skip: number
  limit: number | undefined
  url: string
  now: number
  warning: string | undefined
}

export async function serialiseJobStatus(store: Store, job: Job, options: StatusQuery): Promise<string> {
  const { skip, limit, url } = options
  const most = limit ?? DEFAULT_ITEMS
  const { count, texts, full } = await readDocumentsAfter(store, job.id, skip, most)
  const more = job.completed > skip + count
  const next = count > 0 && (more || (job.state === 'scraping' && (full || count === most)))
  const query = `?skip=${skip + count}${limit === undefined ? '' : `&limit=${limit}`}`
  return serialiseStatusWithData(
    { ...statusFieldsOfJob(job, options.now, options.warning), ...(next ? { next: `${url}${query}` } : {}) },
    texts,
  )
}

export function statusFieldsOfJob(job: Job, now: number, warning?: string): Record<string, unknown> {
  const { state, total, completed, credits, createdAt, finishedAt, expiresAt } = job
  const said = [job.warning, warning].filter(Boolean).join(' ')
  return {
    // Also for a failed job: released clients treat anything else as transient and poll for ever.
    success: true,
    status: state,
    ...(job.pausedAt === null ? {} : { paused: true }),
    ...(job.error === null ? {} : { error: job.error }),
    total,
    completed,
    creditsUsed: credits,
    expiresAt: new Date(expiresAt).toISOString(),
    createdAt: new Date(createdAt).toISOString(),
    ...(finishedAt === null ? {} : { completedAt: new Date(finishedAt).toISOString() }),
    duration: Math.round(((finishedAt ?? now) - createdAt) / 10) / 100,
    ...(said === '' ? {} : { warning: said }),
  }
}

export const serialiseStatusWithData = (head: object, texts: readonly string[]): string =>
  `${JSON.stringify(head).slice(0, -1)},"data":[${texts.join(',')}]}`

type DocumentsPage = { count: number; texts: string[]; full: boolean }

export async function readDocumentsAfter(
  store: Store,
  jobId: string,
  skip: number,
  most: number,
): Promise<DocumentsPage> {
  const sizes = await store.frontier.results(jobId, skip, most)
  let bytes = 0
  let count = 0
  for (const size of sizes) {
    if (count > 0 && bytes + size.bytes > MAX_PAGE_BYTES) break
    bytes += size.bytes
    count += 1
  }
  if (count === 0) return { count: 0, texts: [], full: false }
  const rows = await store.frontier.texts(jobId, skip + 1, skip + count)
  const aliases = await store.frontier.aliases(
    jobId,
    rows.map(({ key }) => key),
  )
  const texts = rows.map(({ key, body, overlay }) => {
    const own = JSON.parse(overlay)
    const { url } = { ...readMetadataOfJson(body), ...own }
    const others = aliases.get(key)?.filter((alias) => alias !== url) ?? []
    const write =
      others.length > 0
        ? mergeMetadataIntoJson(body, { ...own, aliases: others })
        : mergeMetadataIntoJson(body, own, overlay)
    return write().toString()
  })
  return { count, texts, full: count < sizes.length }
}

interface JobErrors {
  errors: { id: string; timestamp: string | null; url: string; code?: string; error: string }[]
  robotsBlocked: string[]
}

export const ROBOTS_REFUSAL = 'ROBOTS'
/** Refusals reported as errors, because the caller would otherwise miss the page. */
const REFUSALS_REPORTED_AS_ERRORS = makeLookupTable<string>({
  EXTERNAL_LINK: 'The home page of another site is not visited',
})

export async function listJobErrors(store: Store, jobId: string): Promise<JobErrors> {
  const result: JobErrors = { errors: [], robotsBlocked: [] }
  for (const { id, url, reason, problem, at } of await store.frontier.troubles(jobId, MAX_ERRORS)) {
    const timestamp = at === null ? null : new Date(at).toISOString()
    if (problem) {
      const { code } = Problem.revive(problem).row
      result.errors.push({ id, timestamp, url, ...(code ? { code } : {}), error: problem.message })
    } else if (reason === ROBOTS_REFUSAL) result.robotsBlocked.push(url)
    else if (reason !== null && REFUSALS_REPORTED_AS_ERRORS[reason])
      result.errors.push({ id, timestamp, url, code: reason, error: REFUSALS_REPORTED_AS_ERRORS[reason] })
  }
  return result
}
