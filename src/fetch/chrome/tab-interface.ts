// The page interface of a visit, implemented by playwright-tab.ts (Playwright) and cdp-tab.ts (CDP), with their shared
// parts.

import type { Page } from 'playwright-core'
import { valueOr } from '../../base/attempt.ts'
import { Problem } from '../../base/problem.ts'
import type { RedirectHop, Visit } from '../../base/visit-and-capture-types.ts'
import { botIdentity } from '../bot-identity.ts'
import type { ProxyLogin } from '../browser-proxy.ts'
import { mayReceiveCredentials } from '../follow-redirects.ts'
import type { CdpSession } from './cdp-pipe.ts'
import { headerOfVisit } from './context-options.ts'
import type { NetworkRecorder } from './record-network.ts'

export interface PageResponse {
  url: string
  status: number
  headers: Readonly<Record<string, string>>
  hops(): Promise<RedirectHop[]>
  /** The document as the server sent it; undefined when the browser has not kept it. */
  sent(): Promise<string | undefined>
}

export interface PageRequest {
  url: string
  kind: string
}

export interface Tab {
  page: Page | undefined
  /** Resolves at the first bytes of a document. */
  go(url: string): Promise<PageResponse | undefined>
  run<T>(script: string): Promise<T>
  /** In the isolated world, out of reach of page scripts; our watch script is not visible there. */
  runApart<T>(script: string): Promise<T>
  url(): string
  loaded(patienceMs: number): Promise<void>
  /** Pending requests that can still change the page. */
  busy(): number
  /** Pending scripts and style sheets, which may block the document. */
  awaited(): PageRequest[]
  documents(): number
  /** A script or the page has asked for the next document, which is not there yet. */
  leaving(): boolean
  answer(): PageResponse | undefined
  file(): string | undefined
  fileMet: Promise<void>
  cookies(url: string): Promise<{ name: string; value: string }[]>
  /** True when the page gets frames: always for drawn pages, else after `draw`. */
  drawn(): boolean
  /** Frames come quickly for `quickMs`. */
  draw(quickMs?: number): void
  crashed: Promise<never>
  network: NetworkRecorder | undefined
}

export function getPlaywrightPage({ page }: Tab): Page {
  if (!page) throw new Problem('internal', { because: 'a still page was asked for what only drawn pages have' })
  return page
}

export const CONTENT_RESOURCE_TYPES = new Set(['document', 'script', 'stylesheet', 'xhr', 'fetch'])
export const BLOCKING_RESOURCE_TYPES = new Set(['script', 'stylesheet'])
export const MAX_REDIRECT_HOPS = 20

export function watchMainFrame(session: CdpSession): Pick<Tab, 'documents' | 'leaving' | 'file' | 'fileMet'> {
  let documents = 0
  let file: string | undefined
  let meet = () => {}
  const fileMet = new Promise<void>((resolve) => {
    meet = resolve
  })
  let main: string | undefined
  let leaving = true
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return
    documents += 1
    main = frame.id
    leaving = false
  })
  session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
    if (frameId === main && disposition === 'currentTab') leaving = true
  })
  // Ignore downloads that start without a navigation.
  session.on('Page.downloadWillBegin', ({ frameId, url }) => {
    if (!leaving || frameId !== (main ?? frameId)) return
    file = url
    meet()
  })
  return { documents: () => documents, leaving: () => leaving, file: () => file, fileMet }
}

export async function evaluateInPage<T>(session: CdpSession, expression: string, contextId?: number): Promise<T> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
    ...(contextId === undefined ? {} : { contextId }),
  })
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}

export async function evaluateInIsolatedWorld<T>(session: CdpSession, script: string): Promise<T> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const world = { frameId: frameTree.frame.id, worldName: 'apart' }
  const { executionContextId } = await session.send('Page.createIsolatedWorld', world)
  return evaluateInPage(session, script, executionContextId)
}

const MAX_COOKIES = 200

type KeepCookies = (cookies: { name: string; value: string; url: string; secure: boolean }[]) => Promise<unknown>

/** The caller's cookies go into the jar, so that cookie rules apply, also on redirects. */
export async function setCallerCookies(visit: Visit, keep: KeepCookies, url = visit.url): Promise<void> {
  const given = headerOfVisit(visit, 'cookie')
  if (given === undefined) return
  const { origin, protocol } = new URL(url)
  const place = { url: `${origin}/`, secure: protocol === 'https:' }
  const cookies = given.split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [{ name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim(), ...place }]
  })
  const wanted = cookies.slice(0, MAX_COOKIES)
  // A cookie that the browser rejects, such as `__Host-` on plain http, must not drop the others.
  const oneByOne = () => Promise.allSettled(wanted.map((cookie) => keep([cookie])))
  await keep(wanted).catch(oneByOne)
}

