// Crawls and batches with `since`: decides for each page whether it is new, changed, the same or removed, in the
// transaction that ends the page.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { HOUR_MS } from '../base/clock.ts'
import { serialiseDocument } from '../base/document-json.ts'
import { Problem } from '../base/problem.ts'
import { isUuid } from '../base/uuid-format.ts'
import type { CacheValidators } from '../base/visit-and-capture-types.ts'
import { makeLoopYielder } from '../base/yield-in-loops.ts'
import type { VisitedPage } from '../jobs/end-page.ts'
import type { JobFacts } from '../jobs/job-facts.ts'
import { MAX_BUSY_TRIES } from '../jobs/process-pages.ts'
import { recrawledPageStore } from '../jobs/store/index.ts'
import { NO_CLAIM_CHECKS, type RecrawledPage, type UnchangedClaimChecks } from '../jobs/store/recrawled-pages.ts'
import type { ScrapedPage } from '../scrape/scrape.ts'
import type { JobPage, NewJobPage } from '../store/frontier-types.ts'
import { newId } from '../store/id.ts'
import type { Store } from '../store/index.ts'
import type { Job } from '../store/jobs.ts'
import type { NewScrapeRecord } from '../store/new-scrape-record.ts'
import type { Tx } from '../store/tables.ts'
import {
  detectPageChange,
  hasValidators,
  haveSameValidators,
  isGoneStatus,
  maxUnreadOf,
  type PageReading,
} from '../understanding/changes/detect-page-change.ts'
import {
  findChangedFingerprints,
  fingerprintMarkdown,
  haveFingerprintsChanged,
  type PageFingerprints,
  removeFingerprints,
} from '../understanding/changes/page-fingerprints.ts'
import type { Services } from './route.ts'
import {
  type ComparePage,
  type ComparisonInput,
  type JobSettings,
  type PageVisitResult,
  RESULT_LIFE_MS,
  type SinceSettings,
} from './visit-job-page.ts'

type Change = 'new' | 'changed' | 'same' | 'removed'

export const sinceShape = {
  since: z
    .string()
    .max(64)
    .refine((text) => text === 'last' || isUuid(text) || timeOf(text) !== undefined, {
      error: 'must be "last", the id of an earlier job, or a time such as 2026-05-01T00:00:00Z',
      params: { named: true },
    })
    .optional()
    .describe(
      'Only changes since then: `last` (the last completed job with these options), the id of a job, or an ISO time. Each page gets a `change`.',
    ),
  changesOnly: z.boolean().optional().describe('With `since`: webhook events for changed pages only.'),
}

