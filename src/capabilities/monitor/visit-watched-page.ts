// One visit to a watched page: a slot, the scrape, and what the comparison needs (text, lines, extracted values).

import { HOUR_MS } from '../../base/clock.ts'
import { startDeadline } from '../../base/deadline.ts'
import type { JsonBytes } from '../../base/json-bytes.ts'
import type { CacheValidators } from '../../base/visit-and-capture-types.ts'
import type { ChangeTracker, TrackedDataOptions } from '../../scrape/change-tracking-types.ts'
import type { FormatRequest } from '../../scrape/formats/format.ts'
import type { ScrapeCall, ScrapedPage } from '../../scrape/scrape.ts'
import type { ScrapeBody, ScrapeOptions } from '../../scrape/scrape-options.ts'
import { makeScrapePlan } from '../../scrape/scrape-plan.ts'
import { newId } from '../../store/id.ts'
import type { HandlerServices, MonitorOwner } from './own-services.ts'
import type { WatchOption } from './schema.ts'

const PATIENCE_MS = HOUR_MS

interface PageCheckOptions {
  owner: MonitorOwner
  plan: string
  url: string
  options: Partial<ScrapeOptions> | undefined
  watch: Pick<WatchOption, 'only' | 'ignoreSelectors'>
  picturesMs: number
  /** Validators of the last visit, if they belong to the stored version. */
  marks?: CacheValidators | undefined
  /** Whether to extract values, decided after the text: a model is called only when something changed. */
  wantsData(pageText: Uint8Array, isExact: boolean, signal: AbortSignal): Promise<boolean>
}

export interface WatchedPageVisit {
  scraped: ScrapedPage
  /** Text and lines to compare, as JSON bytes; undefined when the page has no comparable text. */
  pageText: Buffer | undefined
  textBytes: number
  data: { key: string; value: unknown } | undefined
  status: number
}

export type ComparisonModes = { text: boolean; json: boolean }

const findTrackingFormat = (formats: readonly FormatRequest[]) => formats.find(({ type }) => type === 'changeTracking')

export function comparisonModesOf(options: Partial<ScrapeOptions> | undefined): ComparisonModes {
  const asked = findTrackingFormat(options?.formats ?? []) as { modes?: readonly string[] } | undefined
  const json = asked?.modes?.includes('json') ?? false
  return { json, text: !json || (asked?.modes?.includes('git-diff') ?? false) }
}

/**
 * The caller's options with exactly one `changeTracking` format: through it the scrape calls the monitor's own
 * `history.track`, which collects the text to compare. Always fresh (`maxAge: 0`).
 */
function makeWatchScrapeBody(
  url: string,
  options: Partial<ScrapeOptions> | undefined,
  watch: PageCheckOptions['watch'],
): ScrapeBody {
  const formats = options?.formats ?? [{ type: 'markdown' }]
  const asked = findTrackingFormat(formats)
  const track = { type: 'changeTracking', modes: [], tag: null, ...asked }
  return {
    ...options,
    ...DEFAULTS,
    ...definedOnly(options),
    url,
    formats: [...formats.filter(({ type }) => type !== 'changeTracking'), track],
    ...(watch.only.length > 0 ? { includeTags: [...(options?.includeTags ?? []), ...watch.only] } : {}),
    ...(watch.ignoreSelectors.length > 0
      ? { excludeTags: [...(options?.excludeTags ?? []), ...watch.ignoreSelectors] }
      : {}),
    maxAge: 0,
  } as unknown as ScrapeBody
}

const DEFAULTS = {
  onlyMainContent: true,
  onlyCleanContent: false,
  waitFor: 0,
  mobile: false,
  skipTlsVerification: true,
  parsers: [{ type: 'pdf' }],
  removeBase64Images: true,
  blockAds: true,
  proxy: 'auto',
  storeInCache: true,
  lockdown: false,
  fastMode: false,
  zeroDataRetention: false,
}

const definedOnly = (options: object | undefined): object =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined && value !== null))

export async function visitWatchedPage(
  parts: HandlerServices,
  options: PageCheckOptions,
  signal: AbortSignal,
): Promise<WatchedPageVisit> {
  const { scraper, admission, clock, maker, linkBase, meter } = parts
  const { owner, url } = options
  const body = makeWatchScrapeBody(url, options.options, options.watch)
  const planned = makeScrapePlan(body, maker)
  const plan = options.marks ? { ...planned, visit: { ...planned.visit, marks: options.marks } } : planned
  let pageText: Buffer | undefined
  let textBytes = 0
  let data: WatchedPageVisit['data']
  const history: ChangeTracker = {
    toKeep: () => undefined,
    async track({ markdown, lines, data: asked }, stop) {
      pageText = pageTextOf(markdown, lines)
      textBytes = markdown.bytes.byteLength
      if (asked && (await options.wantsData(pageText, asked.exact, stop)))
        data = { key: keyOf(asked), value: (await asked.extract()) ?? null }
      return { tracked: null, warnings: [] }
    },
  }
  const call: ScrapeCall = {
    id: newId(clock.now()),
    ...owner,
    body,
    plan,
    baseUrl: linkBase,
    queue: { limited: false, waitedMs: 0 },
    history,
    picturesMs: options.picturesMs,
  }
  const slot = await admission.admit({ teamId: owner.teamId, plan: options.plan }, { timeoutMs: PATIENCE_MS }, signal)
  const limit = startDeadline(plan.timeoutMs, signal)
  const metered = { ...owner, endpoint: 'monitor' }
  try {
    const scraped = await limit.during(() => scraper.scrape(call, limit.signal))
    meter.page(metered, scraped.source)
    return { scraped, pageText, textBytes, data, status: scraped.answered.status }
  } catch (error) {
    if (!signal.aborted) meter.page(metered, undefined)
    throw error
  } finally {
    limit.clear()
    slot.release()
  }
}

const pageTextOf = (markdown: JsonBytes<string>, lines: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from('{"text":'), markdown.bytes, Buffer.from(`,"lines":${JSON.stringify(lines)}}`)])

/** Identifies an extraction: values of another schema cannot be compared. */
const keyOf = ({ schema, prompt }: TrackedDataOptions): string => JSON.stringify([schema ?? null, prompt ?? null])
