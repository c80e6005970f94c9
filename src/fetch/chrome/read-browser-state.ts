// Reads cookies and storage of another browser: cookies.txt (Netscape), Playwright storage state, HAR, or a list of
// cookies as JSON. Pure; values never appear in an error.
import { Problem } from '../../base/problem.ts'

interface StoredCookie {
  name: string
  value: string
  domain: string
  path: string
  /** Seconds since the epoch; -1: until the browser ends. */
  expires: number
  httpOnly: boolean
  secure: boolean
  sameSite: 'Strict' | 'Lax' | 'None'
}

interface BrowserState {
  cookies: StoredCookie[]
  origins: { origin: string; localStorage: { name: string; value: string }[] }[]
}

interface ReadBrowserState extends BrowserState {
  /** Cookies and storage that were not taken: expired, malformed, or of another domain. */
  skipped: number
}

const MAX_COOKIES = 3000
const MAX_ORIGINS = 200
/** Of name and value together, as browsers have it (RFC 6265bis). */
const MAX_COOKIE_CHARS = 4096
const MAX_STORAGE_CHARS = 5_000_000
const HTTP_ONLY = '#HttpOnly_'
const SAME_SITE = new Map<string, StoredCookie['sameSite']>([
  ['strict', 'Strict'],
  ['lax', 'Lax'],
  ['none', 'None'],
  ['no_restriction', 'None'],
])

type Fields = Record<string, unknown>

/** `domains`: in lower case, with their subdomains; empty: all. */
export function readBrowserState(text: string, domains: readonly string[], nowMs: number): ReadBrowserState {
  const file = text.replace(/^\uFEFF/, '').trim()
  const given = /^[[{]/.test(file) ? ofJson(parse(file)) : { cookies: netscapeCookies(file), origins: [] }
  const isWanted = (host: string) => domains.length === 0 || domains.some((one) => matchesDomain(one, host))
  const cookies = new Map<string, StoredCookie>()
  for (const one of given.cookies) {
    const cookie = cookieOf(one)
    const isAlive = cookie && (cookie.expires === -1 || cookie.expires * 1000 > nowMs)
    if (!cookie || !isAlive || !isWanted(cookie.domain) || cookies.size >= MAX_COOKIES) continue
    // A later cookie of the same place replaces the earlier one.
    cookies.set(`${cookie.domain}\n${cookie.path}\n${cookie.name}`, cookie)
  }
  const origins = given.origins.flatMap((one) => originOf(one, isWanted) ?? []).slice(0, MAX_ORIGINS)
  const chars = origins.reduce((sum, { localStorage }) => sum + JSON.stringify(localStorage).length, 0)
  if (chars > MAX_STORAGE_CHARS)
    throw makeUnreadableProblem(`it holds more than ${MAX_STORAGE_CHARS} characters of storage`)
  if (cookies.size === 0 && origins.length === 0)
    throw makeUnreadableProblem('it has no usable cookie or storage (HAR files are often saved without cookies)')
  const skipped = given.cookies.length - cookies.size + given.origins.length - origins.length
  return { cookies: [...cookies.values()], origins, skipped }
}

const makeUnreadableProblem = (because: string): Problem =>
  new Problem('bad_request', { because: `\`content\`: ${because}` })

const matchesDomain = (domain: string, host: string): boolean => `.${host}`.endsWith(`.${domain}`)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw makeUnreadableProblem('it is not valid JSON')
  }
}

interface Given {
  cookies: Fields[]
  origins: unknown[]
}

const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter((one) => one !== null && typeof one === 'object') : []

function ofJson(json: unknown): Given {
  if (Array.isArray(json)) return { cookies: listOf(json), origins: [] }
  const { cookies, origins, log } = (json ?? {}) as Fields
  if (log && typeof log === 'object') return { cookies: harCookies(log as Fields), origins: [] }
  return { cookies: listOf(cookies), origins: listOf(origins) }
}

/** Cookies that requests sent, then those that responses set, in the order of the recording. */
function harCookies({ entries }: Fields): Fields[] {
  return listOf(entries).flatMap(({ request, response }) => {
    const { url, cookies: sent } = (request ?? {}) as Fields
    const { cookies: set } = (response ?? {}) as Fields
    if (typeof url !== 'string' || !URL.canParse(url)) return []
    const { hostname, protocol } = new URL(url)
    const place = { domain: hostname, path: '/', secure: protocol === 'https:' }
    return [...listOf(sent), ...listOf(set)].map((one) => ({ ...place, ...withoutEmpty(one) }))
  })
}

const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )

function netscapeCookies(text: string): Fields[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const isHttpOnly = line.startsWith(HTTP_ONLY)
    if (line.startsWith('#') && !isHttpOnly) return []
    const [domain, subdomains, path, secure, expires, name, ...value] = line
      .slice(isHttpOnly ? HTTP_ONLY.length : 0)
      .split('\t')
    if (name === undefined || domain === undefined) return []
    const isDomain = subdomains?.toUpperCase() === 'TRUE'
    return {
      domain: isDomain && !domain.startsWith('.') ? `.${domain}` : domain,
      ...{ path, name, value: value.join('\t'), httpOnly: isHttpOnly },
      secure: secure?.toUpperCase() === 'TRUE',
      expires: Number(expires) || -1,
    }
  })
}

function cookieOf(fields: Fields): StoredCookie | undefined {
  const { name, value, domain, path, httpOnly, secure, sameSite, hostOnly } = fields
  if (typeof name !== 'string' || name === '' || typeof value !== 'string' || typeof domain !== 'string')
    return undefined
  const host = domain.trim().toLowerCase()
  // A control character or semicolon would add a second cookie.
  const isSafe = [name, value].every((text) => !/[\0-\x1f\x7f;]/.test(text)) && !name.includes('=')
  if (!isSafe || name.length + value.length > MAX_COOKIE_CHARS || !URL.canParse(`http://${host.replace(/^\./, '')}/`))
    return undefined
  const named = SAME_SITE.get(String(sameSite).toLowerCase()) ?? 'Lax'
  const isSecure = secure === true
  return {
    ...{ name, value, domain: hostOnly === true ? host.replace(/^\./, '') : host },
    path: typeof path === 'string' && path.startsWith('/') && !/[\0-\x1f;]/.test(path) ? path.slice(0, 1024) : '/',
    expires: expiryOf(fields),
    httpOnly: httpOnly === true,
    secure: isSecure,
    // Browsers refuse `None` without `Secure`.
    sameSite: named === 'None' && !isSecure ? 'Lax' : named,
  }
}

function expiryOf({ expires, expirationDate }: Fields): number {
  const given = expires ?? expirationDate
  const seconds = typeof given === 'string' ? Date.parse(given) / 1000 : given
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : -1
}

function originOf(given: unknown, isWanted: (host: string) => boolean): BrowserState['origins'][number] | undefined {
  const { origin, localStorage } = given as Fields
  if (typeof origin !== 'string' || !/^https?:/.test(origin) || !URL.canParse(origin)) return undefined
  const items = listOf(localStorage).flatMap(({ name, value }) =>
    typeof name === 'string' && typeof value === 'string' ? [{ name, value }] : [],
  )
  const url = new URL(origin)
  return items.length > 0 && isWanted(url.hostname) ? { origin: url.origin, localStorage: items } : undefined
}
