// Checks one watched page: visit, compare with the stored version, visit again before a change counts, judge it by the
// goal, and end the page in one transaction. An error is the page's outcome, never a change.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { DAY_MS } from '../../base/clock.ts'
import { problemOfAbort } from '../../base/deadline.ts'
import { asProblem, Problem } from '../../base/problem.ts'
import type { CacheValidators } from '../../base/visit-and-capture-types.ts'
import type { ScrapedPage } from '../../scrape/scrape.ts'
import type { ScrapeOptions } from '../../scrape/scrape-options.ts'
import type { WatchCheckReply } from '../../scrape/workshop/evaluate-watched-page.ts'
import { newId } from '../../store/id.ts'
import { type ComparedValues, compareJson } from '../../understanding/changes/compare-json.ts'
import {
  detectPageChange,
  haveSameValidators,
  maxUnreadOf,
  type PageReading,
} from '../../understanding/changes/detect-page-change.ts'
import type { NoiseMemory } from '../../understanding/changes/learnt-noise.ts'
import type { Citation, MonitorRules } from '../../understanding/changes/monitor-rules.ts'
import { judgeChange } from './judge-change.ts'
import { type HandlerServices, JUDGE_PRICE } from './own-services.ts'
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
  parts: HandlerServices
  monitor: Monitor
  check: Check
  targetId: string
  url: string
  options: Partial<ScrapeOptions> | undefined
  /** Words cited from the page. */
  quotes?: readonly string[] | undefined
  plan: string
  signal: AbortSignal
}

interface PageCheck extends PageWork {
  place: WatchedPageKey
  before: WatchedPage | undefined
}

const NOT_MODIFIED = 304
const MAX_LOOK_BYTES = 16 * 1024 * 1024
const TRIES = 2
const RETRY_MS = 1_000
const MAX_KEPT_TEXT = 500_000

/** A reading of the page by the monitor's own visit, or by the crawl of a site. */
interface WatchedReading extends PageReading {
  scrapeId: string | null
  /** Text and lines as JSON. */
  pageText?: Buffer | undefined
  title?: unknown
  /** Values; `isExact`: without a model, so that they never differ by chance. */
  data?: { key: string; value: unknown; isExact: boolean } | undefined
  marks?: CacheValidators | undefined
  credits: number
  record?: ScrapedPage['record']
  /** The comparison, where the visit made it already. */
  watched?: WatchCheckReply | undefined
}

interface PageCheckOutcome {
  status: NewCheckPage['status']
  error?: string
  reading?: WatchedReading
  watched?: WatchCheckReply | undefined
  json?: ComparedValues | undefined
  known?: WatchedPage
  texts?: Uint8Array
  note?: Record<string, unknown>
}

/** A page with its stored version. */
export async function openPageCheck(work: PageWork): Promise<PageCheck> {
  const place = { monitorId: work.monitor.id, targetId: work.targetId, url: work.url }
  return { ...work, place, before: await monitorStore(work.parts.store).checks.watched(place) }
}

export async function checkWatchedPage(work: PageWork): Promise<void> {
  const page = await openPageCheck(work)
  await storePageCheckOutcome(page, await checkPage(page))
}

async function checkPage(page: PageCheck): Promise<PageCheckOutcome> {
  const { parts, signal } = page
  const again = async () => {
    await sleep(parts.monitoring.confirmMs, undefined, { signal }).catch(() => undefined)
    try {
      return await visitPage(page)
    } catch (error) {
      if (signal.aborted) throw error
      return undefined
    }
  }
  try {
    return await compareReading(page, await visitPage(page, marksIn(page)), watchOf(page).confirm ? again : undefined)
  } catch (error) {
    if (signal.aborted) throw problemOfAbort(signal)
    const problem = asProblem(error)
    // The service failed, not the page: the check is retried.
    if (problem.kind === 'unavailable' || problem.kind === 'too_busy') throw problem
    return { status: 'error', error: problem.message }
  }
}

function watchOf({ monitor, quotes }: PageWork): Omit<WatchOption, 'alertWhen'> & Pick<MonitorRules, 'alertWhen'> {
  const watch = monitor.watch as WatchOption
  return quotes ? { ...watch, alertWhen: quotes.map((text) => ({ type: 'cites', text })) } : watch
}

