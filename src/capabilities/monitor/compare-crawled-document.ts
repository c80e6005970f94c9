// Compares a crawl's document with the stored version of its page, without a new visit.
import type { Document } from '../../base/visit-and-capture-types.ts'
import type { ScrapeOptions } from '../../scrape/scrape-options.ts'
import { compareJson } from '../../understanding/changes/compare-json.ts'
import type { NoiseMemory } from '../../understanding/changes/learnt-noise.ts'
import { gunzipBounded, gzipBytes, type PageCheckOutcome } from './check-watched-page.ts'
import type { WatchOption } from './schema.ts'
import type { WatchedPage } from './store/check-pages-and-watched-pages.ts'
import type { TargetCheckContext } from './target-check-context.ts'
import { comparisonModesOf } from './visit-watched-page.ts'

const GONE = new Set([404, 410])

export async function compareCrawledDocument(
  { parts, monitor }: TargetCheckContext,
  options: Partial<ScrapeOptions> | undefined,
  before: WatchedPage | undefined,
  document: Document,
  signal: AbortSignal,
): Promise<PageCheckOutcome> {
  const statusCode = Number(document.metadata.statusCode ?? 200)
  const note = { ...(document.metadata.title ? { title: document.metadata.title } : {}) }
  const now = parts.clock.now()
  if (GONE.has(statusCode) && before)
    return before.state === 'gone'
      ? { status: 'same', statusCode, note: { ...note, stillRemoved: true } }
      : { status: 'removed', statusCode, note, known: { ...before, state: 'gone', seenAt: now, changedAt: now } }
  if (statusCode >= 400) return { status: 'error', statusCode, note, error: `The site answered ${statusCode}` }
  if (typeof document.markdown !== 'string')
    return { status: 'error', statusCode, note, error: 'The page has no text to compare' }
  const pageText = Buffer.from(JSON.stringify({ text: document.markdown, lines: [] }))
  const modes = comparisonModesOf(options)
  const data = modes.json ? JSON.stringify({ key: 'crawl', value: document.json ?? null }) : null
  const known: WatchedPage = {
    state: 'here',
    scrapeId: String(document.metadata.scrapeId ?? '') || null,
    seenAt: now,
    changedAt: now,
    marks: null,
    body: await gzipBytes(pageText),
    data,
    memory: before?.memory ?? null,
  }
  if (!before || before.state === 'gone' || !before.body) return { status: 'new', statusCode, note, known }
  const previous = await gunzipBounded(before.body)
  const { only: _, ignoreSelectors: __, confirm: ___, adaptive: ____, ...rules } = monitor.watch as WatchOption
  const memory = before.memory ? (JSON.parse(before.memory) as NoiseMemory) : undefined
  const watched = await parts.monitoring.comparePages({ previous, current: pageText, memory, rules }, signal)
  const isExact = parts.llm.by === 'extractive'
  const was = before.data === null ? undefined : (JSON.parse(before.data) as { value: unknown }).value
  const json = modes.json && (watched.changed || isExact) ? compareJson(was, document.json ?? null) : undefined
  const isChanged = (modes.text && watched.changed) || (json !== undefined && Object.keys(json).length > 0)
  const learnt = { ...known, memory: JSON.stringify(watched.memory) }
  if (!isChanged)
    return {
      ...{ status: 'same', statusCode, note, watched },
      known: { ...learnt, scrapeId: before.scrapeId, changedAt: before.changedAt, data: data ?? before.data },
    }
  const texts = await gzipBytes(
    Buffer.concat([Buffer.from('['), previous, Buffer.from(','), pageText, Buffer.from(']')]),
  )
  return { status: 'changed', statusCode, note, watched, ...(json ? { json } : {}), known: learnt, texts }
}
