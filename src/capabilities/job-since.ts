// Crawls and batches with `since`: decides for each page whether it is new, changed, the same or removed, in the
// transaction that ends the page. See docs/sync.md.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { isUuid } from '../base/id.ts'
import { takingTurns } from '../base/loop-turns.ts'
import { pack } from '../base/packed-document.ts'
import { Problem } from '../base/problem.ts'
import type { Visited } from '../jobs/end-page.ts'
import type { JobFacts } from '../jobs/job-facts.ts'
import { MAX_BUSY_TRIES } from '../jobs/pages.ts'
import type { Scraped } from '../scrape/scrape.ts'
import type { JobPage, NewPage } from '../store/frontier-types.ts'
import { newId } from '../store/id.ts'
import type { Store } from '../store/index.ts'
import type { Job } from '../store/jobs.ts'
import type { NewRecord } from '../store/scrape-record.ts'
import type { Tx } from '../store/tables.ts'
import {
  changedLines,
  hasChanged,
  type PagePrints,
  textPrints,
  withoutLines,
} from '../understanding/changes/fingerprints.ts'
import { syncStore } from './crawl/store/index.ts'
import type { SyncedPage } from './crawl/store/synced-pages.ts'
import {
  type ComparedVisit,
  type ComparePage,
  type JobSettings,
  type PageVisit,
  RESULT_LIFE_MS,
  type SinceSettings,
} from './job-visit.ts'

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
      'Only what is new since then: `last` (the last completed job with these options), the id of a job, or an ISO time. Each page gets a `change`.',
    ),
  changesOnly: z.boolean().optional().describe('With `since`: webhook events for changed pages only.'),
}

