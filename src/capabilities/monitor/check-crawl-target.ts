// A site as target: a crawl finds the pages, and each document is compared with its stored version.

import { createHash } from 'node:crypto'
import type { Document } from '../../base/visit-and-capture-types.ts'
import { listJobErrors, readDocumentsAfter } from '../../jobs/job-status.ts'
import { newId } from '../../store/id.ts'
import { compareReading, openPageCheck, storePageCheckOutcome } from './check-watched-page.ts'
import type { WatchOption } from './schema.ts'
import { monitorStore } from './store/index.ts'
import { DEFAULT_CRAWL_LIMIT, type StoredTarget } from './stored-monitor.ts'
import type { TargetCheckContext, TargetCheckState } from './target-check-context.ts'
import { comparisonModesOf } from './visit-watched-page.ts'

type CrawlTarget = Extract<StoredTarget, { type: 'crawl' }>

interface FinishedCrawl extends TargetCheckContext {
  target: CrawlTarget
  crawlId: string
  signal: AbortSignal
}

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
  const crawl: FinishedCrawl = { ...work, target, crawlId, signal }
  const seen = await comparePages(crawl)
  const missed = await storeFailedPages(crawl, seen)
  // A crawl that reached its limit proves nothing.
  if (job.pageLimit === null || job.total < job.pageLimit) await storeGonePages(crawl, new Set([...seen, ...missed]))
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

async function comparePages(crawl: FinishedCrawl): Promise<string[]> {
  const { parts, check, target, crawlId } = crawl
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
      const page = await openPage(crawl, url)
      await storePageCheckOutcome(page, await compareReading(page, readingOf(crawl, document)))
    }
  }
}

/** The crawl stored and charged it. */
function readingOf({ parts, target: { scrapeOptions } }: FinishedCrawl, { markdown, metadata, json }: Document) {
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

const openPage = (crawl: FinishedCrawl, url: string) =>
  openPageCheck({ ...crawl, url, targetId: crawl.target.id, options: crawl.target.scrapeOptions })

/** Pages that failed now are neither changed nor gone. */
async function storeFailedPages(crawl: FinishedCrawl, seen: readonly string[]): Promise<string[]> {
  const { errors } = await listJobErrors(crawl.parts.store, crawl.crawlId)
  const known = new Set(seen)
  const missed = errors.filter(({ url }) => !known.has(url))
  for (const { url, error } of missed)
    await storePageCheckOutcome(await openPage(crawl, url), { status: 'error', error })
  return missed.map(({ url }) => url)
}

/** Stored pages that the crawl did not find. */
async function storeGonePages(crawl: FinishedCrawl, met: ReadonlySet<string>): Promise<void> {
  if (met.size === 0) return
  const { parts, monitor, target } = crawl
  for (const url of await monitorStore(parts.store).checks.watchedUrls(monitor.id, target.id)) {
    if (met.has(url)) continue
    const page = await openPage(crawl, url)
    if (!page.before) continue
    const now = parts.clock.now()
    const known = { ...page.before, state: 'gone' as const, seenAt: now, changedAt: now }
    await storePageCheckOutcome(page, { status: 'removed', known })
  }
}
