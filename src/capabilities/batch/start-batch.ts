// Starts a batch or appends to one: each valid URL is a page, all in one transaction.

import { normalizeTargetUrl } from '../../base/normalize-target-url.ts'
import { Problem } from '../../base/problem.ts'
import type { NewJobPage } from '../../store/frontier-types.ts'
import { newId } from '../../store/id.ts'
import { resolveSince } from '../detect-changes-since.ts'
import type { RouteCall, Services } from '../route.ts'
import { checkQueueAndCredits, claimIdempotencyKey, resolveZeroRetention, startJob } from '../start-job.ts'
import type { JobPageOptions, JobSettings } from '../visit-job-page.ts'
import type { BatchBody } from './schema.ts'

type StartedBatch = { id: string; invalidURLs: string[]; warning?: string | undefined }

export async function startBatch(services: Services, body: BatchBody, call: RouteCall): Promise<StartedBatch> {
  const { clock } = services
  const { caller } = call
  const { urls, ignoreInvalidURLs, maxConcurrency, appendToId, webhook, since: asked, changesOnly, ...rest } = body
  const { origin: _, integration: __, ...options } = rest
  const { pages, invalidURLs, sourceUrls } = sortUrls(urls, ignoreInvalidURLs, clock.now(), services.assertVisitable)
  const zeroDataRetention = resolveZeroRetention(body.zeroDataRetention, caller.zeroDataRetention, body)
  const left = await checkQueueAndCredits(services, call)
  if (left !== null && left < pages.length)
    throw new Problem('no_credit', { because: `${pages.length} needed, ${left} left` })
  const scraping = { ...options, zeroDataRetention, sourceUrls } satisfies Partial<JobPageOptions>
  if (appendToId && asked)
    throw new Problem('bad_request', { instead: '`since` belongs to the start of a batch, not to pages added to it' })
  if (changesOnly && !asked)
    throw new Problem('bad_request', { instead: '`changesOnly` has no effect without `since`' })
  const since = asked
    ? await resolveSince(services, {
        ...{ kind: 'batch', teamId: caller.teamId, since: asked, url: '', options, zeroDataRetention },
      })
    : undefined
  if (appendToId) return { id: await append(services, appendToId, pages, scraping, call), invalidURLs }
  const id = await startJob(
    services,
    call,
    {
      kind: 'batch',
      url: null,
      settings: {
        plan: caller.plan,
        ...(since ? { since: since.settings, changesOnly: changesOnly ?? false } : {}),
      } satisfies JobSettings,
      webhook: webhook ?? null,
      zeroDataRetention,
      pageLimit: null,
      maxActive: maxConcurrency ?? null,
      delayMs: 0,
      discovering: false,
      warning: since?.warning ?? null,
      options: scraping,
    },
    pages,
  )
  return { id, invalidURLs, warning: since?.warning }
}

/** Duplicate URLs stay two pages: the caller requested both. */
function sortUrls(
  urls: readonly string[],
  ignoreInvalid: boolean,
  now: number,
  assertVisitable: Services['assertVisitable'],
) {
  const pages: NewJobPage[] = []
  const invalidURLs: string[] = []
  /** By keys of pages: those that the caller wrote otherwise than they are visited. */
  const sourceUrls: Record<string, string> = {}
  for (const given of urls) {
    try {
      const url = normalizeTargetUrl(given)
      assertVisitable(url)
      const key = newId(now)
      if (url !== given) sourceUrls[key] = given
      pages.push({ key, url, depth: 0 })
    } catch (error) {
      if (!ignoreInvalid || !(error instanceof Problem)) throw error
      invalidURLs.push(given)
    }
  }
  if (pages.length === 0) throw new Problem('bad_request', { instead: 'No valid URLs provided' })
  return { pages, invalidURLs, sourceUrls }
}

async function append(
  services: Services,
  jobId: string,
  pages: readonly NewJobPage[],
  options: object,
  call: RouteCall,
): Promise<string> {
  const { store, jobService } = services
  const id = jobId.toLowerCase()
  await store.transaction(async (tx) => {
    await claimIdempotencyKey(services, tx, 'batch', call)
    await store.frontier.lockTeam(tx, call.caller.teamId)
    const job = await store.jobs.hold(tx, id)
    const known = job && job.teamId === call.caller.teamId && job.kind === 'batch'
    if (!known || job.expiresAt <= services.clock.now())
      throw new Problem('job_not_found', { instead: 'Job not found' })
    if (job.state !== 'scraping')
      throw new Problem('conflict', {
        instead: `This batch is ${job.state}; start a new batch instead of adding to it`,
      })
    const optionsN = await store.jobs.addOptions(tx, id, options)
    await jobService.add(
      tx,
      id,
      pages.map((page) => ({ ...page, optionsN })),
    )
  })
  return id
}
