// Translates v1 bodies to v2 and v2 replies to v1. Pure functions on JSON: unknown fields pass through to the v2
// schemas.
import { isObject } from '../../base/values.ts'

type Json = Record<string, unknown>

const SCRAPE_DEFAULTS = { maxAge: 0, skipTlsVerification: false }
const SCRAPE_TIMEOUT_MS = 30_000

function scrapeOptionsFromV1(options: Json): Json {
  const { formats, jsonOptions, extract, changeTrackingOptions, parsePDF, geolocation, ...rest } = options
  const asked = { json: jsonOptions ?? extract, extract: extract ?? jsonOptions, changeTracking: changeTrackingOptions }
  return {
    ...SCRAPE_DEFAULTS,
    ...rest,
    ...(Array.isArray(formats) ? { formats: formats.map((format) => formatFromV1(format, asked)) } : {}),
    ...(typeof parsePDF === 'boolean' ? { parsers: parsePDF ? ['pdf'] : [] } : {}),
    ...(geolocation !== undefined && rest.location === undefined ? { location: geolocation } : {}),
  }
}

export function formatFromV1(format: unknown, asked: Record<'json' | 'extract' | 'changeTracking', unknown>): unknown {
  if (format === 'screenshot@fullPage') return { type: 'screenshot', fullPage: true }
  if (format === 'json' || format === 'extract') return { type: 'json', ...jsonFormatFromExtractOptions(asked[format]) }
  if (format === 'changeTracking' && isObject(asked.changeTracking))
    return { type: 'changeTracking', ...asked.changeTracking }
  return format
}

export function jsonFormatFromExtractOptions(options: unknown): Json {
  if (!isObject(options)) return {}
  const { systemPrompt, prompt, mode: _mode, ...rest } = options
  const words = [systemPrompt, prompt].filter((text) => typeof text === 'string' && text !== '')
  return { ...rest, ...(words.length > 0 ? { prompt: words.join('\n\n') } : {}) }
}

export function scrapeBodyFromV1(body: unknown): unknown {
  return isObject(body) ? { timeout: SCRAPE_TIMEOUT_MS, ...scrapeOptionsFromV1(body) } : body
}

export function batchBodyFromV1(body: unknown): unknown {
  return isObject(body) ? { ignoreInvalidURLs: false, ...scrapeOptionsFromV1(body) } : body
}

export function crawlBodyFromV1(body: unknown): unknown {
  if (!isObject(body)) return body
  const { maxDepth, allowBackwardLinks, ignoreSitemap, scrapeOptions, delay, ...rest } = body
  return {
    ...rest,
    // In v1, 0 meant no delay.
    ...(delay === undefined || delay === 0 ? {} : { delay }),
    ...pathDepth(maxDepth, rest),
    ...(allowBackwardLinks === undefined ? {} : { crawlEntireDomain: rest.crawlEntireDomain ?? allowBackwardLinks }),
    ...(ignoreSitemap === undefined ? {} : { sitemap: ignoreSitemap === true ? 'skip' : 'include' }),
    scrapeOptions: isObject(scrapeOptions) ? scrapeOptionsFromV1(scrapeOptions) : { ...SCRAPE_DEFAULTS },
  }
}

const DEEPEST_PATH = 30

/** v1 `maxDepth` counts path segments below the start, v2 counts link steps; so it becomes a path pattern. */
function pathDepth(maxDepth: unknown, { url, regexOnFullURL, excludePaths = [] }: Json): Json {
  if (maxDepth === undefined) return {}
  if (!isCount(maxDepth) || typeof url !== 'string' || !Array.isArray(excludePaths)) return { maxDepth }
  const path = /^(?:[a-z]+:\/\/)?[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? ''
  const allowed = path.split('/').filter(Boolean).length + maxDepth
  if (allowed >= DEEPEST_PATH) return {}
  const origin = regexOnFullURL === true ? 'https?://[^/]+' : ''
  return { excludePaths: [...excludePaths, `^${origin}(/[^/?#]+){${allowed + 1}}`] }
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0

export function mapBodyFromV1(body: unknown): unknown {
  if (!isObject(body)) return body
  const { ignoreSitemap, sitemapOnly, ...rest } = body
  const sitemap = sitemapOnly === true ? 'only' : ignoreSitemap === true ? 'skip' : undefined
  return { ...rest, ...(sitemap ? { sitemap } : {}) }
}

export function mapReplyToV1(answer: object): object {
  const { links, ...rest } = answer as { links: readonly { url: string }[] }
  return { ...rest, links: links.map(({ url }) => url) }
}

export function scrapeReplyToV1(answer: object, body: unknown): object {
  const asked = isObject(body) && Array.isArray(body.formats) && body.formats.includes('extract')
  const { data, scrape_id: _id, ...rest } = answer as { data: Json; scrape_id?: string }
  return { ...rest, data: asked && 'json' in data ? { ...data, extract: data.json } : data }
}

export const jobStartReplyToV1 = (answer: object): object => {
  const { url, ...rest } = answer as { url: string }
  return { ...rest, url: url.replace('/v2/', '/v1/') }
}

/** The reply is too long to parse and serialise again, so only the URL before the data is replaced. */
export function jobStatusToV1(text: string): string {
  const head = text.indexOf('"data":[')
  const next = text.indexOf('"next":"')
  if (next < 0 || (head >= 0 && next > head)) return text
  const at = text.indexOf('/v2/', next)
  return at < 0 ? text : `${text.slice(0, at)}/v1/${text.slice(at + 4)}`
}

export const withUnderscores = (fields: object): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )

export const accountReplyToV1 = (reply: { data?: object }): object => ({
  ...reply,
  data: withUnderscores(reply.data ?? {}),
})

export function searchBodyFromV1(body: unknown): unknown {
  if (!isObject(body)) return body
  const { scrapeOptions, country, ...rest } = body
  const hasFormats = isObject(scrapeOptions) && Array.isArray(scrapeOptions.formats) && scrapeOptions.formats.length > 0
  return {
    limit: 5,
    ...rest,
    ...(country === undefined ? {} : { country }),
    ...(hasFormats ? { scrapeOptions: scrapeOptionsFromV1(scrapeOptions) } : {}),
  }
}

/** v1 returns the hits at the top level, without positions. */
export function searchReplyToV1(answer: object): object {
  const { data, ...rest } = answer as { data: { web?: Json[]; news?: Json[] } }
  const hits = [...(data.web ?? []), ...(data.news ?? [])]
  return { ...rest, data: hits.map(({ position: _, ...hit }) => hit) }
}
