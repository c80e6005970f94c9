// The scope of a crawl or map: accepts an address under its key, or refuses it with a reason.
import { getDomain } from 'tldts'
import { findCrawlTrap, makeUrlShapeLimiter, type UrlShape, urlShapeOf } from './crawl-trap-limits.ts'
import { withoutPageState } from './page-state.ts'
import { compilePathPattern, makePathFilter, type PathPattern } from './path-pattern.ts'
import { Problem } from './problem.ts'
import { MAX_CRAWL_URL_CHARS, type ParsedPageUrl, parsePageUrl, type UrlKeyRules, withoutWww } from './url-key.ts'

export type UrlSource = 'start' | 'sitemap' | 'robots' | 'link' | 'button' | 'known'
/** Sites name pages; only a caller and the crawl itself decide what is pressed. */
const BY_SITE: ReadonlySet<UrlSource> = new Set(['sitemap', 'robots', 'link'])

export interface CrawlScopeOptions extends UrlKeyRules {
  includePaths: readonly string[]
  excludePaths: readonly string[]
  regexOnFullURL: boolean
  maxDiscoveryDepth: number | undefined
  crawlEntireDomain: boolean
  allowSubdomains: boolean
  allowExternalLinks: boolean
  /** `only`: links on pages are not followed. */
  sitemap: 'skip' | 'include' | 'only'
}

export const scopeDefaults: CrawlScopeOptions = {
  includePaths: [],
  excludePaths: [],
  regexOnFullURL: false,
  maxDiscoveryDepth: undefined,
  sitemap: 'include',
  routes: undefined,
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
}

export const scopeRefusalTexts = {
  INVALID_URL: 'it is not an http(s) URL that can be visited',
  TOO_LONG: `it is longer than ${MAX_CRAWL_URL_CHARS} characters`,
  FILE_TYPE: 'it is a file without text (image, style, script, font, archive, sound, film, program)',
  OTHER_SITE: 'it is on another site, and `allowExternalLinks` is off',
  SUBDOMAIN: 'it is on another subdomain, and `allowSubdomains` is off',
  EXTERNAL_LINK: 'it is the home page of another site',
  OUTSIDE_PATH: 'it is not below the path of the start URL, and `crawlEntireDomain` is off',
  NOT_INCLUDED: 'no pattern of `includePaths` matches it',
  EXCLUDED: 'a pattern of `excludePaths` matches it',
  PATTERN_COST: 'it is too long for patterns this costly',
  TOO_DEEP: 'it is further from the start than `maxDiscoveryDepth`',
  NOT_IN_SITEMAP: 'it was found on a page, and `sitemap` is "only"',
  REPEATING_PATH: 'its path repeats itself, as endless links do',
  TOO_DEEP_PATH: 'its path has more segments than any real one',
  TOO_MANY_PARAMETERS: 'its query has more parameters than any real one',
  TRAP: 'too many URLs of this pattern were found already (calendar, filters, changing ids)',
} as const satisfies Record<string, string>

export type ScopeRefusal = keyof typeof scopeRefusalTexts

export interface AcceptedUrl {
  ok: true
  key: string
  url: string
  external: boolean
  /** Its links are not followed: it is external, or at the maximum depth. */
  leaf: boolean
  /** Set when addresses of this shape are capped, for callers that count in their own store. */
  shape: UrlShape | undefined
}

type ScopeDecision = AcceptedUrl | { ok: false; why: ScopeRefusal }

export interface CrawlScope {
  /** `depth`: 0 for the start and sitemaps, one more than its page's for a link. */
  accept(url: string, depth: number, source: UrlSource): ScopeDecision
  /** Counts an address that was accepted earlier or by another process. */
  countAccepted(url: string): void
  /** Whether a URL with a capped shape was met (crawl-trap-limits.ts); until then other processes do not matter. */
  counts(): boolean
  /** The key of any address, also outside the scope, for redirects and canonical links. */
  key(url: string): string | undefined
}

const ASSET =
  /\.(?:jpe?g|png|gif|webp|avif|svgz?|ico|bmp|tiff?|heic|psd|eps|css|less|scss|m?js|(?:js|css)\.map|wasm|woff2?|ttf|otf|eot|mp3|wav|ogg|oga|flac|aac|m4a|wma|mid|mp4|m4v|webm|mov|avi|mkv|flv|wmv|mpe?g|3gp|m3u8|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|iso|img|dmg|exe|msi|apk|ipa|deb|rpm|bin|dll|class|pyc|swf|torrent|sqlite|parquet|pkl|onnx)$/i

