// Converts options to a scrape plan: visit, needs, price, cache keys.
import { hash } from 'node:crypto'
import type { BrowserAction, ScreenshotOptions } from '../base/browser-action-types.ts'
import type { NetworkOptions } from '../base/network-responses.ts'
import { isPageState, readPresses } from '../base/page-state.ts'
import { priceOfPage } from '../base/prices.ts'
import { Problem } from '../base/problem.ts'
import { isHashRoute } from '../base/url-key.ts'
import type { EngineAbility, PageCacheOptions, Visit } from '../base/visit-and-capture-types.ts'
import type { ContentOptions } from '../content/parsed-page.ts'
import type { KnownFingerprints } from '../understanding/changes/page-fingerprints.ts'
import { DEFAULT_REDACT_OPTIONS } from '../understanding/privacy/redact-options.ts'
import type { Format, FormatRequest, MaterialName } from './formats/format.ts'
import { findFormat } from './formats/index.ts'
import {
  DEFAULT_MAX_AGE_MS,
  DEFAULT_TIMEOUT_MS,
  fastModeRefusal,
  LOCKDOWN_MAX_AGE_MS,
  type ParserRequest,
  type ScrapeBody,
} from './scrape-options.ts'
import type { CheckAndRedactOptions } from './workshop/check-and-redact-page.ts'

export interface ScrapePlan {
  visit: Visit
  formats: { format: Format; options: FormatRequest }[]
  needs: MaterialName[]
  choices: ContentOptions
  parsers: readonly ParserRequest[]
  /** Applied to the text before any format reads it. */
  treatment: CheckAndRedactOptions
  /** A model removes what is left of the page's frame. */
  clean: boolean
  /** Makes no document when the page is as it was known before. */
  known?: KnownFingerprints | undefined
  wants: readonly EngineAbility[]
  /** Every format is made of the page's main text alone. */
  isTextOnly: boolean
  mayRender: boolean
  timeoutMs: number
  /** False: nothing is stored (zero data retention, lockdown). */
  keep: boolean
  storeInCache: boolean
  lockdown: boolean
  /** Why no cached page can satisfy a request that only the cache may answer. */
  impossible: string | undefined
  cacheKey: string
  /** The markdown is the main content, by which the page is found. */
  isMainText: boolean
  /** Instead of `digestKey`, for the main content alone; few scrapes need it. */
  mainTextKey(): string
  /** With the cache key, identifies a finished document. */
  digestKey: string
  credits: number
  creditsFor(pages: number): number
}

/** `maker` identifies build and model: documents made by another are not reused. */
export function makeScrapePlan(body: ScrapeBody, maker: string): ScrapePlan {
  const chosen = lastOfEachType(body.formats)
  const zeroRetention = body.zeroDataRetention || body.lockdown
  const choices: ContentOptions = {
    onlyMainContent: body.onlyMainContent || body.onlyCleanContent,
    includeTags: body.includeTags ?? [],
    excludeTags: body.excludeTags ?? [],
    ...(body.blockAds ? { adParts: AD_SELECTORS } : {}),
    removeBase64Images: body.removeBase64Images,
  }
  const parsers: readonly ParserRequest[] = body.parsers
  // A refreshed reading replaces the cached one, so it has the same key.
  const keyedParsers = parsers.map((parser) => ({ ...parser, refresh: undefined }))
  const treatment = treatmentOf(body)
  const visit = visitFor(body)
  // A response from the cache alone has no file to charge for.
  const priced = visit.cache.only ? chosen.filter(({ format }) => !format.needs.includes('media')) : chosen
  const creditsFor = (pages: number) =>
    priceOfPage({
      formats: priced.map(({ options }) => options),
      pages,
      redactPii: treatment.redact !== undefined,
      checkInjection: treatment.checkInjection ?? false,
      zeroDataRetention: body.zeroDataRetention,
      lockdown: body.lockdown ? 'hit' : undefined,
    })
  return {
    visit,
    formats: chosen,
    needs: [...new Set(chosen.flatMap(({ format }) => format.needs))],
    choices,
    parsers,
    treatment,
    clean: body.onlyCleanContent,
    wants: wantsOf(body, chosen),
    isTextOnly: isMainText(body) && chosen.length > 0 && chosen.every(({ format }) => TEXT_FORMATS.has(format.name)),
    mayRender: !body.fastMode && !onlyBytes(chosen),
    timeoutMs: body.timeout ?? DEFAULT_TIMEOUT_MS,
    keep: !zeroRetention,
    storeInCache: body.storeInCache && !zeroRetention && visit.cache.read,
    lockdown: body.lockdown,
    impossible: visit.cache.only ? whyNeverCached(body, chosen) : undefined,
    cacheKey: cacheKeyOf(visit),
    isMainText: chosen.some(({ format }) => format.name === 'markdown') && isMainText(body),
    mainTextKey: () => fingerprint(maker, 'main text', treatment.redact),
    digestKey: fingerprint(
      maker,
      chosen.map(({ options }) => options),
      choices,
      keyedParsers,
      treatment,
      body.onlyCleanContent,
      body.actions !== undefined,
    ),
    credits: creditsFor(1),
    creditsFor,
  }
}

