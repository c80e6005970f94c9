// Checks one watched page: visit, compare with the stored version, visit again before a change counts, judge it by the
// goal, and end the page in one transaction. An error is the page's outcome, never a change.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { DAY_MS, problemOfAbort } from '../../base/clock.ts'
import { asProblem, Problem } from '../../base/problem.ts'
import type { CacheValidators } from '../../base/visit-and-capture-types.ts'
import type { ScrapeOptions } from '../../scrape/scrape-options.ts'
import type { WatchCheckReply } from '../../scrape/workshop/evaluate-watched-page.ts'
import { newId } from '../../store/id.ts'
import { type ComparedValues, compareJson } from '../../understanding/changes/compare-json.ts'
import type { NoiseMemory } from '../../understanding/changes/learnt-noise.ts'
import { judgeChange } from './judge-change.ts'
import { JUDGE_PRICE } from './monitor-service-types.ts'
import type { MonitorParts } from './needs.ts'
import { queuePageWebhook } from './queue-monitor-webhooks.ts'
import type { WatchOption } from './schema.ts'
import type { NewCheckPage, WatchedPage, WatchedPageKey } from './store/check-pages-and-watched-pages.ts'
import type { Check } from './store/checks.ts'
import { monitorStore } from './store/index.ts'
import type { Monitor } from './store/monitors.ts'
import {
  type ComparisonModes,
  comparisonModesOf,
  visitWatchedPage,
  type WatchedPageVisit,
} from './visit-watched-page.ts'

interface PageWork {
  monitor: Monitor
  check: Check
  targetId: string
  url: string
  options: Partial<ScrapeOptions> | undefined
  plan: string
}

const GONE = new Set([404, 410])
const NOT_MODIFIED = 304
const MAX_LOOK_BYTES = 16 * 1024 * 1024
const TRIES = 2
const RETRY_MS = 1_000
/** A page that had more text than this and now has hardly any did not load. */
const MIN_EARLIER_TEXT_BYTES = 400
const MAX_EMPTY_TEXT_BYTES = 40
const MAX_KEPT_TEXT = 500_000

export interface PageCheckOutcome {
  status: NewCheckPage['status']
  error?: string
  statusCode?: number | null
  check?: WatchedPageVisit
  watched?: WatchCheckReply
  json?: ComparedValues
  known?: WatchedPage
  texts?: Uint8Array
  note?: Record<string, unknown>
}

export async function checkWatchedPage(parts: MonitorParts, work: PageWork, signal: AbortSignal): Promise<void> {
  const place: WatchedPageKey = { monitorId: work.monitor.id, targetId: work.targetId, url: work.url }
  const before = await monitorStore(parts.store).checks.watched(place)
  const outcome = await looked(parts, work, before, signal)
  await storePageCheckOutcome(parts, work, place, before, outcome, signal)
}

async function looked(
  parts: MonitorParts,
  work: PageWork,
  before: WatchedPage | undefined,
  signal: AbortSignal,
): Promise<PageCheckOutcome> {
  try {
    const first = await visited(parts, work, before, signal, marksIn(before, work))
    if (first.check.status === NOT_MODIFIED && before) return unmodified(first.check)
    const isGone = GONE.has(first.check.status)
    if (isGone && before?.state === 'here' && watchOf(work).confirm) {
      // A replica behind a load balancer may not have the page yet or any more.
      const again = await later(parts, work, before, signal)
      return again && !GONE.has(again.check.status)
        ? compared(parts, work, before, again, signal)
        : gone(parts, before, first.check)
    }
    if (isGone && before) return gone(parts, before, first.check)
    return await compared(parts, work, before, first, signal)
  } catch (error) {
    if (signal.aborted) throw problemOfAbort(signal)
    const problem = asProblem(error)
    // The service failed, not the page: the check is retried.
    if (problem.kind === 'unavailable' || problem.kind === 'too_busy') throw problem
    return { status: 'error', error: problem.message }
  }
}