/** A page that is gone says nothing any more; one that could not be read may still say everything. */
const citationsOf = ({ quotes }: PageWork, { known, watched }: PageCheckOutcome): Citation[] | undefined =>
  quotes && (known?.state === 'gone' ? quotes.map((quote) => ({ quote, found: false })) : watched?.citations)

async function visitPage(page: PageCheck, marks?: CacheValidators): Promise<WatchedReading> {
  const { parts, monitor, url, options, plan, before, signal } = page
  const kept = before?.state === 'here' ? before.body : null
  for (let tries = 1; ; tries++) {
    let watched: WatchCheckReply | undefined
    try {
      const seen = await visitWatchedPage(
        parts,
        {
          owner: { teamId: monitor.teamId, keyId: monitor.keyId },
          ...{ plan, url, options, watch: watchOf(page), marks },
          picturesMs: monitor.retentionDays * DAY_MS,
          async wantsData(pageText, isExact, stop) {
            if (!kept || isExact) return true
            watched = await compareTexts(page, { previous: await gunzipBounded(kept), current: pageText }, stop)
            return watched.changed
          },
        },
        signal,
      )
      if (kept && seen.pageText && seen.status < 400)
        watched ??= await compareTexts(page, { previous: await gunzipBounded(kept), current: seen.pageText })
      return readingOf(seen, watched)
    } catch (error) {
      const problem = asProblem(error)
      if (signal.aborted || !problem.row.retry || tries >= TRIES || problem.kind === 'unavailable') throw problem
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

const compareTexts = (
  page: PageCheck,
  pages: { previous: Uint8Array; current: Uint8Array; confirm?: Uint8Array },
  signal = page.signal,
): Promise<WatchCheckReply> => {
  const { only: _, ignoreSelectors: __, confirm: ___, adaptive: ____, ...rules } = watchOf(page)
  const memory = page.before?.memory ? (JSON.parse(page.before.memory) as NoiseMemory) : undefined
  return page.parts.monitoring.comparePages({ ...pages, memory, rules }, signal)
}

function readingOf(
  { scraped, pageText, textBytes, data, status }: WatchedPageVisit,
  watched?: WatchCheckReply,
): WatchedReading {
  const problem = pageText
    ? pageText.byteLength > MAX_LOOK_BYTES
      ? 'the page is too large to be compared'
      : undefined
    : 'the page has no text to compare'
  return {
    ...{ status, chars: textBytes, isUnchanged: status === NOT_MODIFIED, problem, pageText, watched },
    data: data && { ...data, isExact: true },
    scrapeId: scraped.record ? scraped.id : null,
    title: scraped.document().metadata.title,
    ...{ marks: scraped.answered.marks, credits: scraped.credits, record: scraped.record },
  }
}

export async function compareReading(
  page: PageCheck,
  first: WatchedReading,
  again?: () => Promise<WatchedReading | undefined>,
): Promise<PageCheckOutcome> {
  const { before } = page
  const modes = comparisonModesOf(page.options)
  const kept = before?.state === 'here' ? before.body : null
  const previous = kept ? await gunzipBounded(kept) : Buffer.alloc(0)
  let watched: WatchCheckReply | undefined
  const found = await detectPageChange<WatchedReading>({
    first,
    again,
    known: before && { isHere: before.state === 'here' && kept !== null, chars: previous.byteLength },
    async differs({ pageText, watched: done }, second) {
      const pages = { previous, current: pageText!, ...(second ? { confirm: second.pageText! } : {}) }
      watched = !second && done ? done : await compareTexts(page, pages)
      return watched.changed && modes.text
    },
  })
  const { reading } = found
  if (found.change === 'failed') return { status: 'error', reading, error: capitalise(found.because) }
  const withoutText = outcomeWithoutText(page, found.change, reading)
  if (withoutText) return withoutText
  const marks = keptMarks(page, reading)
  if (found.change === 'new') {
    const current = reading.pageText!
    const known = { ...(await toWatchedPage(page, reading, undefined, current)), marks }
    // With nothing to compare it with, the page is compared with itself, for its citations.
    const own = page.quotes && (await compareTexts({ ...page, before: undefined }, { previous: current, current }))
    return { status: 'new', reading, known, watched: own }
  }
  if (!before || !watched) throw new Problem('internal')
  const hasData = modes.json && (watched.changed || reading.data?.isExact === true)
  const json = hasData ? jsonChanges(before, reading) : undefined
  const isChanged = found.change === 'changed' || Object.keys(json ?? {}).length > 0
  const current = reading.pageText!
  const now = { previous, current, confirm: found.second?.pageText || current }[watched.keep]
  const known = {
    ...(await toWatchedPage(page, reading, watched, now)),
    // Validators (ETag, Last-Modified) are stored only if they belong to the stored version.
    marks: now === current && !found.second ? keepBelievableMarks(marks, before, isChanged) : null,
  }
  if (!isChanged)
    // An unchanged page stores nothing new and keeps the earlier scrape.
    return {
      status: 'same',
      reading,
      watched,
      known: { ...known, scrapeId: before.scrapeId, changedAt: before.changedAt },
    }
  const pair = ['[', limitText(previous), ',', limitText(current), ']'].map((part) => Buffer.from(part))
  return { status: 'changed', reading, watched, json, known, texts: await gzipBytes(Buffer.concat(pair)) }
}

function outcomeWithoutText(
  { before, parts: { clock } }: PageCheck,
  change: string,
  reading: WatchedReading,
): PageCheckOutcome | undefined {
  if (!before) return undefined
  const now = clock.now()
  if (change === 'removed') {
    const gone = { ...before, state: 'gone' as const, seenAt: now }
    return before.state === 'gone'
      ? { status: 'same', reading, known: gone, note: { stillRemoved: true } }
      : { status: 'removed', reading, known: { ...gone, changedAt: now } }
  }
  if (!reading.isUnchanged) return undefined
  return { status: 'same', reading, known: countUnread(before, now), note: { notModified: true } }
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

interface KeptMarks extends CacheValidators {
  /** Of the options of the visit: other options may read another part of the page. */
  for: string
  /** Checks in a row that were answered with "unchanged". */
  unread?: number
  /** They stayed the same over a change, so they are not asked about again. */
  untrue?: true
}

const marksOf = (page: WatchedPage | undefined): KeptMarks | null => (page?.marks ?? null) as KeptMarks | null

function countUnread(before: WatchedPage, seenAt: number): WatchedPage {
  const marks = marksOf(before)
  return { ...before, seenAt, marks: marks && { ...marks, unread: (marks.unread ?? 0) + 1 } }
}

function keepBelievableMarks(marks: KeptMarks | null, page: WatchedPage, isChanged: boolean): KeptMarks | null {
  const before = marksOf(page)
  if (!marks || before?.for !== marks.for) return marks
  const isUntrue = before.untrue || (isChanged && haveSameValidators(before, marks))
  return isUntrue ? { ...marks, untrue: true } : marks
}

const keptMarks = (work: PageWork, { marks }: WatchedReading): KeptMarks | null =>
  marks ? { ...marks, for: optionsHashOf(work) } : null

/** The whole page is read now and then, whatever the site answers. */
function marksIn(page: PageCheck): CacheValidators | undefined {
  const { before, url } = page
  const marks = marksOf(before)
  if (before?.state !== 'here' || !before.body || !marks) return undefined
  const { for: options, unread = 0, untrue, ...validators } = marks
  return options === optionsHashOf(page) && !untrue && unread < maxUnreadOf(url) ? validators : undefined
}

const optionsHashOf = (work: PageWork): string =>
  createHash('sha256')
    .update(JSON.stringify([work.options ?? null, watchOf(work)]))
    .digest('base64url')
    .slice(0, 22)

const limitText = (pageText: Buffer): Buffer => (pageText.byteLength > MAX_KEPT_TEXT ? Buffer.from('null') : pageText)

function jsonChanges(before: WatchedPage, { data }: WatchedReading): ComparedValues {
  const was = before.data === null ? undefined : (JSON.parse(before.data) as { key: string; value: unknown })
  return data && was && was.key === data.key ? compareJson(was.value, data.value) : {}
}

async function toWatchedPage(
  { before, parts: { clock } }: PageCheck,
  { scrapeId, data }: WatchedReading,
  watched: WatchCheckReply | undefined,
  pageText: Uint8Array,
): Promise<WatchedPage> {
  return {
    state: 'here',
    scrapeId,
    seenAt: clock.now(),
    changedAt: clock.now(),
    marks: null,
    body: await gzipBytes(pageText),
    data: data ? JSON.stringify({ key: data.key, value: data.value }) : (before?.data ?? null),
    memory: watched ? JSON.stringify(watched.memory) : (before?.memory ?? null),
  }
}

export async function storePageCheckOutcome(work: PageCheck, outcome: PageCheckOutcome): Promise<void> {
  const { parts, monitor, check, place, before } = work
  const { store, clock } = parts
  const { status, reading, watched, json, known } = outcome
  const modes = comparisonModesOf(work.options)
  const judgment = await judge(work, outcome)
  const credits = (status === 'error' ? 0 : (reading?.credits ?? 0)) + (judgment ? JUDGE_PRICE : 0)
  const keepsScrape = status === 'new' || status === 'changed'
  const page: NewCheckPage = {
    id: newId(clock.now()),
    checkId: check.id,
    ...place,
    status,
    previousScrapeId: before?.scrapeId ?? null,
    currentScrapeId: keepsScrape ? (known?.scrapeId ?? null) : status === 'same' ? (before?.scrapeId ?? null) : null,
    statusCode: reading?.status ?? null,
    credits,
    error: outcome.error ?? null,
    metadata: metadataOf(work, outcome, credits),
    judgment,
    diff: status === 'changed' ? diffOf(modes, watched, json) : null,
    snapshot: modes.json && known?.data ? { json: (JSON.parse(known.data) as { value: unknown }).value } : null,
    suppressed: watched && watched.suppressed.length > 0 ? watched.suppressed : null,
    texts: outcome.texts ?? null,
  }
  await store.transaction(async (tx) => {
    if (!(await monitorStore(store).checks.addPage(tx, page))) return
    const record = keepsScrape ? reading?.record : undefined
    if (record) {
      const lifeMs = monitor.retentionDays * DAY_MS
      await store.pages.record(tx, { ...record, scrape: { ...record.scrape, lifeMs } })
    }
    if (known) await monitorStore(store).checks.keep(tx, place, known)
    await queuePageWebhook(parts, tx, monitor, page)
  })
}

/** By the goal of the monitor, where it has one. */
async function judge(
  { parts: { llm }, monitor: { goal, judgeEnabled }, signal }: PageCheck,
  { status, watched, json }: PageCheckOutcome,
): Promise<NewCheckPage['judgment']> {
  if (status !== 'changed' || !judgeEnabled || !goal) return null
  const { changes = [], met = [], diff } = watched ?? {}
  return judgeChange(llm, { goal, changes, met, json, diff: diff?.text ?? '' }, signal)
}

function metadataOf(work: PageWork, outcome: PageCheckOutcome, creditsUsed: number): NewCheckPage['metadata'] {
  const { status, reading, watched, note } = outcome
  const title = reading?.title
  const citations = citationsOf(work, outcome)
  return {
    ...(typeof title === 'string' ? { title } : {}),
    creditsUsed,
    ...(watched && watched.met.length > 0 ? { met: watched.met } : {}),
    ...(watched && status === 'changed' ? { changes: watched.changes.slice(0, 20) } : {}),
    ...(citations ? { citations } : {}),
    ...note,
  }
}

function diffOf(
  modes: ComparisonModes,
  watched: WatchCheckReply | undefined,
  json: ComparedValues | undefined,
): object {
  if (!modes.json) return watched?.diff ?? { text: '', json: { files: [] } }
  return modes.text ? { text: watched?.diff?.text ?? '', json: json ?? {} } : { json: json ?? {} }
}

const gzipBytes = promisify<Uint8Array, Buffer>(gzip)
const unzip = promisify(gunzip) as (bytes: Uint8Array, limits: { maxOutputLength: number }) => Promise<Buffer>
const gunzipBounded = (body: Uint8Array): Promise<Buffer> => unzip(body, { maxOutputLength: 2 * MAX_LOOK_BYTES })