interface Paused {
  requestId: string
  resourceType: string
  request: { url: string; headers: Record<string, string> }
}

/** A transparent pixel: a failed image would trigger the page's error handling. */
const TRANSPARENT_PIXEL_RESPONSE = {
  responseCode: 200,
  responseHeaders: [{ name: 'Content-Type', value: 'image/gif' }],
  body: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
}
const UNSEEN = ['Image', 'Media', 'Font'] as const

/**
 * Answers proxy authentication, adds caller headers for their recipients only, signs documents for the named bot, and
 * unless `loadsImages` blocks images.
 */
export async function interceptTabRequests(
  session: CdpSession,
  visit: Visit,
  pass: ProxyLogin,
  loadsImages: boolean,
): Promise<void> {
  const own = Object.entries(visit.headers).filter(([name]) => !/^(cookie|user-agent)$/i.test(name))
  const { credentialHosts: hosts = [] } = visit
  const hasCookies = headerOfVisit(visit, 'cookie') !== undefined
  const bot = headerOfVisit(visit, 'user-agent') === undefined ? botIdentity() : undefined
  const proofOf = async (url: string, kind: string) =>
    bot && kind === 'Document' ? Object.entries(await bot.sign(url)) : []
  const supplied = new Set([originOf(visit.url)])
  const supplyCookies = async (url: string) => {
    const origin = originOf(url)
    if (!hasCookies || supplied.has(origin)) return
    supplied.add(origin)
    await setCallerCookies(visit, (cookies) => session.send('Network.setCookies', { cookies }), url)
  }
  session.on('Fetch.requestPaused', ({ requestId, request, resourceType }: Paused) => {
    if (!loadsImages && resourceType === 'Image')
      return void session.send('Fetch.fulfillRequest', { requestId, ...TRANSPARENT_PIXEL_RESPONSE }).catch(() => {})
    if (!loadsImages && (resourceType === 'Media' || resourceType === 'Font'))
      return void session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {})
    const mine = mayReceiveCredentials({ urls: [visit.url], hosts }, request.url)
    void (mine ? supplyCookies(request.url) : Promise.resolve())
      .then(() => proofOf(request.url, resourceType))
      .then((proof) => {
        const added = [...(mine ? own : []), ...proof]
        // Added headers persist across redirects, so remove them for other origins.
        const sent = mine ? request.headers : without(request.headers, own)
        const headers = own.length === 0 && proof.length === 0 ? {} : { headers: mergeHeaders(sent, added) }
        return session.send('Fetch.continueRequest', { requestId, ...headers })
      })
      // A header that the browser refuses must not block the request.
      .catch(() => session.send('Fetch.continueRequest', { requestId }))
      .catch(() => {})
  })
  const reported = new Set<string>()
  session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    // Credentials go to our proxy only; a site's challenge is cancelled, so its 401 is shown. A repeated challenge
    // means they were rejected.
    const again = reported.has(requestId)
    reported.add(requestId)
    const authChallengeResponse =
      authChallenge.source === 'Proxy' && !again
        ? ({ response: 'ProvideCredentials', username: pass.user, password: pass.password } as const)
        : ({ response: 'CancelAuth' } as const)
    void session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {})
  })
  // Documents suffice: once authenticated, the proxy does not challenge again.
  const kinds = ['Document' as const, ...(loadsImages ? [] : UNSEEN)]
  const everyRequest = own.length > 0 || (hasCookies && hosts.length > 0)
  // The pattern excludes data: URLs, whose images would otherwise pass through here in full.
  const patterns = everyRequest ? [{}] : kinds.map((resourceType) => ({ resourceType, urlPattern: 'http*' }))
  await session.send('Fetch.enable', { patterns, handleAuthRequests: true })
}

function mergeHeaders(sent: Record<string, string>, own: readonly (readonly [string, string])[]) {
  const names = new Set(own.map(([name]) => name.toLowerCase()))
  const kept = Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()))
  return [...kept, ...own].map(([name, value]) => ({ name, value }))
}

function without(sent: Record<string, string>, own: readonly (readonly [string, string])[]) {
  const given = new Map(own.map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => given.get(name.toLowerCase()) !== value))
}

const originOf = (url: string): string | undefined => valueOr(undefined, () => new URL(url).origin)
