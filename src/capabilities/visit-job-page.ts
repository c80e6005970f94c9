// Visits a page of a crawl or batch: takes a slot and scrapes. The job stores and charges when the page ends.

import { LRUCache } from 'lru-cache'
import { DAY_MS } from '../base/clock.ts'
import { startDeadline } from '../base/deadline.ts'
import type { CacheValidators } from '../base/visit-and-capture-types.ts'
import { headersAllowedAt } from '../fetch/follow-redirects.ts'
import type { VisitedPage } from '../jobs/end-page.ts'
import { parseRetryAfter } from '../jobs/host-politeness.ts'
import type { JobFacts } from '../jobs/job-facts.ts'
import type { VisitPage } from '../jobs/process-pages.ts'
import type { ScrapeCall, ScrapedPage } from '../scrape/scrape.ts'
import type { ScrapeBody } from '../scrape/scrape-options.ts'
import { makeScrapePlan } from '../scrape/scrape-plan.ts'
import { DEPTH_OF_KNOWN_PAGE } from '../store/frontier.ts'
import type { JobPage } from '../store/frontier-types.ts'
import { newId } from '../store/id.ts'
import type { Store } from '../store/index.ts'
import { JOB_DEADLINE_MS, JOB_LIFE_MS } from '../store/jobs.ts'
import type { UsageAccount } from '../teams/usage-meter.ts'
import type { KnownFingerprints } from '../understanding/changes/page-fingerprints.ts'
import type { Services } from './route.ts'

/** Results live as long as their job can; the sweep removes both. */
export const RESULT_LIFE_MS = JOB_DEADLINE_MS + JOB_LIFE_MS
/** Pages of a job may wait long for a slot. */
const MAX_SLOT_WAIT_MS = DAY_MS
const BUSY = new Set([429, 503])
const OPTIONS_KEPT = 500

export type VisitParts = Pick<Services, 'scraper' | 'store' | 'admission' | 'clock' | 'maker' | 'linkBase' | 'meter'>

export interface JobSettings {
  plan: string
  /** Base of links to files; of the request that started the job. */
  baseUrl?: string
  since?: SinceSettings | undefined
  /** Webhook events of pages for changes only. */
  changesOnly?: boolean
}

export type ComparePage = (
  page: JobPage,
  job: JobFacts,
  visit: (compared?: ComparisonInput) => Promise<PageVisitResult>,
  signal: AbortSignal,
) => Promise<VisitedPage>

export interface SinceSettings {
  seriesId: string
  /** Changes that were seen after this time are reported (again). */
  after: number
  /** A job without `since` whose documents the series begins with. */
  from?: string | undefined
}

export interface JobPageOptions extends Omit<ScrapeBody, 'url'> {
  /** Addresses as the caller wrote them, by the keys of their pages. */
  sourceUrls?: Readonly<Record<string, string>>
}

type ReadJobOptions = (jobId: string, n: number) => Promise<JobPageOptions>

export function openJobOptionsCache(store: Store): ReadJobOptions {
  const known = new LRUCache<string, JobPageOptions>({ max: OPTIONS_KEPT })
  return async (jobId, n) => {
    const name = `${jobId} ${n}`
    const found = known.get(name) ?? ((await store.jobs.options(jobId, n)) as JobPageOptions)
    known.set(name, found)
    return found
  }
}

/**
 * Visits a page with the options it was added with. `namedBy` returns the URLs that the caller named; all by default.
 */
export function makePageVisitor(
  parts: VisitParts,
  {
    namedBy,
    compare,
    complete = async (_job, options) => options,
  }: {
    namedBy?: (job: JobFacts) => readonly string[]
    compare?: ComparePage
    /** Adds to a page's options what the job has found out since its start. */
    complete?: (job: JobFacts, options: JobPageOptions) => Promise<JobPageOptions>
  } = {},
): VisitPage {
  const options = openJobOptionsCache(parts.store)
  return async (page, job, signal) => {
    const given = await complete(job, await options(job.id, page.optionsN))
    const body = namedBy ? limitHeadersToOrigins(given, page.url, namedBy(job)) : given
    const visit = (compared?: ComparisonInput) => visitJobPage(parts, page, job, body, 'document', signal, compared)
    return compare ? compare(page, job, visit, signal) : (await visit()).visited
  }
}

