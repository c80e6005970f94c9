// Cookies within one redirect chain: many sites set one, redirect and check that it returns. tough-cookie implements
// RFC 6265.
import { Cookie, CookieJar as Jar } from 'tough-cookie'

interface CookieJar {
  keep(url: URL, setCookie: string | string[] | undefined): void
  header(url: URL, callers: string | undefined): string | undefined
}

const MAX_COOKIES = 50
const MAX_COOKIE_LENGTH = 4096
const MAX_HEADER_LENGTH = 16_384

export function makeCookieJar(): CookieJar {
  let jar: Jar | undefined
  const kept = new Set<string>()

  function keep(url: URL, setCookie: string | string[] | undefined): void {
    if (setCookie === undefined) return
    for (const line of typeof setCookie === 'string' ? [setCookie] : setCookie) {
      const cookie = line.length > MAX_COOKIE_LENGTH || hasControls(line) ? undefined : Cookie.parse(line)
      if (!cookie || cookie.key === '') continue
      const place = `${cookie.domain} ${cookie.path} ${cookie.key}`
      if (kept.size >= MAX_COOKIES && !kept.has(place)) continue
      kept.add(place)
      jar ??= new Jar()
      // Ignore cookies this host may not set, as a browser does.
      jar.setCookieSync(cookie, url.href, { ignoreError: true })
    }
  }

  function header(url: URL, callers: string | undefined): string | undefined {
    const mine = jar?.getCookiesSync(url.href).map((cookie) => cookie.cookieString()) ?? []
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

const nameOf = (pair: string): string => pair.split('=', 1)[0]!

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}
