// Decides when two addresses are one page: a crawl counts by `key` and visits `url` (docs/crawling.md).
import { createHash } from 'node:crypto'
import { isPageState, withoutPageState } from './page-state.ts'

export interface UrlKeyRules {
  ignoreQueryParameters: boolean
  /** Ignore http/https, www, slashes, index pages, tracking and session parameters. */
  deduplicateSimilarURLs: boolean
  /** For keys of stored pages. A crawl tells `/US` and `/us` apart, unless the site leads from one to the other. */
  foldsCase?: true
  /** Fragments that are routes of an application make pages of their own; `auto`: states reached by buttons, too. */
  routes?: 'hash' | 'auto' | undefined
}

export interface ParsedPageUrl {
  url: string
  key: string
  /** Host without `www.`, with a non-default port. */
  site: string
  hostname: string
  path: string
  query: readonly string[]
}

/** The sitemap protocol's limit; longer addresses come from loops. */
export const MAX_CRAWL_URL_CHARS = 2048

const TRACKING =
  /^(?:utm_.*|hsa_.*|pk_.*|mtm_.*|matomo_.*|piwik_.*|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|twclid|ttclid|yclid|igshid|li_fat_id|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|vero_id|mkt_tok|s_cid|_openstat|srsltid)$/
const SESSION =
  /^(?:phpsessid|jsessionid|aspsessionid\w*|sessionid|session_id|sessid|cfid|cftoken|zenid|oscsid|osvsid|asp\.net_sessionid)$/
/** Parameters that hold a session id on some sites only, so that the value decides. */
const POSSIBLE_SESSION_PARAMETER = /^(?:sid|s|session|token)$/
const SESSION_VALUE = /^[0-9a-f]{16,}$|^[0-9a-z]{26,}$/i
/** Of parameters whose name alone makes a session likely; a number may be the id of a page. */
const SHORT_SESSION_VALUE = /^(?=[0-9]*[a-z])(?=[a-z]*[0-9])[0-9a-z]{6,}$/i
const INDEX_PAGE = /\/(?:index|default)\.(?:x?html?|shtml|php\d?|aspx?|jspx?|cfm|cgi|pl)$/i
/** Words: capitals only at the beginning, or throughout. Ids mix them. */
const FOLDABLE = /^(?:[^a-z]+|(?:[^A-Z]|(?<![A-Za-z0-9])[A-Z])+)$/

export function parsePageUrl(text: string, rules: UrlKeyRules): ParsedPageUrl | undefined {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return undefined
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.hostname === '' || url.username !== '' || url.password !== '') return undefined
  if (rules.routes === 'hash') url.hash = withoutPageState(url.hash)
  if (!rules.routes || !isRoute(url.hash)) url.hash = ''
  const hostname = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname
  const site = withoutWww(hostname) + (url.port ? `:${url.port}` : '')
  const similar = rules.deduplicateSimilarURLs
  const pieces = url.search.length > 1 ? url.search.slice(1).split('&').filter(Boolean) : []
  const query = rules.ignoreQueryParameters ? [] : similar ? pieces.filter((piece) => !isNoise(piece)) : pieces
  if (query.length !== pieces.length) url.search = query.join('&')
  else if (pieces.length === 0) url.search = ''
  if (similar && url.pathname.includes(';')) url.pathname = withoutSessionPart(url.pathname)
  const { href, pathname } = url
  const key = similar ? `${site}${pathKey(pathname, rules.foldsCase)}${queryKey(query)}${url.hash}` : href
  return { url: href, key, site, hostname, path: pathname, query }
}

/** `#/about` and `#!/about`, as applications write addresses; `#/` is the start. */
export const isHashRoute = (hash: string): boolean => /^#!?\/[^/]/.test(hash)

/** A fragment that makes an address of its own. */
export const isRoute = (hash: string): boolean => isHashRoute(hash) || isPageState(hash)

const MAX_KEY = 500
const SIMILAR: UrlKeyRules = {
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  foldsCase: true,
  routes: 'auto',
}

/** Equal for addresses that are one page; bounded in length. */
export function pageKeyOf(url: string): string {
  const key = parsePageUrl(url, SIMILAR)?.key ?? url
  return key.length <= MAX_KEY ? key : `${key.slice(0, 400)} ${createHash('sha256').update(key).digest('base64url')}`
}

/** For two addresses with one `pageKeyOf`: a server may have a page at `/about` and none at `/About`. */
export const haveSamePath = (a: string, b: string): boolean =>
  parsePageUrl(a, SIMILAR)?.path === parsePageUrl(b, SIMILAR)?.path

/** `www.example.com` and `example.com` are one site; `www.com` is its own. */
export const withoutWww = (hostname: string): string =>
  hostname.startsWith('www.') && hostname.indexOf('.', 4) > 0 ? hostname.slice(4) : hostname

function isNoise(piece: string): boolean {
  const at = piece.indexOf('=')
  const name = (at < 0 ? piece : piece.slice(0, at)).toLowerCase()
  if (TRACKING.test(name) || SESSION.test(name)) return true
  if (!POSSIBLE_SESSION_PARAMETER.test(name) || at < 0) return false
  const value = piece.slice(at + 1)
  return SESSION_VALUE.test(value) || (/^s(?:id|ession)$/.test(name) && SHORT_SESSION_VALUE.test(value))
}

/** `/shop;jsessionid=0A1B/cart` → `/shop/cart` */
function withoutSessionPart(path: string): string {
  return path
    .split('/')
    .map((segment) => {
      const at = segment.search(/;(?:jsessionid|phpsessid|sid)=/i)
      return at < 0 ? segment : segment.slice(0, at)
    })
    .join('/')
}

function pathKey(path: string, foldsCase = false): string {
  const plain = path.includes('%') ? path.replace(/%[0-9a-f]{2}/gi, unescapeIfReadable) : path
  const bare = plain.replace(INDEX_PAGE, '/')
  const segments = bare.split('/').filter(Boolean)
  const fold = (segment: string) => (foldsCase && FOLDABLE.test(segment) ? segment.toLowerCase() : segment)
  return `/${segments.map(fold).join('/')}`
}

function unescapeIfReadable(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
  return /[A-Za-z0-9\-._~]/.test(character) ? character : escaped.toUpperCase()
}

/** Sorted, so that `?a=1&b=2` equals `?b=2&a=1`. */
const queryKey = (query: readonly string[]): string => (query.length === 0 ? '' : `?${[...query].sort().join('&')}`)