/** Elements named as advertising or consent, removed also without a browser. */
const AD_SELECTORS = [
  ...['adsbygoogle', 'ad-slot', 'ad-banner', 'advertisement', 'google-ad', 'dfp-ad'].map((name) => `.${name}`),
  ...[
    'cookie-consent',
    'cookie-banner',
    'cookie-notice',
    'cookie-bar',
    'cookieconsent',
    'gdpr-banner',
    'consent-banner',
  ].flatMap((name) => [`.${name}`, `#${name}`]),
  '.cc-window',
  '#onetrust-banner-sdk',
  '#CybotCookiebotDialog',
  '#usercentrics-root',
  '#didomi-host',
].join(', ')

/** `fastMode` requests nothing that needs a browser. */
function wantsOf(body: ScrapeBody, chosen: ScrapePlan['formats']): EngineAbility[] {
  const isState = isPageState(body.url)
  if (body.fastMode && isState) throw new Problem('bad_request', { because: fastModeRefusal('a button in the URL') })
  if (body.fastMode) return []
  return [
    ...(body.actions?.length || isState ? (['actions'] as const) : []),
    ...(chosen.some(({ format }) => format.needs.includes('screenshot')) ? (['screenshot'] as const) : []),
    ...(chosen.some(({ format }) => format.needs.includes('computedStyle')) ? (['computedStyle'] as const) : []),
    ...(body.waitFor > 0 || body.scroll || isRoute(body.url) || networkOptions(body.formats)
      ? (['rendered'] as const)
      : []),
    ...(body.mobile ? (['mobile'] as const) : []),
    ...(body.profile ? (['memory'] as const) : []),
  ]
}

/** By the text alone: an uploaded file has a name, and hardly any URL has a route. */
const isRoute = (url: string): boolean => url.includes('#') && isHashRoute(url.slice(url.indexOf('#')))

const isMainText = ({ onlyMainContent, onlyCleanContent, includeTags = [], excludeTags = [] }: ScrapeBody): boolean =>
  onlyMainContent && !onlyCleanContent && includeTags.length === 0 && excludeTags.length === 0

/** Formats that lose nothing when the site sends the page as markdown. */
const TEXT_FORMATS = new Set(['markdown', 'chunks', 'summary', 'question', 'highlights', 'query'])

const needsVisit = ({ format }: ScrapePlan['formats'][number]): boolean =>
  format.needs.some((need) => ['screenshot', 'computedStyle', 'media', 'network'].includes(need))

function whyNeverCached({ actions = [] }: ScrapeBody, chosen: ScrapePlan['formats']): string | undefined {
  if (actions.length > 0) return 'pages are cached as they are before any actions'
  const [first] = chosen
  return first && chosen.every(needsVisit) ? `the format ${first.format.name} needs a visit` : undefined
}

const onlyBytes = (chosen: ScrapePlan['formats']): boolean =>
  chosen.length > 0 && chosen.every(({ format }) => format.needs.every((need) => need === 'base64') && !format.read)

function visitFor(body: ScrapeBody): Visit {
  const cache = cacheOptions(body)
  const country = body.location?.country ?? DEFAULT_COUNTRY
  return {
    url: body.url,
    headers: body.headers ?? {},
    credentialHosts: body.allowCredentialsFor,
    languages: body.location?.languages ?? languagesOfCountry(country),
    country,
    mobile: body.mobile,
    blockAds: body.blockAds,
    waitForMs: waitMs(body),
    geolocate: body.location !== undefined,
    actions: [...pressesOf(body.url), ...(body.actions ?? [])],
    downloads: body.downloads !== undefined,
    screenshot: screenshotOptions(body.formats),
    ...(!cache.only && body.formats.some(({ type }) => findFormat(type)?.needs.includes('media'))
      ? { media: true }
      : {}),
    computedStyle: body.formats.some(({ type }) => findFormat(type)?.needs.includes('computedStyle')),
    network: networkOptions(body.formats),
    ...(body.scroll ? { scroll: body.scroll } : {}),
    skipTlsVerification: body.skipTlsVerification,
    proxy: isOnce(body) && body.proxy === 'auto' ? 'basic' : body.proxy,
    cache,
  }
}