export function openCrawlScope(options: CrawlScopeOptions, startUrl: string): CrawlScope {
  const start = parsePageUrl(startUrl, options)
  if (!start) throw new Problem('invalid_url')
  const chosen = makePathFilter(
    patterns(options.includePaths, 'includePaths'),
    patterns(options.excludePaths, 'excludePaths'),
  )
  const mayTake = makeUrlShapeLimiter()
  let counts = false
  const read = rememberingReader(options)
  const where = placer(start, options)
  const { maxDiscoveryDepth = Number.POSITIVE_INFINITY } = options

  function judge(address: ParsedPageUrl, depth: number, source: UrlSource): ScopeRefusal | undefined {
    if ((source === 'link' || source === 'button') && options.sitemap === 'only') return 'NOT_IN_SITEMAP'
    if (depth > maxDiscoveryDepth) return 'TOO_DEEP'
    const outside = where(address)
    if (outside !== undefined && outside !== 'external') return outside
    if (outside === 'external' && address.path === '/' && address.query.length === 0) return 'EXTERNAL_LINK'
    if (source !== 'start' && ASSET.test(address.path)) return 'FILE_TYPE'
    const choice = chosen(options.regexOnFullURL ? address.url : address.path)
    if (choice === 'excluded') return 'EXCLUDED'
    if (choice === 'not included') return 'NOT_INCLUDED'
    if (choice === 'too costly') return 'PATTERN_COST'
    return source === 'start' ? undefined : findCrawlTrap(address)
  }

  return {
    accept(url, depth, source) {
      if (url.length > MAX_CRAWL_URL_CHARS) return { ok: false, why: 'TOO_LONG' }
      const address = read(BY_SITE.has(source) ? withoutPageState(url) : url)
      if (!address) return { ok: false, why: 'INVALID_URL' }
      const why = judge(address, depth, source)
      if (why) return { ok: false, why }
      const shape = source === 'start' ? undefined : urlShapeOf(address)
      counts ||= shape !== undefined
      if (shape && !mayTake(shape, address.key)) return { ok: false, why: 'TRAP' }
      const external = where(address) === 'external'
      const leaf = external || depth >= maxDiscoveryDepth || options.sitemap === 'only'
      return { ok: true, key: address.key, url: address.url, external, leaf, shape }
    },
    countAccepted(url) {
      const address = parsePageUrl(url, options)
      const shape = address && urlShapeOf(address)
      if (shape) mayTake(shape, address.key)
    },
    counts: () => counts,
    key: (url) => read(url)?.key,
  }
}

/** Parsed links are cached, because pages of a site repeat them. */
const MAX_CACHED_LINKS = 2_000
const MAX_REMEMBERED_LENGTH = 300

function rememberingReader(rules: UrlKeyRules): (url: string) => ParsedPageUrl | undefined {
  const known = new Map<string, ParsedPageUrl>()
  return (url) => {
    const before = known.get(url)
    if (before) return before
    const address = parsePageUrl(url, rules)
    if (!address || url.length > MAX_REMEMBERED_LENGTH) return address
    if (known.size >= MAX_CACHED_LINKS) known.clear()
    known.set(url, address)
    return address
  }
}

type Place = 'external' | 'OTHER_SITE' | 'SUBDOMAIN' | 'OUTSIDE_PATH' | undefined

/** Undefined: on this site and below its path. */
function placer(start: ParsedPageUrl, options: CrawlScopeOptions): (address: ParsedPageUrl) => Place {
  const root = start.path.replace(/\/(?:index|default)\.\w+$/i, '/').replace(/\/$/, '')
  const domain = registrableDomainOf(start.hostname)
  const port = start.site.slice(withoutWww(start.hostname).length)
  const elsewhere = options.allowExternalLinks ? 'external' : 'OTHER_SITE'
  return ({ site, hostname, path }) => {
    if (site === start.site) {
      if (options.crawlEntireDomain || path === root || path.startsWith(`${root}/`)) return undefined
      return 'OUTSIDE_PATH'
    }
    const sister =
      domain !== undefined &&
      registrableDomainOf(hostname) === domain &&
      site.slice(withoutWww(hostname).length) === port
    if (!sister) return elsewhere
    if (options.allowSubdomains) return undefined
    return options.allowExternalLinks ? 'external' : 'SUBDOMAIN'
  }
}

export function isSameSite(one: string, other: string): boolean {
  const [a, b] = [one, other].map((url) =>
    parsePageUrl(url, { ignoreQueryParameters: true, deduplicateSimilarURLs: true }),
  )
  return a !== undefined && a.site === b?.site
}

/** Includes private suffixes of hosters. Undefined for IP addresses and single-label hosts. */
export const registrableDomainOf = (hostname: string): string | undefined =>
  getDomain(hostname, { allowPrivateDomains: true }) ?? undefined

function patterns(sources: readonly string[], field: string): PathPattern[] {
  return sources.map((source, at) => {
    const compiled = compilePathPattern(source)
    if ('wrong' in compiled) throw new Problem('bad_request', { because: `${field}.${at}: ${compiled.wrong}` })
    return compiled.pattern
  })
}
