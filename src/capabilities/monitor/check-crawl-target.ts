// A site as target: a crawl finds the pages, and each document is compared with its stored version.

import { createHash } from 'node:crypto'
import type { Document } from '../../base/visit-and-capture-types.ts'
import { listJobErrors, readDocumentsAfter } from '../../jobs/job-status.ts'
import { newId } from '../../store/id.ts'
import { compareReading, storePageCheckOutcome, type WatchedReading } from './check-watched-page.ts'
import type { WatchOption } from './schema.ts'
import type { WatchedPageKey } from './store/check-pages-and-watched-pages.ts'
import { monitorStore } from './store/index.ts'
import { DEFAULT_CRAWL_LIMIT, type StoredTarget } from './stored-monitor.ts'
import type { TargetCheckContext, TargetCheckState } from './target-check-context.ts'
import { comparisonModesOf } from './visit-watched-page.ts'

type CrawlTarget = Extract<StoredTarget, { type: 'crawl' }>

const PAGE = 50

export async function checkCrawlTarget(
  work: TargetCheckContext,
  target: CrawlTarget,
  signal: AbortSignal,
): Promise<TargetCheckState> {
  const { parts, monitor, check, state } = work
  const crawlId = typeof state.crawlId === 'string' ? state.crawlId : idFor(check.id, target.id, check.createdAt)
  if (typeof state.crawlId !== 'string') {
    await parts.startCrawl({ teamId: monitor.teamId, keyId: monitor.keyId }, crawlId, crawlBody(work, target), signal)
    return { ...state, crawlId }
  }
  const job = await parts.store.jobs.get(crawlId)
  if (!job) return { ...state, done: true, error: 'The crawl is gone' }
  if (job.state === 'scraping') return state
  const nextState = { ...state, done: true, crawlCredits: job.credits }
  if (job.state !== 'completed') return { ...nextState, error: job.error ?? `The crawl was ${job.state}` }
  const seen = await comparePages(work, target, crawlId, signal)
  const missed = await failedPages(work, target, crawlId, seen, signal)
  await goneAway(
    work,
    target,
    new Set([...seen, ...missed]),
    job.pageLimit !== null && job.total >= job.pageLimit,
    signal,
  )
  return nextState
}