const pressesOf = (url: string): BrowserAction[] =>
  (readPresses(url) ?? []).map(({ role, name }) => ({
    type: 'click',
    selector: `role=${role}[name="${name.replace(/[\\"]/g, '\\$&')}"s]`,
    all: false,
  }))

/** Another try from another address would do the steps of a flow twice. */
const isOnce = ({ actions = [] }: ScrapeBody): boolean => actions.some(({ type }) => type === 'flow')

/** A page that depends on the caller (headers, actions) or the tier, or is change-tracked, bypasses the cache. */
function cacheOptions({
  headers,
  actions,
  formats,
  profile,
  proxy,
  maxAge,
  minAge,
  lockdown,
}: ScrapeBody): PageCacheOptions {
  const personal =
    tracksChanges(formats) ||
    networkOptions(formats) !== undefined ||
    Object.keys(headers ?? {}).length > 0 ||
    (actions?.length ?? 0) > 0 ||
    proxy === 'enhanced' ||
    profile
  const only = minAge !== undefined || lockdown
  const fallback = lockdown ? LOCKDOWN_MAX_AGE_MS : minAge === undefined ? DEFAULT_MAX_AGE_MS : Number.MAX_SAFE_INTEGER
  return { read: only || !personal, maxAgeMs: maxAge ?? fallback, minAgeMs: minAge, only }
}

const tracksChanges = (formats: readonly FormatRequest[]): boolean =>
  formats.some(({ type }) => type === 'changeTracking')

/** With change tracking, late parts would otherwise appear and disappear between scrapes. */
const TRACKING_WAIT_MS = 5000

function waitMs({ formats, waitFor, timeout = DEFAULT_TIMEOUT_MS, minAge, lockdown }: ScrapeBody): number {
  // A cached page needs no wait.
  if (minAge !== undefined || lockdown) return waitFor
  return tracksChanges(formats) ? Math.max(waitFor, Math.min(TRACKING_WAIT_MS, timeout / 2)) : waitFor
}

function treatmentOf({ redactPII, checkPromptInjection }: ScrapeBody): CheckAndRedactOptions {
  const check = checkPromptInjection ? { checkInjection: true as const } : {}
  if (!redactPII) return { ...check, redact: undefined }
  return {
    ...check,
    redact: redactPII === true ? DEFAULT_REDACT_OPTIONS : { ...DEFAULT_REDACT_OPTIONS, ...redactPII },
  }
}

function screenshotOptions(formats: readonly FormatRequest[]): ScreenshotOptions | undefined {
  const asked = formats.find(({ type }) => type === 'screenshot')
  return asked ? (asked as unknown as ScreenshotOptions) : undefined
}

const networkOptions = (formats: readonly FormatRequest[]): NetworkOptions | undefined =>
  formats.find(({ type }) => type === 'network') as unknown as NetworkOptions | undefined

function lastOfEachType(requests: readonly FormatRequest[]): ScrapePlan['formats'] {
  const byType = new Map(requests.map((options) => [options.type, options]))
  return [...byType.values()].flatMap((options) => {
    const format = findFormat(options.type)
    return format ? [{ format, options }] : []
  })
}

/** The main language of a country: DE → de-DE, de. The default is precomputed, since nearly every request uses it. */
export function languagesOfCountry(country: string): string[] {
  if (country === DEFAULT_COUNTRY) return DEFAULT_LANGUAGES
  try {
    const { language } = new Intl.Locale(`und-${country}`).maximize()
    return [`${language}-${country}`, language]
  } catch {
    return DEFAULT_LANGUAGES
  }
}

const DEFAULT_COUNTRY = 'US'
const DEFAULT_LANGUAGES = ['en-US', 'en']

/** Visit fields that do not change the page; all others are part of the cache key. */
const FIELDS_NOT_IN_CACHE_KEY = new Set<keyof Visit>([
  'cache',
  // `cacheOptions` excludes such visits from the cache.
  'headers',
  'credentialHosts',
  'actions',
  'remembered',
  // Not stored with a page; a visit that wants one is always made.
  'screenshot',
  'computedStyle',
  'network',
  // `auto` and `basic` start with the same tier, and `enhanced` is not cached.
  'proxy',
  'endsAt',
  // The cache tells the two forms of a page apart itself.
  'acceptsMarkdown',
  'team',
])

export function cacheKeyOf(visit: Visit): string {
  const facts = Object.entries(visit).filter(([name]) => !FIELDS_NOT_IN_CACHE_KEY.has(name as keyof Visit))
  // The window size may change the page.
  return fingerprint(
    facts.sort(([a], [b]) => (a < b ? -1 : 1)),
    visit.screenshot?.viewport,
  )
}

const fingerprint = (...facts: unknown[]): string => hash('sha256', JSON.stringify(facts), 'base64url')