const watchOf = ({ monitor }: PageWork): WatchOption => monitor.watch as WatchOption

interface Visited {
  check: WatchedPageVisit
  watched: WatchCheckReply | undefined
}

async function visited(
  parts: MonitorParts,
  work: PageWork,
  before: WatchedPage | undefined,
  signal: AbortSignal,
  marks?: CacheValidators,
): Promise<Visited> {
  const { monitor, url, options, plan } = work
  const kept = before?.state === 'here' ? before.body : null
  for (let tries = 1; ; tries++) {
    let watched: WatchCheckReply | undefined
    try {
      const seen = await visitWatchedPage(
        parts,
        {
          owner: { teamId: monitor.teamId, keyId: monitor.keyId },
          ...{ plan, url, options, watch: watchOf(work), marks },
          picturesMs: monitor.retentionDays * DAY_MS,
          async wantsData(pageText, isExact, stop) {
            if (!kept || isExact) return true
            watched = await held(parts, work, before, { previous: await gunzipBounded(kept), current: pageText }, stop)
            return watched.changed
          },
        },
        signal,
      )
      if (kept && seen.pageText && seen.status < 400)
        watched ??= await held(
          parts,
          work,
          before,
          { previous: await gunzipBounded(kept), current: seen.pageText },
          signal,
        )
      return { check: seen, watched }
    } catch (error) {
      const problem = asProblem(error)
      if (signal.aborted || !problem.row.retry || tries >= TRIES || problem.kind === 'unavailable') throw problem
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

const held = (
  { monitoring }: MonitorParts,
  work: PageWork,
  before: WatchedPage | undefined,
  pages: { previous: Uint8Array; current: Uint8Array; confirm?: Uint8Array },
  signal: AbortSignal,
): Promise<WatchCheckReply> => {
  const { only: _, ignoreSelectors: __, confirm: ___, adaptive: ____, ...rules } = watchOf(work)
  return monitoring.comparePages({ ...pages, memory: memoryIn(before), rules }, signal)
}

const memoryIn = (before: WatchedPage | undefined): NoiseMemory | undefined =>
  before?.memory ? (JSON.parse(before.memory) as NoiseMemory) : undefined

async function later(
  parts: MonitorParts,
  work: PageWork,
  before: WatchedPage | undefined,
  signal: AbortSignal,
): Promise<Visited | undefined> {
  await sleep(parts.monitoring.confirmMs, undefined, { signal }).catch(() => undefined)
  try {
    return await visited(parts, work, before, signal)
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
}

async function compared(
  parts: MonitorParts,
  work: PageWork,
  before: WatchedPage | undefined,
  first: Visited,
  signal: AbortSignal,
): Promise<PageCheckOutcome> {
  const { check: seen } = first
  const statusCode = seen.status
  if (statusCode >= 400) return { status: 'error', statusCode, error: `The site answered ${statusCode}`, check: seen }
  if (!seen.pageText) return { status: 'error', statusCode, error: 'The page has no text to compare', check: seen }
  if (seen.pageText.byteLength > MAX_LOOK_BYTES)
    return { status: 'error', statusCode, error: 'The page is too large to be compared', check: seen }
  const modes = comparisonModesOf(work.options)
  if (!before || before.state === 'gone' || !before.body)
    return {
      status: 'new',
      statusCode,
      check: seen,
      known: { ...(await fresh(parts, seen, before, undefined, seen.pageText)), marks: keptMarks(work, seen) },
    }
  const previous = await gunzipBounded(before.body)
  if (previous.byteLength > MIN_EARLIER_TEXT_BYTES && seen.textBytes < MAX_EMPTY_TEXT_BYTES)
    return { status: 'error', statusCode, error: 'The page came back empty', check: seen }
  let { watched } = first
  if (!watched) throw new Problem('internal')
  let confirm: Buffer | undefined
  if (watched.changed && modes.text && watchOf(work).confirm) {
    const again = await later(parts, work, before, signal)
    if (
      !again?.check.pageText ||
      again.check.status >= 400 ||
      again.check.textBytes < Math.min(MAX_EMPTY_TEXT_BYTES, seen.textBytes / 2)
    )
      return {
        status: 'error',
        statusCode,
        error: 'A change was seen, and the page could not be looked at again to confirm it',
        check: seen,
      }
    confirm = again.check.pageText
    watched = await held(parts, work, before, { previous, current: seen.pageText, confirm }, signal)
  }
  const json = modes.json ? jsonChanges(before, seen, watched) : undefined
  const isChanged = (modes.text && watched.changed) || (json !== undefined && Object.keys(json).length > 0)
  const kept = watched.keep === 'previous' ? previous : watched.keep === 'confirm' && confirm ? confirm : seen.pageText
  // Validators (ETag, Last-Modified) are stored only if they belong to the stored version.
  const marks = kept === seen.pageText && !confirm ? keptMarks(work, seen) : null
  const known = { ...(await fresh(parts, seen, before, watched, kept)), marks }
  if (!isChanged) {
    // An unchanged page stores nothing new and keeps the earlier scrape.
    return {
      status: 'same',
      statusCode,
      check: seen,
      watched,
      known: { ...known, scrapeId: before.scrapeId, changedAt: before.changedAt },
    }
  }
  const texts = await gzipBytes(
    Buffer.concat([Buffer.from('['), bounded(previous), Buffer.from(','), bounded(seen.pageText), Buffer.from(']')]),
  )
  return { status: 'changed', statusCode, check: seen, watched, ...(json ? { json } : {}), known, texts }
}

const unmodified = (seen: WatchedPageVisit): PageCheckOutcome => ({
  status: 'same',
  statusCode: seen.status,
  check: seen,
  note: { notModified: true },
})

/** Validators, bound to the options of the visit: other options may read another part of the page. */
const keptMarks = (work: PageWork, { scraped }: WatchedPageVisit) =>
  scraped.answered.marks ? { ...scraped.answered.marks, for: readingOf(work) } : null

function marksIn(before: WatchedPage | undefined, work: PageWork): CacheValidators | undefined {
  if (before?.state !== 'here' || !before.body || !before.marks) return undefined
  const { for: reading, ...marks } = before.marks as CacheValidators & { for?: string }
  return reading === readingOf(work) ? marks : undefined
}

const readingOf = (work: PageWork): string =>
  createHash('sha256')
    .update(JSON.stringify([work.options ?? null, watchOf(work)]))
    .digest('base64url')
    .slice(0, 22)

const bounded = (pageText: Buffer): Buffer => (pageText.byteLength > MAX_KEPT_TEXT ? Buffer.from('null') : pageText)

function jsonChanges(before: WatchedPage, seen: WatchedPageVisit, watched: WatchCheckReply): ComparedValues {
  const was = before.data === null ? undefined : (JSON.parse(before.data) as { key: string; value: unknown })
  if (!seen.data || !was || was.key !== seen.data.key) return {}
  const changed = compareJson(was.value, seen.data.value)
  return watched || Object.keys(changed).length > 0 ? changed : {}
}

async function fresh(
  { clock }: MonitorParts,
  seen: WatchedPageVisit,
  before: WatchedPage | undefined,
  watched: WatchCheckReply | undefined,
  pageText: Uint8Array,
): Promise<WatchedPage> {
  return {
    state: 'here',
    scrapeId: seen.scraped.record ? seen.scraped.id : null,
    seenAt: clock.now(),
    changedAt: clock.now(),
    marks: null,
    body: await gzipBytes(pageText),
    data: seen.data ? JSON.stringify(seen.data) : (before?.data ?? null),
    memory: watched ? JSON.stringify(watched.memory) : (before?.memory ?? null),
  }
}

function gone({ clock }: MonitorParts, before: WatchedPage, seen: WatchedPageVisit): PageCheckOutcome {
  const known: WatchedPage = { ...before, state: 'gone', seenAt: clock.now() }
  const statusCode = seen.status
  return before.state === 'gone'
    ? { status: 'same', statusCode, known, note: { stillRemoved: true } }
    : { status: 'removed', statusCode, known: { ...known, changedAt: clock.now() } }
}

export async function storePageCheckOutcome(
  parts: MonitorParts,
  work: PageWork,
  place: WatchedPageKey,
  before: WatchedPage | undefined,
  outcome: PageCheckOutcome,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = parts
  const { monitor, check } = work
  const { status, check: seen, watched, json, known } = outcome
  const modes = comparisonModesOf(work.options)
  const wantsJudge = status === 'changed' && monitor.judgeEnabled && monitor.goal !== null && monitor.goal !== ''
  const judgment = wantsJudge
    ? await judgeChange(
        parts.llm,
        {
          goal: monitor.goal!,
          changes: watched?.changes ?? [],
          met: watched?.met ?? [],
          json,
          diff: watched?.diff?.text ?? '',
        },
        signal,
      )
    : null
  const title = seen?.scraped.document().metadata.title
  const credits = (status === 'error' ? 0 : (seen?.scraped.credits ?? 0)) + (judgment ? JUDGE_PRICE : 0)
  const keepsScrape = status === 'new' || status === 'changed'
  const page: NewCheckPage = {
    id: newId(clock.now()),
    checkId: check.id,
    ...place,
    status,
    previousScrapeId: before?.scrapeId ?? null,
    currentScrapeId: keepsScrape ? (known?.scrapeId ?? null) : status === 'same' ? (before?.scrapeId ?? null) : null,
    statusCode: outcome.statusCode ?? null,
    credits,
    error: outcome.error ?? null,
    metadata: {
      ...(typeof title === 'string' ? { title } : {}),
      creditsUsed: credits,
      ...(watched && watched.met.length > 0 ? { met: watched.met } : {}),
      ...(watched && status === 'changed' ? { changes: watched.changes.slice(0, 20) } : {}),
      ...outcome.note,
    },
    judgment,
    diff: status === 'changed' ? diffOf(modes, watched, json) : null,
    snapshot: modes.json && known?.data ? { json: (JSON.parse(known.data) as { value: unknown }).value } : null,
    suppressed: watched && watched.suppressed.length > 0 ? watched.suppressed : null,
    texts: outcome.texts ?? null,
  }
  await store.transaction(async (tx) => {
    if (!(await monitorStore(store).checks.addPage(tx, page))) return
    const record = keepsScrape ? seen?.scraped.record : undefined
    if (record) {
      const lifeMs = monitor.retentionDays * DAY_MS
      await store.pages.record(tx, { ...record, scrape: { ...record.scrape, lifeMs } })
    }
    if (known) await monitorStore(store).checks.keep(tx, place, known)
    else if (status === 'same') await monitorStore(store).checks.sawAgain(tx, place, clock.now())
    await queuePageWebhook(parts, tx, monitor, page)
  })
}

function diffOf(
  modes: ComparisonModes,
  watched: WatchCheckReply | undefined,
  json: ComparedValues | undefined,
): object {
  if (!modes.json) return watched?.diff ?? { text: '', json: { files: [] } }
  return modes.text ? { text: watched?.diff?.text ?? '', json: json ?? {} } : { json: json ?? {} }
}

export const gzipBytes = promisify<Uint8Array, Buffer>(gzip)
const unzip = promisify(gunzip) as (bytes: Uint8Array, limits: { maxOutputLength: number }) => Promise<Buffer>
export const gunzipBounded = (body: Uint8Array): Promise<Buffer> => unzip(body, { maxOutputLength: 2 * MAX_LOOK_BYTES })