const timeOf = (text: string): number | undefined => {
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** Times in a row that a page may go unread on the site's word; each page has its own, so that they spread. */
const [LEAST_UNREAD, UNREAD_SPREAD] = [8, 5]
/**
 * Changes in a row that `lastmod` has to announce before it is believed. A site that announces seven of ten reaches ten by
 * chance every few weeks, and its other edits would be missed.
 */
const TRUSTED = 30
/** Two jobs in a row must miss a page that does not answer 404 or 410. */
const ABSENCES = 2
const GONE = new Set([404, 410])
const NOT_MODIFIED = 304
/** A replica may not have the page yet; ask again after this. */
const GONE_AGAIN_MS = 300
/** Characters: a page that had this much text and now has hardly any did not load. */
const [HAD_TEXT, HARDLY_ANY] = [400, 40]
const BATCH = 200

interface Parts {
  store: Store
  clock: Clock
}

interface SinceRequest {
  kind: string
  teamId: string
  since: string
  url: string
  /** All options that decide which pages are read and what is made of them. */
  options: unknown
  zeroDataRetention: boolean
}

interface Since {
  settings: SinceSettings
  warning: string | undefined
}

/** What the job is compared with; throws when that is unknown. */
export async function sinceOf({ store }: Parts, request: SinceRequest): Promise<Since> {
  const { kind, teamId, since, url, options, zeroDataRetention } = request
  if (zeroDataRetention)
    throw new Problem('bad_request', {
      instead: '`since` compares with what was kept of earlier pages, and zero data retention keeps nothing',
    })
  const name = `${kind} ${createHash('sha256')
    .update(JSON.stringify([url, options]))
    .digest('base64url')}`
  const pages = syncStore(store)
  const series = await pages.series(teamId, name, url)
  const settings = (after: number, from?: string): SinceSettings => ({ seriesId: series.id, after, from })
  const nothing = 'Nothing is known of earlier jobs with these options, so every page is new.'
  if (isUuid(since)) {
    const id = since.toLowerCase()
    if (series.jobId === id) return { settings: settings(series.doneAt ?? 0), warning: undefined }
    const job = await store.jobs.get(id)
    if (!job || job.teamId !== teamId || job.kind !== kind)
      throw new Problem('job_not_found', {
        instead: `\`since\` names a ${kind} that is unknown or expired; give "last" or a time instead`,
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

/** The next job with `last` is compared with this one. */
export async function completeSince(store: Store, tx: Tx, job: Job): Promise<void> {
  const { since } = JSON.parse(job.settings) as JobSettings
  if (since) await syncStore(store).done(tx, since.seriesId, job.id, store.database.clock.now())
}

export async function* knownPages({ store }: Parts, since: SinceSettings): AsyncGenerator<NewPage[]> {
  for (let key = ''; ; ) {
    const pages = await syncStore(store).known(since.seriesId, since.after, key, BATCH)
    if (pages.length > 0) yield pages
    if (pages.length < BATCH) return
    key = pages.at(-1)!.key
  }
}

/** Takes over the pages of a job without `since`, before any page is compared. */
export async function takeOver({ store }: Parts, teamId: string, { seriesId, from }: SinceSettings): Promise<void> {
  if (from === undefined) return
  const turn = takingTurns()
  for (let key = ''; ; ) {
    const seen = await store.frontier.seen(from, key, BATCH)
    for (const { key: own, url, depth, scrapeId, at } of seen) {
      await turn()
      if (scrapeId === null || at === null || (await syncStore(store).find(seriesId, own))) continue
      const kept = await store.pages.getScrape(teamId, scrapeId)
      const { markdown, metadata } = kept ? (JSON.parse(Buffer.from(kept.documentBody).toString()) as Taken) : {}
      if (typeof markdown !== 'string' || (metadata?.statusCode ?? 200) >= 400) continue
      const page = freshPage(own, url, depth, textPrints(markdown), at)
      await store.transaction((tx) => syncStore(store).keep(tx, seriesId, page))
    }
    if (seen.length < BATCH) return
    key = seen.at(-1)!.key
  }
}

interface Taken {
  markdown?: unknown
  metadata?: { statusCode?: number }
}

const freshPage = (key: string, url: string, depth: number, prints: PagePrints, at: number): SyncedPage => ({
  ...{ key, url, depth, prints, marks: undefined, listedAt: null, listedBy: null },
  ...{ readAt: at, seenAt: at, firstAt: at, changedAt: at, goneAt: null, absences: 0, unread: 0 },
})

export async function noteLastmod(
  { store }: Parts,
  tx: Tx,
  job: JobFacts,
  { seriesId }: SinceSettings,
  entries: readonly { key: string; lastmod?: string | undefined }[],
): Promise<void> {
  const dated = entries.flatMap(({ key, lastmod }) => {
    const at = lastmod === undefined ? undefined : latestOf(lastmod)
    return at === undefined ? [] : [{ key, at }]
  })
  await syncStore(store).listed(tx, seriesId, job.id, dated)
}

const HOUR_MS = 3_600_000

/** The latest time that a `lastmod` can mean: a date without a time ends last in the west. */
function latestOf(lastmod: string): number | undefined {
  const at = timeOf(lastmod)
  if (at === undefined) return undefined
  return lastmod.length <= 'YYYY-MM-DD'.length ? at + 38 * HOUR_MS : at + HOUR_MS / 6
}

interface PageTurn {
  unread: Visited | undefined
  visit: ComparedVisit
  /** Decides what changed. `again` reads the page once more. */
  judge(seen: PageVisit, at: Arrived, again: () => Promise<PageVisit>, signal: AbortSignal): Promise<Visited>
}

/** Pages of a batch, by the addresses that the caller gave. */
export const comparePages =
  (parts: Parts): ComparePage =>
  async (page, job, visit, signal) => {
    const { since } = job.settings as JobSettings
    if (!since) return (await visit()).visited
    const turn = await openTurn(parts, page, job, since, page.url)
    return turn.unread ?? turn.judge(await visit(turn.visit), {}, () => visit({ marks: undefined }), signal)
  }

interface Arrived {
  /** The final address, if it differs from the requested one: the page is compared and stored under it. */
  also?: { key: string; url: string } | undefined
  outside?: string | undefined
}

interface TurnContext extends Parts {
  page: JobPage
  job: JobFacts
  since: SinceSettings
  key: string
  row: SyncedPage | undefined
  listed: number | undefined
}

export async function openTurn(
  { store, clock }: Parts,
  page: JobPage,
  job: JobFacts,
  since: SinceSettings,
  key: string,
): Promise<PageTurn> {
  const row = await syncStore(store).find(since.seriesId, key)
  const listed = row?.listedBy === job.id && row.listedAt !== null ? row.listedAt : undefined
  const context: TurnContext = { store, clock, page, job, since, key, row, listed }
  const isReadable = row?.goneAt === null && row.changedAt <= since.after && row.unread < mostUnread(key)
  const isOld = isReadable && listed !== undefined && listed < row.readAt
  const series = isOld ? await syncStore(store).get(since.seriesId) : undefined
  return {
    unread: isOld && series && series.trust >= TRUSTED ? same(context, row) : undefined,
    visit: { marks: isReadable ? row.marks : undefined },
    judge: (seen, at, again, signal) => judge(context, seen, at, again, signal),
  }
}

async function judge(
  context: TurnContext,
  first: PageVisit,
  at: Arrived,
  again: () => Promise<PageVisit>,
  signal: AbortSignal,
): Promise<Visited> {
  const { page, row, since, clock } = context
  const here = row?.goneAt === null ? row : undefined
  let seen = first
  if (seen.visited.busy && page.attempts < MAX_BUSY_TRIES) return seen.visited
  if (here && seen.scraped.answered.unchanged) return same(context, here, seen.scraped)
  if (GONE.has(seen.scraped.answered.status)) {
    const isNews = row !== undefined && (row.goneAt === null || row.goneAt > since.after)
    if (!isNews) throw answered(seen.scraped.answered.status)
    await sleep(GONE_AGAIN_MS, undefined, { signal }).catch(() => undefined)
    seen = await again()
    if (GONE.has(seen.scraped.answered.status)) return removed(context, row)
  }
  if (seen.scraped.answered.status >= 400) throw answered(seen.scraped.answered.status)
  // The address leads elsewhere: it is missing, but not known to be gone.
  const missing = at.outside !== undefined || at.also !== undefined ? here : undefined
  if (missing && missing.absences + 1 >= ABSENCES)
    return { ...removed(context, missing), found: at.also ? [{ ...at.also, depth: page.depth }] : [] }
  const noteAbsence = async (tx: Tx) => {
    if (missing) await keep(context, tx, { ...missing, seenAt: clock.now(), absences: missing.absences + 1 })
  }
  const ended = at.outside
    ? { ...seen.visited, outside: at.outside }
    : { ...(await compared(context, seen, at, again)), ...(at.also ? { also: at.also } : {}) }
  return {
    ...ended,
    leftOut: noteAbsence,
    async store(tx) {
      await ended.store(tx)
      await noteAbsence(tx)
    },
  }
}

async function compared(
  context: TurnContext,
  seen: PageVisit,
  { also }: Arrived,
  again: () => Promise<PageVisit>,
): Promise<Visited> {
  const { store, clock, page, job, since, row, listed } = context
  const pages = syncStore(store)
  const known = also ? await pages.find(since.seriesId, also.key) : row
  const before = known?.goneAt === null ? known : undefined
  const prints = printsOf(seen.scraped)
  if (before && before.prints.chars > HAD_TEXT && prints.chars < HARDLY_ANY)
    throw new Problem('unprocessable', { because: 'the page came back empty' })
  const isChanged = before !== undefined && (await changedFor(context, before.prints, prints, again))
  if (before && !isChanged && before.changedAt <= since.after) return same(context, before, seen.scraped)
  const { key, url } = also ?? { key: context.key, url: seen.scraped.answered.url }
  const fresh = { ...freshPage(key, url, page.depth, prints, clock.now()), marks: seen.scraped.answered.marks }
  const next = before ? { ...fresh, ...continued(before, fresh, isChanged) } : fresh
  const change: Change = !before || next.firstAt > since.after ? 'new' : 'changed'
  const announced = isChanged && listed !== undefined ? listed >= before.readAt : undefined
  return marked(seen, change, store, async (tx) => {
    await keep(context, tx, next)
    if (announced === undefined) return
    await store.frontier.lockTeam(tx, job.teamId)
    await pages.setTrust(tx, since.seriesId, announced, TRUSTED)
  })
}

/** Reads the page again before a change counts: what differs between the two readings is noise. */
async function changedFor(
  { store, since, key }: TurnContext,
  before: PagePrints,
  now: PagePrints,
  again: () => Promise<PageVisit>,
): Promise<boolean> {
  const lines = changedLines(before, now)
  if (lines.length === 0) return false
  const noise = await syncStore(store).noiseAmong(since.seriesId, lines)
  const [quietBefore, quietNow] = [withoutLines(before, noise), withoutLines(now, noise)]
  if (!hasChanged(quietBefore, quietNow)) return false
  const { scraped } = await again()
  if (scraped.answered.status >= 400) throw answered(scraped.answered.status)
  const second = printsOf(scraped)
  const isChanged = hasChanged(quietBefore, quietNow, withoutLines(second, noise))
  const flickering = [...changedLines(now, second), ...(isChanged ? [] : lines)]
  await syncStore(store).addNoise(since.seriesId, key, flickering)
  return isChanged
}

const keep = ({ store, since }: TurnContext, tx: Tx, page: SyncedPage): Promise<void> =>
  syncStore(store).keep(tx, since.seriesId, page)

function same(context: TurnContext, known: SyncedPage, scraped?: Scraped): Visited {
  const { store, since, clock, job } = context
  const now = clock.now()
  const { status, unchanged, marks } = scraped?.answered ?? { status: NOT_MODIFIED }
  const isRead = status !== NOT_MODIFIED
  const seen = {
    key: known.key,
    seenAt: now,
    readAt: isRead ? now : known.readAt,
    marks: isRead && !unchanged ? marks : known.marks,
    unread: isRead ? 0 : known.unread + 1,
  }
  const quiet = (job.settings as JobSettings).changesOnly === true
  return short(context, 'same', known, quiet, (tx) => syncStore(store).same(tx, since.seriesId, seen))
}

function removed(context: TurnContext, known: SyncedPage): Visited {
  const now = context.clock.now()
  const goneAt = known.goneAt ?? now
  return short(context, 'removed', known, false, (tx) =>
    keep(context, tx, { ...known, goneAt, seenAt: now, marks: undefined, absences: 0, unread: 0 }),
  )
}

function short(
  { store, clock, page, job: { teamId, keyId } }: TurnContext,
  change: Change,
  { url }: SyncedPage,
  quiet: boolean,
  write: (tx: Tx) => Promise<void>,
): Visited {
  const id = newId(clock.now())
  const statusCode = change === 'removed' ? 404 : 200
  const overlay = { sourceURL: page.url, url, statusCode, scrapeId: id, creditsUsed: 0, concurrencyLimited: false }
  const record: NewRecord = {
    scrape: {
      id,
      teamId,
      keyId,
      url: page.url,
      options: null,
      overlay,
      explain: null,
      credits: 0,
      lifeMs: RESULT_LIFE_MS,
    },
    document: { digestKey: `${change} ${id}`, body: pack({ change, metadata: {} }) },
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

function continued(before: SyncedPage, fresh: SyncedPage, isChanged: boolean): Partial<SyncedPage> {
  const { firstAt, listedAt, listedBy, depth, prints, changedAt } = before
  if (!isChanged) return { firstAt, listedAt, listedBy, depth, prints, changedAt }
  // A text that changed under the same validators shows that they mean nothing here.
  const { body, ...validators } = fresh.marks ?? {}
  const { body: _, ...earlier } = before.marks ?? {}
  const isTrue = JSON.stringify(validators) !== JSON.stringify(earlier)
  return { firstAt, listedAt, listedBy, depth, marks: isTrue || body === undefined ? fresh.marks : { body } }
}

/** A page without text is compared by what was made of it. */
const printsOf = ({ prints, record }: Scraped): PagePrints =>
  prints ?? textPrints(record && 'body' in record.document ? Buffer.from(record.document.body).toString('latin1') : '')

const mostUnread = (key: string): number =>
  LEAST_UNREAD + (createHash('sha256').update(key).digest().readUInt32BE(0) % UNREAD_SPREAD)

/** The page failed: it is neither changed nor removed. */
const answered = (status: number): Problem =>
  new Problem(status >= 500 ? 'site_failed' : 'unprocessable', { because: `the site answered ${status}` })

/** Writes `change` into a document, which no other request may get from the cache. */
function marked(
  { visited, scraped: { json, record, id } }: PageVisit,
  change: Change,
  store: Store,
  write: (tx: Tx) => Promise<void>,
): Visited {
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
