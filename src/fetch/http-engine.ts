// The plain HTTP engine: one request with a current browser's headers. No scripts run.

import { systemClock } from '../base/clock.ts'
import type { CacheValidators, Capture, Visit } from '../base/visit-and-capture-types.ts'
import { botIdentity } from './bot-identity.ts'
import type { BrowserTlsTransport } from './browser-tls-fingerprint.ts'
import type { Egress } from './egress.ts'
import type { FetchEngine } from './fetch-engine.ts'

/** Major version of the browser of this service: two versions from one visitor look suspicious. */
let chromiumVersion = '147'

export function setChromiumVersion(version: string): void {
  chromiumVersion = /^\d+/.exec(version)?.[0] ?? chromiumVersion
}

const ENCODINGS = 'gzip, deflate, br, zstd'
const ACCEPT =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'
/** Chrome never offers markdown, so the enhanced tier does not either. */
const ACCEPT_MARKDOWN = ACCEPT.replace('xml;q=0.9,', 'xml;q=0.9,text/markdown;q=0.9,')
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i
const MAX_LANGUAGES = 6
/** Enough of an audio or video file to identify it; the file itself is fetched separately. */
const MEDIA_HEAD_BYTES = 65_536

/** `browserFound` resolves when the version of the browser is known, or will not be soon. */
export function makeHttpEngine(
  egress: Egress,
  disguise?: BrowserTlsTransport,
  browserFound?: () => Promise<unknown>,
): FetchEngine {
  return {
    name: 'http',
    gives: ['bytes'],
    cost: 1,
    async fetch(visit, signal): Promise<Capture> {
      const fetchedAt = systemClock.now()
      const enhanced = visit.proxy === 'enhanced'
      if (enhanced) await disguise?.ready(signal)
      await browserFound?.()
      const response = await egress.fetch(
        {
          url: visit.url,
          headers: { ...conditions(visit.marks), ...makeBrowserHeaders(visit) },
          credentialHosts: visit.credentialHosts,
          skipTlsVerification: visit.skipTlsVerification,
          proxy: enhanced ? 'enhanced' : 'basic',
          country: visit.country,
          ...(visit.media ? { mediaBytes: MEDIA_HEAD_BYTES } : {}),
          ...(enhanced && disguise ? { wire: disguise.wire } : {}),
        },
        signal,
      )
      return { engine: 'http', fetchedAt, ...response, ...(enhanced ? { proxyUsed: 'stealth' as const } : {}) }
    },
  }
}

const conditions = ({ etag, lastModified }: CacheValidators = {}): Record<string, string> => ({
  ...(etag === undefined ? {} : { 'if-none-match': etag }),
  ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
})

type HeaderFacts = Pick<Visit, 'headers' | 'languages' | 'mobile'> & Partial<Pick<Visit, 'acceptsMarkdown' | 'proxy'>>

/** The browser's headers in its order, or those of the named bot; the caller's override them, case-insensitively. */
export function makeBrowserHeaders(visit: HeaderFacts): Record<string, string> {
  const accept = visit.acceptsMarkdown && visit.proxy !== 'enhanced' ? ACCEPT_MARKDOWN : ACCEPT
  const given = Object.fromEntries(Object.entries(visit.headers).map(([name, value]) => [name.toLowerCase(), value]))
  const bot = given['user-agent'] === undefined ? botIdentity() : undefined
  const common = { 'accept-encoding': ENCODINGS, 'accept-language': writeAcceptLanguage(visit.languages) }
  if (bot) return { 'user-agent': bot.userAgent, accept, ...common, ...given }
  const version = chromiumVersion
  const system = visit.mobile ? 'Linux; Android 10; K' : 'X11; Linux x86_64'
  const headers: Record<string, string> = {
    'sec-ch-ua': `"Chromium";v="${version}", "Google Chrome";v="${version}", "Not.A/Brand";v="8"`,
    'sec-ch-ua-mobile': visit.mobile ? '?1' : '?0',
    'sec-ch-ua-platform': visit.mobile ? '"Android"' : '"Linux"',
    'upgrade-insecure-requests': '1',
    'user-agent': `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 ${visit.mobile ? 'Mobile ' : ''}Safari/537.36`,
    accept,
    'sec-fetch-site': 'none',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-user': '?1',
    'sec-fetch-dest': 'document',
    ...common,
    priority: 'u=0, i',
  }
  // With a custom user agent, Chrome's client hints would contradict it.
  if (given['user-agent'] !== undefined) {
    delete headers['sec-ch-ua']
    delete headers['sec-ch-ua-mobile']
    delete headers['sec-ch-ua-platform']
  }
  return { ...headers, ...given }
}

/** `de-DE, en` → `de-DE,de;q=0.9,en;q=0.8`: each language follows its regional form, as browsers send it. */
export function writeAcceptLanguage(languages: readonly string[]): string {
  const wanted = new Set<string>()
  const valid = languages.filter((language) => LANGUAGE.test(language)).slice(0, MAX_LANGUAGES)
  for (const language of valid.length > 0 ? valid : ['en-US']) {
    wanted.add(language)
    const plain = language.split('-', 1)[0]!
    const next = valid[valid.indexOf(language) + 1]
    if (!next?.startsWith(`${plain}-`)) wanted.add(plain)
  }
  return [...wanted]
    .map((language, index) => (index === 0 ? language : `${language};q=${Math.max(0.1, 1 - index / 10).toFixed(1)}`))
    .join(',')
}