/** The crawl's id derives from check and target, so that a resumed check uses the same crawl. */
function idFor(checkId: string, targetId: string, at: number): string {
  const hash = createHash('sha256').update(`${checkId} ${targetId}`).digest('hex')
  const made = newId(at)
  return `${made.slice(0, 15)}${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

function crawlBody({ monitor }: TargetCheckContext, { url, crawlOptions, scrapeOptions }: CrawlTarget): object {
  const watch = monitor.watch as WatchOption
  const formats = scrapeOptions?.formats ?? [{ type: 'markdown' }]
  const track = formats.find(({ type }) => type === 'changeTracking')
  const { json: wantsJson } = comparisonModesOf(scrapeOptions)
  const json = wantsJson
    ? [
        {
          type: 'json',
          ...(track?.schema ? { schema: track.schema } : {}),
          ...(track?.prompt ? { prompt: track.prompt } : {}),
          ...(track?.extractor ? { extractor: track.extractor } : {}),
        },
      ]
    : []
  const others = formats.filter(({ type }) => type !== 'changeTracking' && !(wantsJson && type === 'json'))
  return {
    url,
    limit: DEFAULT_CRAWL_LIMIT,
    ...crawlOptions,
    scrapeOptions: {
      ...scrapeOptions,
      formats: [...others, ...json],
      maxAge: 0,
      ...(watch.only.length > 0 ? { includeTags: [...(scrapeOptions?.includeTags ?? []), ...watch.only] } : {}),
      ...(watch.ignoreSelectors.length > 0
        ? { excludeTags: [...(scrapeOptions?.excludeTags ?? []), ...watch.ignoreSelectors] }
        : {}),
    },
  }
}

async function comparePages(
  work: TargetCheckContext,
  target: CrawlTarget,
  crawlId: string,
  signal: AbortSignal,
): Promise<string[]> {
  const { parts, monitor, check } = work
  const ended = await monitorStore(parts.store).checks.ended(check.id, target.id)
  const urls: string[] = []
  for (let skip = 0; ; ) {
    const { count, texts } = await readDocumentsAfter(parts.store, crawlId, skip, PAGE)
    if (count === 0) return urls
    skip += count
    for (const text of texts) {
      const document = JSON.parse(text) as Document
      const url = String(document.metadata.sourceURL ?? document.metadata.url)
      urls.push(url)
      if (ended.has(url)) continue
      const place: WatchedPageKey = { monitorId: monitor.id, targetId: target.id, url }
      const before = await monitorStore(parts.store).checks.watched(place)
      const page = pageWork(work, target, url)
      const outcome = await compareReading(parts, page, before, readingOf(work, target, document), signal)
      await storePageCheckOutcome(parts, page, place, before, outcome, signal)
    }
  }
}

/** The crawl stored and charged it. */
function readingOf(
  { parts }: TargetCheckContext,
  { scrapeOptions }: CrawlTarget,
  { markdown, metadata, json }: Document,
): WatchedReading {
  const text = typeof markdown === 'string' ? markdown : undefined
  const extractor = scrapeOptions?.formats?.find(({ type }) => type === 'changeTracking')?.extractor
  const isExact = extractor !== undefined || parts.llm.by === 'extractive'
  const isMisfit = extractor !== undefined && json === null
  return {
    ...{ status: Number(metadata.statusCode ?? 200), isUnchanged: false, credits: 0, title: metadata.title },
    scrapeId: String(metadata.scrapeId ?? '') || null,
    chars: text?.length ?? 0,
    ...(text === undefined
      ? { problem: 'the page has no text to compare' }
      : { pageText: Buffer.from(JSON.stringify({ text, lines: [] })) }),
    ...(comparisonModesOf(scrapeOptions).json && !isMisfit
      ? { data: { key: 'crawl', value: json ?? null, isExact } }
      : {}),
  }
}

const pageWork = ({ monitor, check, plan }: TargetCheckContext, target: CrawlTarget, url: string) => ({
  ...{ monitor, check, plan, url },
  targetId: target.id,
  options: target.scrapeOptions,
})

/** Pages that failed now are neither changed nor gone. */
async function failedPages(
  work: TargetCheckContext,
  target: CrawlTarget,
  crawlId: string,
  seen: readonly string[],
  signal: AbortSignal,
) {
  const { parts, monitor } = work
  const { errors } = await listJobErrors(parts.store, crawlId)
  const known = new Set(seen)
  const missed = errors.filter(({ url }) => !known.has(url))
  for (const { url, error } of missed) {
    const place: WatchedPageKey = { monitorId: monitor.id, targetId: target.id, url }
    const before = await monitorStore(parts.store).checks.watched(place)
    await storePageCheckOutcome(parts, pageWork(work, target, url), place, before, { status: 'error', error }, signal)
  }
  return missed.map(({ url }) => url)
}

/** Stored pages that the crawl did not find. A crawl that reached its limit proves nothing. */
async function goneAway(
  work: TargetCheckContext,
  target: CrawlTarget,
  met: ReadonlySet<string>,
  wasCut: boolean,
  signal: AbortSignal,
) {
  if (wasCut || met.size === 0) return
  const { parts, monitor } = work
  for (const url of await monitorStore(parts.store).checks.watchedUrls(monitor.id, target.id)) {
    if (met.has(url)) continue
    const place: WatchedPageKey = { monitorId: monitor.id, targetId: target.id, url }
    const before = await monitorStore(parts.store).checks.watched(place)
    if (!before) continue
    const now = parts.clock.now()
    const known = { ...before, state: 'gone' as const, seenAt: now, changedAt: now }
    await storePageCheckOutcome(parts, pageWork(work, target, url), place, before, { status: 'removed', known }, signal)
  }
}
