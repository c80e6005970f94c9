// One visit to a watched page: a slot, the scrape, and what the comparison needs of it (the text, the page's lines, the
// extracted values). It stores nothing and charges nothing: the check does, when the page ends.
import type { JsonBytes } from '../../base/json.ts'
import type { Marks } from '../../base/page.ts'
import { deadline } from '../../base/time.ts'
import type { FormatRequest } from '../../scrape/formats/format.ts'
import type { ScrapeBody, ScrapeOptions } from '../../scrape/options.ts'
import { planFor } from '../../scrape/plan.ts'
import type { ScrapeCall, Scraped } from '../../scrape/scrape.ts'
import type { History, TrackedDataOptions } from '../../scrape/tracking.ts'
import { newId } from '../../store/id.ts'
import type { MonitorParts } from './needs.ts'
import type { Owner } from './parts.ts'
import type { WatchOption } from './schema.ts'

/** A page of a check has time. */
const PATIENCE_MS = 3_600_000

export interface PageCheckOptions {
  owner: Owner
  plan: string
  url: string
  options: Partial<ScrapeOptions> | undefined
  watch: WatchOption
  /** How long pictures of the page are kept. */
  picturesMs: number
  /** What the site said of the page when it was last seen, if that is what is known of it. */
  marks?: Marks | undefined
  /** Whether the extracted values are wanted, once the text is known: a model is asked only when something changed. */
  wantsData(look: Uint8Array, isExact: boolean, signal: AbortSignal): Promise<boolean>
}

export interface PageCheck {
  scraped: Scraped
  /** JSON bytes of a `Look`; undefined when the page has no text that could be compared. */
  look: Buffer | undefined
  textBytes: number
  data: { key: string; value: unknown } | undefined
  status: number
}

/** Which of the two ways to compare a target asks for. */
export interface Modes {
  text: boolean
  json: boolean
}

const tracking = (formats: readonly FormatRequest[]) => formats.find(({ type }) => type === 'changeTracking')

export function modesOf(options: Partial<ScrapeOptions> | undefined): Modes {
  const asked = tracking(options?.formats ?? []) as { modes?: readonly string[] } | undefined
  const json = asked?.modes?.includes('json') ?? false
  return { json, text: !json || (asked?.modes?.includes('git-diff') ?? false) }
}

/** The options of one look: the caller's, with the text, and with our own way to compare in place of the snapshots'. */
export function bodyOf(url: string, options: Partial<ScrapeOptions> | undefined, watch: WatchOption): ScrapeBody {
  const formats = options?.formats ?? [{ type: 'markdown' }]
  const asked = tracking(formats)
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

export async function sight(parts: MonitorParts, wish: PageCheckOptions, signal: AbortSignal): Promise<PageCheck> {
  const { scraper, admission, clock, maker, linkBase, meter } = parts
  const { owner, url } = wish
  const body = bodyOf(url, wish.options, wish.watch)
  const planned = planFor(body, maker)
  const plan = wish.marks ? { ...planned, visit: { ...planned.visit, marks: wish.marks } } : planned
  let look: Buffer | undefined
  let textBytes = 0
  let data: PageCheck['data']
  const history: History = {
    toKeep: () => undefined,
    async track({ markdown, lines, data: asked }, stop) {
      look = lookOf(markdown, lines)
      textBytes = markdown.bytes.byteLength
      if (asked && (await wish.wantsData(look, asked.exact, stop)))
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
    picturesMs: wish.picturesMs,
  }
  const slot = await admission.admit({ teamId: owner.teamId, plan: wish.plan }, { timeoutMs: PATIENCE_MS }, signal)
  const limit = deadline(plan.timeoutMs, signal)
  const metered = { ...owner, endpoint: 'monitor' }
  try {
    const scraped = await limit.during(() => scraper.scrape(call, limit.signal))
    meter.page(metered, scraped.source)
    return { scraped, look, textBytes, data, status: scraped.answered.status }
  } catch (error) {
    if (!signal.aborted) meter.page(metered, undefined)
    throw error
  } finally {
    limit.clear()
    slot.release()
  }
}

/** The JSON bytes of a `Look`, put together without reading the text. */
const lookOf = (markdown: JsonBytes<string>, lines: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from('{"text":'), markdown.bytes, Buffer.from(`,"lines":${JSON.stringify(lines)}}`)])

/** Which extraction it is: what another schema found cannot be compared. */
const keyOf = ({ schema, prompt }: TrackedDataOptions): string => JSON.stringify([schema ?? null, prompt ?? null])
