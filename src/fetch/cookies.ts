// Cookies within one chain of redirects: many sites set one, send the visitor on and look whether it comes back. Nothing
// outlives the chain.
import { getPublicSuffix } from 'tldts'

interface Cookie {
  name: string
  value: string
  domain: string
  /** Also sent to hosts below `domain`. */
  wide: boolean
  path: string
  secure: boolean
}

export interface CookieJar {
  keep(url: URL, setCookie: string | string[] | undefined): void
  /** The Cookie header for this address, the caller's own cookies included; nothing when there are none. */
  header(url: URL, callers: string | undefined): string | undefined
}

const MAX_COOKIES = 50
const MAX_COOKIE_LENGTH = 4096
const MAX_HEADER_LENGTH = 16_384

export function cookieJar(): CookieJar {
  let cookies: Cookie[] = []

  function keep(url: URL, setCookie: string | string[] | undefined): void {
    if (setCookie === undefined) return
    for (const line of typeof setCookie === 'string' ? [setCookie] : setCookie) {
      const read = readCookie(url, line)
      if (read === undefined) continue
      const { cookie, expired } = read
      cookies = cookies.filter(
        (old) => !(old.name === cookie.name && old.domain === cookie.domain && old.path === cookie.path),
      )
      if (!expired && cookies.length < MAX_COOKIES) cookies.push(cookie)
    }
  }

  function header(url: URL, callers: string | undefined): string | undefined {
    const mine = cookies.filter((cookie) => belongs(cookie, url)).map(({ name, value }) => `${name}=${value}`)
    if (mine.length === 0) return callers
    const fresh = new Set(mine.map(nameOf))
    const given = (callers ?? '').split(';').map((part) => part.trim())
    const pairs = [...given.filter((pair) => pair !== '' && !fresh.has(nameOf(pair))), ...mine]
    let text = ''
    for (const pair of pairs) {
      if (text.length + pair.length + 2 > MAX_HEADER_LENGTH) break
      text += text === '' ? pair : `; ${pair}`
    }
    return text
  }

  return { keep, header }
}

function belongs({ domain, wide, path, secure }: Cookie, url: URL): boolean {
  if (secure && url.protocol !== 'https:') return false
  if (url.hostname !== domain && !(wide && url.hostname.endsWith(`.${domain}`))) return false
  return url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function readCookie(url: URL, line: string): { cookie: Cookie; expired: boolean } | undefined {
  if (line.length > MAX_COOKIE_LENGTH || hasControls(line)) return undefined
  const [pair = '', ...attributes] = line.split(';')
  const cut = pair.indexOf('=')
  if (cut < 1) return undefined
  const name = pair.slice(0, cut).trim()
  const value = pair.slice(cut + 1).trim()
  const folder = url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/')))
  const cookie: Cookie = { name, value, domain: url.hostname, wide: false, path: folder, secure: false }
  let expired = false
  for (const attribute of attributes) {
    const equals = attribute.indexOf('=')
    const key = (equals < 0 ? attribute : attribute.slice(0, equals)).trim().toLowerCase()
    const text = equals < 0 ? '' : attribute.slice(equals + 1).trim()
    if (key === 'secure') cookie.secure = true
    if (key === 'path' && text.startsWith('/')) cookie.path = text
    if (key === 'max-age') expired = Number(text) <= 0
    if (key === 'domain' && text !== '') {
      const domain = text.replace(/^\./, '').toLowerCase()
      if (!covers(domain, url.hostname)) return undefined
      cookie.domain = domain
      cookie.wide = true
    }
  }
  return { cookie, expired }
}

// A cookie for a whole public suffix (`co.uk`) would reach sites of other owners.
function covers(domain: string, host: string): boolean {
  if (domain === host) return true
  return host.endsWith(`.${domain}`) && getPublicSuffix(domain, { allowPrivateDomains: true }) !== domain
}

const nameOf = (pair: string): string => pair.split('=', 1)[0]!

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}