/** Sends the caller's headers only to what the caller named; links and redirects may lead anywhere. */
export function limitHeadersToOrigins<Options extends Pick<ScrapeBody, 'headers' | 'allowCredentialsFor'>>(
  options: Options,
  url: string,
  named: readonly string[],
): Options {
  if (!options.headers) return options
  const recipients = { urls: named, hosts: options.allowCredentialsFor }
  return { ...options, headers: { ...headersAllowedAt(url, recipients, options.headers) } }
}

/** A visit that decides whether the page changed: never from the cache. */
export interface ComparisonInput {
  /** The site may answer that nothing changed since. */
  marks: CacheValidators | undefined
  /** The page as it was: one that did not change is not made into a document. */
  known?: KnownFingerprints | undefined
}

export type PageVisitResult = { visited: VisitedPage; scraped: ScrapedPage }

export async function visitJobPage(
  parts: VisitParts,
  page: JobPage,
  job: JobFacts,
  { sourceUrls, ...options }: JobPageOptions,
  wants: 'document' | 'links' | 'states',
  signal: AbortSignal,
  compared?: ComparisonInput,
): Promise<PageVisitResult> {
  const { scraper, store, admission, clock, maker } = parts
  const body = { ...options, url: page.url, ...(compared ? { maxAge: 0 } : {}) } as ScrapeBody
  const planned = makeScrapePlan(body, maker)
  const { marks, known } = compared ?? {}
  const [wantsLinks, wantsStates] = [wants !== 'document', wants === 'states' && planned.mayRender]
  const visit = marks ? { ...planned.visit, marks } : planned.visit
  const plan = { ...planned, visit, known, ...(wantsStates ? { wants: [...planned.wants, 'rendered' as const] } : {}) }
  const settings = job.settings as JobSettings
  const team = { teamId: job.teamId, plan: settings.plan }
  const call: ScrapeCall = {
    id: newId(clock.now()),
    teamId: job.teamId,
    keyId: job.keyId,
    body,
    sourceUrl: sourceUrls?.[page.key],
    plan,
    baseUrl: settings.baseUrl ?? parts.linkBase,
    queue: { limited: false, waitedMs: 0 },
    wantsLinks,
    wantsControls: wantsStates,
    ...(compared ? { wantsPrints: true } : {}),
    keepDocument: true,
    hidden: page.depth === DEPTH_OF_KNOWN_PAGE,
  }
  // A cached document has no links; reading the cached page again yields them.
  const recalled = wantsLinks || compared ? undefined : await scraper.findCachedDocument(call)
  const scraped = recalled ?? (await inSlot().catch(countAndThrow))
  parts.meter.page(usageAccountOf(job), scraped.source)
  return { scraped, visited: visitedOf(store, call, scraped, clock.now()) }

  function countAndThrow(error: unknown): never {
    if (!signal.aborted) parts.meter.page(usageAccountOf(job), undefined)
    throw error
  }

  async function inSlot(): Promise<ScrapedPage> {
    const slot = await admission.admit(team, { timeoutMs: MAX_SLOT_WAIT_MS }, signal)
    const limit = startDeadline(plan.timeoutMs, signal)
    try {
      return await limit.during(() => scraper.scrape(call, limit.signal))
    } finally {
      limit.clear()
      slot.release()
    }
  }
}

const usageAccountOf = ({ teamId, keyId, endpoint }: JobFacts): UsageAccount => ({ teamId, keyId, endpoint })

function visitedOf(store: Store, { id }: ScrapeCall, scraped: ScrapedPage, now: number): VisitedPage {
  const { record, answered } = scraped
  const kept = record && { ...record, scrape: { ...record.scrape, lifeMs: RESULT_LIFE_MS } }
  return {
    scrapeId: id,
    credits: scraped.credits,
    async store(tx) {
      if (kept) await store.pages.record(tx, kept)
    },
    text: () => scraped.json().toString(),
    found: [],
    refused: [],
    ...(BUSY.has(answered.status) ? { busy: { askedSeconds: parseRetryAfter(answered.retryAfter, now) } } : {}),
  }
}
