// Visits a page of a crawl or batch: takes a slot and scrapes. The job stores and charges when the page ends.
import { LRUCache } from 'lru-cache'
import { type Clock, deadline } from '../base/clock.ts'
import type { CacheValidators } from '../base/page.ts'
import { headersAt } from '../fetch/redirect.ts'
import type { Visited } from '../jobs/end-page.ts'
import { retryAfterSeconds } from '../jobs/host-politeness.ts'
import type { JobFacts } from '../jobs/job-facts.ts'
import type { VisitPage } from '../jobs/pages.ts'
import type { ScrapeBody } from '../scrape/options.ts'
import { planFor } from '../scrape/plan.ts'
import type { ScrapeCall, Scraped, Scraper } from '../scrape/scrape.ts'
import { REMEMBERED } from '../store/frontier.ts'
import type { JobPage } from '../store/frontier-types.ts'
import { newId } from '../store/id.ts'
import type { Store } from '../store/index.ts'
import { JOB_DEADLINE_MS, JOB_LIFE_MS } from '../store/jobs.ts'
import type { Admission } from '../teams/admission.ts'
import type { Meter, Metered } from '../teams/meter.ts'

/** Results live as long as their job can; the sweep removes both. */
export const RESULT_LIFE_MS = JOB_DEADLINE_MS + JOB_LIFE_MS
/** Pages of a job may wait long for a slot. */
const PATIENCE_MS = 24 * 3_600_000
const BUSY = new Set([429, 503])
const OPTIONS_KEPT = 500

export interface VisitParts {
  scraper: Scraper
  store: Store
  admission: Admission
  clock: Clock
  maker: string
  linkBase: string
  meter: Meter
}

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
  visit: (compared?: ComparedVisit) => Promise<PageVisit>,
  signal: AbortSignal,
) => Promise<Visited>

export interface SinceSettings {
  seriesId: string
  /** Changes that were seen after this time are reported (again). */
  after: number
  /** A job without `since` whose documents the series begins with. */
  from?: string | undefined
}

type OptionsBook = (jobId: string, n: number) => Promise<Omit<ScrapeBody, 'url'>>

export function openOptionsBook(store: Store): OptionsBook {
  const known = new LRUCache<string, Omit<ScrapeBody, 'url'>>({ max: OPTIONS_KEPT })
  return async (jobId, n) => {
    const name = `${jobId} ${n}`
    const found = known.get(name) ?? ((await store.jobs.options(jobId, n)) as Omit<ScrapeBody, 'url'>)
    known.set(name, found)
    return found
  }
}

/**
 * Visits a page with the options it was added with. `namedBy` returns the URLs that the caller named; all by default.
 */
export function optionsVisit(
  parts: VisitParts,
  { namedBy, compare }: { namedBy?: (job: JobFacts) => readonly string[]; compare?: ComparePage } = {},
): VisitPage {
  const options = openOptionsBook(parts.store)
  return async (page, job, signal) => {
    const given = await options(job.id, page.optionsN)
    const body = namedBy ? withOwnHeaders(given, page.url, namedBy(job)) : given
    const visit = (compared?: ComparedVisit) => visitPage(parts, page, job, body, false, signal, compared)
    return compare ? compare(page, job, visit, signal) : (await visit()).visited
  }
}

/** Sends the caller's headers only to what the caller named; links and redirects may lead anywhere. */
export function withOwnHeaders<Options extends Pick<ScrapeBody, 'headers' | 'allowCredentialsFor'>>(
  options: Options,
  url: string,
  named: readonly string[],
): Options {
  if (!options.headers) return options
  const recipients = { urls: named, hosts: options.allowCredentialsFor }
  return { ...options, headers: { ...headersAt(url, recipients, options.headers) } }
}

/** A visit that decides whether the page changed: never from the cache. */
export interface ComparedVisit {
  /** The site may answer that nothing changed since. */
  marks: CacheValidators | undefined
}

export interface PageVisit {
  visited: Visited
  scraped: Scraped
}

export async function visitPage(
  parts: VisitParts,
  page: JobPage,
  job: JobFacts,
  options: Omit<ScrapeBody, 'url'>,
  wantsLinks: boolean,
  signal: AbortSignal,
  compared?: ComparedVisit,
): Promise<PageVisit> {
  const { scraper, store, admission, clock, maker } = parts
  const body = { ...options, url: page.url, ...(compared ? { maxAge: 0 } : {}) } as ScrapeBody
  const planned = planFor(body, maker)
  const plan = compared?.marks ? { ...planned, visit: { ...planned.visit, marks: compared.marks } } : planned
  const settings = job.settings as JobSettings
  const team = { teamId: job.teamId, plan: settings.plan }
  const call: ScrapeCall = {
    id: newId(clock.now()),
    teamId: job.teamId,
    keyId: job.keyId,
    body,
    plan,
    baseUrl: settings.baseUrl ?? parts.linkBase,
    queue: { limited: false, waitedMs: 0 },
    wantsLinks,
    ...(compared ? { wantsPrints: true } : {}),
    keepDocument: true,
    hidden: page.depth === REMEMBERED,
  }
  // A cached document has no links; reading the cached page again yields them.
  const known = wantsLinks || compared ? undefined : await scraper.recall(call)
  const scraped = known ?? (await inSlot().catch(counted))
  parts.meter.page(metered(job), scraped.source)
  return { scraped, visited: visitedOf(store, call, scraped, clock.now()) }

  function counted(error: unknown): never {
    if (!signal.aborted) parts.meter.page(metered(job), undefined)
    throw error
  }

  async function inSlot(): Promise<Scraped> {
    const slot = await admission.admit(team, { timeoutMs: PATIENCE_MS }, signal)
    const limit = deadline(plan.timeoutMs, signal)
    try {
      return await limit.during(() => scraper.scrape(call, limit.signal))
    } finally {
      limit.clear()
      slot.release()
    }
  }
}

const metered = ({ teamId, keyId, endpoint }: JobFacts): Metered => ({ teamId, keyId, endpoint })

function visitedOf(store: Store, { id }: ScrapeCall, scraped: Scraped, now: number): Visited {
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
    ...(BUSY.has(answered.status) ? { busy: { askedSeconds: retryAfterSeconds(answered.retryAfter, now) } } : {}),
  }
}