const timeOf = (text: string): number | undefined => {
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** Factor on `maxUnreadOf` for sites whose HTTP validators proved reliable. */
const PROVEN_VALIDATOR_FACTOR = 3
/** Largest estimated probability of an unreported change at which a page is not read. */
const UNREAD_RISK = 0.01
/** The same for pages that can be asked with a conditional request, which costs little. */
const UNASKED_RISK = 0.001
/** Two jobs in a row must miss a page that does not answer 404 or 410. */
const MIN_ABSENCES = 2
const NOT_MODIFIED = 304
/** A replica may not have the page yet; ask again after this. */
const GONE_RECHECK_MS = 300
const BATCH = 200

type SinceParts = Pick<Services, 'store' | 'clock'>

interface SinceRequest {
  kind: string
  teamId: string
  since: string
  url: string
  /** All options that decide which pages are read and what is made of them. */
  options: unknown
  zeroDataRetention: boolean
}

type Since = { settings: SinceSettings; warning: string | undefined }

/** What the job is compared with; throws when that is unknown. */
export async function resolveSince({ store }: SinceParts, request: SinceRequest): Promise<Since> {
  const { kind, teamId, since, url, options, zeroDataRetention } = request
  if (zeroDataRetention)
    throw new Problem('bad_request', {
      instead: '`since` compares with stored earlier pages, and zero data retention stores none',
    })
  const name = `${kind} ${createHash('sha256')
    .update(JSON.stringify([url, options]))
    .digest('base64url')}`
  const pages = recrawledPageStore(store)
  const series = await pages.series(teamId, name, url)
  const settings = (after: number, from?: string): SinceSettings => ({ seriesId: series.id, after, from })
  const nothing = 'No earlier job with these options is stored, so every page is new.'
  if (isUuid(since)) {
    const id = since.toLowerCase()
    if (series.jobId === id) return { settings: settings(series.doneAt ?? 0), warning: undefined }
    const job = await store.jobs.get(id)
    if (!job || job.teamId !== teamId || job.kind !== kind)
      throw new Problem('job_not_found', {
        instead: `\`since\` names a ${kind} that is unknown or expired; give "last" or a time instead`,
      })
    if (job.zeroDataRetention)
      throw new Problem('bad_request', {
        instead: `The ${kind} that \`since\` names had zero data retention, so its pages are not stored`,
      })
    if (job.finishedAt === null)
      throw new Problem('conflict', { instead: `The ${kind} that \`since\` names is still running` })
    const own = (JSON.parse(job.settings) as JobSettings).since
    if (kind === 'batch' ? own?.seriesId !== series.id : own && own.seriesId !== series.id)
      throw new Problem('bad_request', {
        instead: `The ${kind} that \`since\` names had other options; compare with it under the same options`,
      })
    return { settings: settings(job.finishedAt, own ? undefined : id), warning: undefined }
  }
  const isNew = await pages.isEmpty(series.id)
  const after = since === 'last' ? (series.doneAt ?? 0) : timeOf(since)!
  return { settings: settings(after), warning: isNew && since !== 'last' ? nothing : undefined }
}

/** Makes this job the baseline of the next one with `since: "last"`. */
export async function storeAsSinceBaseline(store: Store, tx: Tx, job: Job): Promise<void> {
  const { since } = JSON.parse(job.settings) as JobSettings
  if (since) await recrawledPageStore(store).done(tx, since.seriesId, job, store.database.clock.now())
}

export async function* listPagesOfEarlierJobs(
  { store }: SinceParts,
  since: SinceSettings,
): AsyncGenerator<NewJobPage[]> {
  for (let key = ''; ; ) {
    const pages = await recrawledPageStore(store).known(since.seriesId, since.after, key, BATCH)
    if (pages.length > 0) yield pages
    if (pages.length < BATCH) return
    key = pages.at(-1)!.key
  }
}

/** Copies the pages of a job without `since` into the series, before any page is compared. */
export async function copyPagesOfEarlierJob(
  { store }: SinceParts,
  teamId: string,
  { seriesId, from }: SinceSettings,
): Promise<void> {
  if (from === undefined) return
  const turn = makeLoopYielder()
  for (let key = ''; ; ) {
    const seen = await store.frontier.seen(from, key, BATCH)
    for (const { key: own, url, depth, scrapeId, at } of seen) {
      await turn()
      if (scrapeId === null || at === null || (await recrawledPageStore(store).find(seriesId, own))) continue
      const kept = await store.pages.getScrape(teamId, scrapeId)
      const { markdown, metadata } = kept ? (JSON.parse(Buffer.from(kept.documentBody).toString()) as Taken) : {}
      if (typeof markdown !== 'string' || (metadata?.statusCode ?? 200) >= 400) continue
      const page = freshPage(own, url, depth, fingerprintMarkdown(markdown), at)
      await store.transaction((tx) => recrawledPageStore(store).keep(tx, seriesId, page))
    }
    if (seen.length < BATCH) return
    key = seen.at(-1)!.key
  }
}

interface Taken {
  markdown?: unknown
  metadata?: { statusCode?: number }
}

const freshPage = (key: string, url: string, depth: number, prints: PageFingerprints, at: number): RecrawledPage => ({
  ...{ key, url, depth, prints, marks: undefined, listedAt: null, listedBy: null },
  ...{ readAt: at, seenAt: at, firstAt: at, changedAt: at, goneAt: null, absences: 0, unread: 0, unvisited: 0 },
  checks: NO_CLAIM_CHECKS,
})

export async function storeLastmod(
  { store }: SinceParts,
  tx: Tx,
  job: JobFacts,
  { seriesId }: SinceSettings,
  entries: readonly { key: string; lastmod?: string | undefined }[],
): Promise<void> {
  const dated = entries.flatMap(({ key, lastmod }) => {
    const at = lastmod === undefined ? undefined : latestOf(lastmod)
    return at === undefined ? [] : [{ key, at }]
  })
  await recrawledPageStore(store).listed(tx, seriesId, job.id, dated)
}

/** The latest time that a `lastmod` can mean: a date without a time ends last in the west. */
function latestOf(lastmod: string): number | undefined {
  const at = timeOf(lastmod)
  if (at === undefined) return undefined
  return lastmod.length <= 'YYYY-MM-DD'.length ? at + 38 * HOUR_MS : at + HOUR_MS / 6
}

/** Reads the page once more; with `marks` only if it differs from what they name. */
type Again = (visit: ComparisonInput) => Promise<PageVisitResult>

/** Pages of a batch, by the addresses that the caller gave. */
export const makePageComparer =
  (parts: SinceParts): ComparePage =>
  async (page, job, visit, signal) => {
    const { since } = job.settings as JobSettings
    if (!since) return (await visit()).visited
    const turn = await openPageComparison(parts, page, job, since, page.url)
    return turn.unread ?? turn.judge(await visit(turn.visit), {}, visit, signal)
  }

interface Arrived {
  /** The final address, if it differs from the requested one: the page is compared and stored under it. */
  also?: { key: string; url: string } | undefined
  outside?: string | undefined
}

interface ComparisonContext extends SinceParts {
  page: JobPage
  job: JobFacts
  since: SinceSettings
  key: string
  row: RecrawledPage | undefined
  listed: number | undefined
}

export async function openPageComparison(
  { store, clock }: SinceParts,
  page: JobPage,
  job: JobFacts,
  since: SinceSettings,
  key: string,
) {
  const row = await recrawledPageStore(store).find(since.seriesId, key)
  const listed = row?.listedBy === job.id && row.listedAt !== null ? row.listedAt : undefined
  const context: ComparisonContext = { store, clock, page, job, since, key, row, listed }
  const known = row?.goneAt === null && row.changedAt <= since.after ? row : undefined
  const checks = known && (await checksOf(store, job.id, since.seriesId))
  return {
    unread: known && checks && mayStayUnasked(context, known, checks) ? reportSamePage(context, known) : undefined,
    visit: {
      marks: known && checks && mayStayUnread(known, checks) ? known.marks : undefined,
      known: known && { prints: known.prints, noise: await noiseOf(store, since.seriesId) },
    },
    /** Decides what changed. `again` reads the page once more. */
    judge: (seen: PageVisitResult, at: Arrived, again: Again, signal: AbortSignal) =>
      judge(context, seen, at, again, signal),
  }
}

/** Sums change when a job ends, so one reading serves all pages of a job. */
const checksByJob = new LRUCache<string, UnchangedClaimChecks>({ max: 500 })

async function checksOf(store: Store, jobId: string, seriesId: string): Promise<UnchangedClaimChecks> {
  const found = checksByJob.get(jobId) ?? (await recrawledPageStore(store).get(seriesId)) ?? NO_CLAIM_CHECKS
  checksByJob.set(jobId, found)
  return found
}

/** A slightly outdated list costs at most a second comparison. */
const noiseBySeries = new LRUCache<string, readonly number[]>({ max: 500, ttl: 1_000 })

async function noiseOf(store: Store, seriesId: string): Promise<readonly number[]> {
  const found = noiseBySeries.get(seriesId) ?? (await recrawledPageStore(store).noise(seriesId))
  noiseBySeries.set(seriesId, found)
  return found
}

/** True if the sitemap's lastmod is older than our last reading and proved reliable on this site. */
function mayStayUnasked({ listed }: ComparisonContext, page: RecrawledPage, checks: UnchangedClaimChecks): boolean {
  if (listed === undefined || listed >= page.readAt || page.unread >= maxUnreadOf(page.key)) return false
  const risk = chanceOfMiss(checks.lastmodMisses, checks.lastmodChecks, page.unvisited)
  // By chance, so that every job checks some pages.
  return risk <= (hasValidators(page.marks) ? UNASKED_RISK : UNREAD_RISK) * (0.5 + Math.random())
}

function mayStayUnread(page: RecrawledPage, checks: UnchangedClaimChecks): boolean {
  const most = maxUnreadOf(page.key)
  if (page.unread < most) return true
  const risk = chanceOfMiss(checks.validatorMisses, checks.validatorChecks, page.unread)
  return risk <= UNREAD_RISK && page.unread < most * PROVEN_VALIDATOR_FACTOR
}

/** Laplace smoothing: with few checks the estimated risk stays high. */
const chanceOfMiss = (misses: number, checked: number, jobs: number): number =>
  ((misses + 1) / (checked + 1)) * (jobs + 1)

async function judge(
  context: ComparisonContext,
  first: PageVisitResult,
  at: Arrived,
  again: Again,
  signal: AbortSignal,
): Promise<VisitedPage> {
  const { page, row, since, clock } = context
  let seen = first
  if (seen.visited.busy && page.attempts < MAX_BUSY_TRIES) return seen.visited
  const { unchanged, sameText, status } = seen.scraped.answered
  const moved = at.outside !== undefined || at.also !== undefined
  // A page that is not known yet at its new address needs a document.
  if (at.also && (unchanged || sameText)) seen = await again({ marks: undefined })
  const isNews = row !== undefined && (row.goneAt === null || row.goneAt > since.after)
  if (!moved || status >= 400)
    return comparePage(context, seen, isNews || !isGoneStatus(status) ? row : undefined, {}, again, signal)
  // The address leads elsewhere: it is missing, but not known to be gone.
  const missing = row?.goneAt === null ? row : undefined
  if (isNews && (!missing || missing.absences + 1 >= MIN_ABSENCES))
    return { ...reportRemovedPage(context, row), found: at.also ? [{ ...at.also, depth: page.depth }] : [] }
  const noteAbsence = async (tx: Tx) => {
    if (missing) await keep(context, tx, { ...missing, seenAt: clock.now(), absences: missing.absences + 1 })
  }
  const elsewhere = at.also && (await recrawledPageStore(context.store).find(since.seriesId, at.also.key))
  const ended = at.outside
    ? { ...seen.visited, outside: at.outside }
    : { ...(await comparePage(context, seen, elsewhere, at, again, signal)), also: at.also! }
  return {
    ...ended,
    leftOut: noteAbsence,
    async store(tx) {
      await ended.store(tx)
      await noteAbsence(tx)
    },
  }
}

/** The page failed: it is neither changed nor removed. */
const makeFailure = (status: number, because = `the site returned ${status}`): Problem =>
  new Problem(status >= 500 ? 'site_failed' : 'unprocessable', { because })

interface SeenPage extends PageReading, PageVisitResult {}

function readingOf({ scraped, visited }: PageVisitResult): SeenPage {
  const { status, unchanged } = scraped.answered
  return { scraped, visited, status, isUnchanged: unchanged === true, chars: unchanged ? 0 : printsOf(scraped).chars }
}

async function comparePage(
  context: ComparisonContext,
  first: PageVisitResult,
  known: RecrawledPage | undefined,
  { also }: Arrived,
  again: Again,
  signal: AbortSignal,
): Promise<VisitedPage> {
  const { store, clock, page, since } = context
  const before = known?.goneAt === null ? known : undefined
  const found = await detectPageChange({
    first: readingOf(first),
    known: known && { isHere: before !== undefined, chars: known.prints.chars },
    ...comparisonWith(context, before, again, signal),
  })
  const { reading: seen } = found
  if (found.change === 'failed') throw makeFailure(seen.status, found.because)
  if (found.change === 'removed') return reportRemovedPage(context, known!)
  const isChanged = found.change === 'changed'
  if (before && !isChanged && before.changedAt <= since.after) return reportSamePage(context, before, seen.scraped)
  const { key, url } = also ?? { key: context.key, url: seen.scraped.answered.url }
  const fresh = {
    ...freshPage(key, url, page.depth, printsOf(seen.scraped), clock.now()),
    marks: seen.scraped.answered.marks,
  }
  const next = before
    ? {
        ...fresh,
        ...continueRecord(before, fresh, isChanged),
        checks: updateClaimChecks(context, before, seen.scraped, isChanged),
      }
    : fresh
  const change: Change = !before || next.firstAt > since.after ? 'new' : 'changed'
  return addMarks(seen, change, store, (tx) => keep(context, tx, next))
}

/** Reads the page again before a change counts: lines that differ between the two readings are noise of the series. */
function comparisonWith(
  { store, since, key }: ComparisonContext,
  before: RecrawledPage | undefined,
  again: Again,
  signal: AbortSignal,
): Pick<Parameters<typeof detectPageChange<SeenPage>>[0], 'again' | 'differs'> {
  const pages = recrawledPageStore(store)
  let noise: ReadonlySet<number> = new Set()
  let validators: CacheValidators | undefined
  const removeNoise = (prints: PageFingerprints) => removeFingerprints(prints, noise)
  return {
    async again(because) {
      if (because === 'gone') await sleep(GONE_RECHECK_MS, undefined, { signal }).catch(() => undefined)
      const second = readingOf(await again({ marks: because === 'changed' ? validators : undefined }))
      if (because === 'changed' && second.status >= 400) throw makeFailure(second.status)
      return second
    },
    async differs({ scraped }, second) {
      if (scraped.answered.sameText || !before) return false
      const now = printsOf(scraped)
      const lines = findChangedFingerprints(before.prints, now)
      if (lines.length === 0) return false
      if (!second) {
        noise = await pages.noiseAmong(since.seriesId, lines)
        const { body: _, ...named } = scraped.answered.marks ?? {}
        validators = hasValidators(before.marks) && !haveSameValidators(before.marks, named) ? named : undefined
        return haveFingerprintsChanged(removeNoise(before.prints), removeNoise(now))
      }
      const later = printsOf(second.scraped)
      const isChanged = haveFingerprintsChanged(removeNoise(before.prints), removeNoise(now), removeNoise(later))
      const flickering = [...findChangedFingerprints(now, later), ...(isChanged ? [] : lines)]
      await pages.addNoise(since.seriesId, key, flickering)
      return isChanged
    },
  }
}

const keep = ({ store, since }: ComparisonContext, tx: Tx, page: RecrawledPage): Promise<void> =>
  recrawledPageStore(store).keep(tx, since.seriesId, page)

function reportSamePage(context: ComparisonContext, known: RecrawledPage, scraped?: ScrapedPage): VisitedPage {
  const { store, since, clock, job } = context
  const now = clock.now()
  const { status, unchanged, marks } = scraped?.answered ?? { status: NOT_MODIFIED }
  const isRead = status !== NOT_MODIFIED
  const seen = {
    key: known.key,
    seenAt: now,
    readAt: scraped ? now : known.readAt,
    marks: isRead && !unchanged ? marks : known.marks,
    unread: isRead ? 0 : known.unread + 1,
    unvisited: scraped ? 0 : known.unvisited + 1,
    checks: scraped ? updateClaimChecks(context, known, scraped, false) : NO_CLAIM_CHECKS,
  }
  const quiet = (job.settings as JobSettings).changesOnly === true
  return makeVisitWithoutScrape(context, 'same', known, quiet, (tx) =>
    recrawledPageStore(store).same(tx, since.seriesId, seen),
  )
}

function reportRemovedPage(context: ComparisonContext, known: RecrawledPage): VisitedPage {
  const now = context.clock.now()
  const goneAt = known.goneAt ?? now
  return makeVisitWithoutScrape(context, 'removed', known, false, (tx) =>
    keep(context, tx, {
      ...{ ...known, goneAt, seenAt: now, marks: undefined, absences: 0, unread: 0, unvisited: 0 },
      checks: NO_CLAIM_CHECKS,
    }),
  )
}

function makeVisitWithoutScrape(
  { store, clock, page, job: { teamId, keyId } }: ComparisonContext,
  change: Change,
  { url }: RecrawledPage,
  quiet: boolean,
  write: (tx: Tx) => Promise<void>,
): VisitedPage {
  const id = newId(clock.now())
  const statusCode = change === 'removed' ? 404 : 200
  const overlay = { sourceURL: page.url, url, statusCode, scrapeId: id, creditsUsed: 0, concurrencyLimited: false }
  const record: NewScrapeRecord = {
    scrape: {
      id,
      teamId,
      keyId,
      url: page.url,
      options: null,
      overlay: JSON.stringify(overlay),
      explain: null,
      credits: 0,
      lifeMs: RESULT_LIFE_MS,
    },
    document: { digestKey: `${change} ${id}`, body: serialiseDocument({ change, metadata: {} }) },
    capture: undefined,
  }
  return {
    scrapeId: id,
    credits: 0,
    async store(tx) {
      await store.pages.record(tx, record)
      await write(tx)
    },
    text: () => JSON.stringify({ change, metadata: overlay }),
    found: [],
    refused: [],
    quiet,
  }
}

function continueRecord(before: RecrawledPage, fresh: RecrawledPage, isChanged: boolean): Partial<RecrawledPage> {
  const { firstAt, listedAt, listedBy, depth, prints, changedAt } = before
  if (!isChanged) return { firstAt, listedAt, listedBy, depth, prints, changedAt }
  // A text that changed under the same validators shows that they mean nothing here.
  const { body } = fresh.marks ?? {}
  const isTrue = !haveSameValidators(before.marks, fresh.marks)
  return { firstAt, listedAt, listedBy, depth, marks: isTrue || body === undefined ? fresh.marks : { body } }
}

/** Counts whether the site's report "unchanged" was right; jobs that skipped the page since count too. */
function updateClaimChecks(
  { listed }: ComparisonContext,
  before: RecrawledPage,
  { answered }: ScrapedPage,
  isChanged: boolean,
): UnchangedClaimChecks {
  const miss = isChanged ? 1 : 0
  const bySitemap = listed !== undefined && listed < before.readAt
  const byValidators =
    answered.status !== NOT_MODIFIED && hasValidators(before.marks) && haveSameValidators(before.marks, answered.marks)
  return {
    ...NO_CLAIM_CHECKS,
    ...(bySitemap ? { lastmodChecks: before.unvisited + 1, lastmodMisses: miss } : {}),
    ...(byValidators ? { validatorChecks: before.unread + 1, validatorMisses: miss } : {}),
  }
}

/** A page without text is compared by what was made of it. */
const printsOf = ({ prints, record }: ScrapedPage): PageFingerprints =>
  prints ??
  fingerprintMarkdown(record && 'body' in record.document ? Buffer.from(record.document.body).toString('latin1') : '')

/** Writes `change` into a document, which no other request may get from the cache. */
function addMarks(
  { visited, scraped: { json, record, id } }: PageVisitResult,
  change: Change,
  store: Store,
  write: (tx: Tx) => Promise<void>,
): VisitedPage {
  const put = (bytes: Uint8Array) => Buffer.concat([Buffer.from(`{"change":"${change}",`), bytes.subarray(1)])
  return {
    ...visited,
    async store(tx) {
      if (record && 'digestKey' in record.document)
        await store.pages.record(tx, {
          ...record,
          scrape: { ...record.scrape, lifeMs: RESULT_LIFE_MS },
          document: {
            ...record.document,
            digestKey: `${record.document.digestKey} ${id}`,
            body: put(record.document.body),
          },
        })
      await write(tx)
    },
    text: () => put(json()).toString(),
  }
}
