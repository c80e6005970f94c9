// A tab driven over CDP directly, for pages that are only read. Subscribes only to the events it needs.
import type { RedirectHop, Visit } from '../../base/visit-and-capture-types.ts'
import type { ProxyLogin } from '../browser-proxy.ts'
import { type BrowserLease, CrashedPageError } from './browser-pool.ts'
import { makeFrameLoopStarter, type UnpaintedContext } from './cdp-contexts.ts'
import type { CdpSession } from './cdp-pipe.ts'
import { makeUserAgentOverride } from './context-options.ts'
import { makeNetworkRecorder } from './record-network.ts'
import {
  BLOCKING_RESOURCE_TYPES,
  CONTENT_RESOURCE_TYPES,
  evaluateInIsolatedWorld,
  evaluateInPage,
  interceptTabRequests,
  MAX_REDIRECT_HOPS,
  type PageRequest,
  type PageResponse,
  setCallerCookies,
  type Tab,
  watchMainFrame,
} from './tab-interface.ts'

export async function openCdpTab(
  { session, frameId, wire }: UnpaintedContext,
  { version }: BrowserLease,
  { visit, pass, watch }: { visit: Visit; pass: ProxyLogin; watch: string },
): Promise<Tab> {
  const crashed = new Promise<never>((_, reject) => {
    session.on('Inspector.targetCrashed', () => reject(new CrashedPageError('the page crashed')))
  })
  crashed.catch(() => {})
  const under = new Map<string, PageRequest>()
  countRequests(session, under)
  const network = visit.network && makeNetworkRecorder(visit.network)
  network?.watch(session)
  session.on('Target.attachedToTarget', ({ sessionId }) => {
    const worker = wire.session(sessionId)
    countRequests(worker, under)
    network?.watch(worker)
    void worker.send('Network.enable').catch(() => {})
    void worker.send('Runtime.runIfWaitingForDebugger').catch(() => {})
  })
  session.on('Page.javascriptDialogOpening', () => {
    void session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
  })
  const frame = watchMainFrame(session)
  const place = placeOf(session, frameId)
  const answer = answerOf(session, frameId)
  await Promise.all([
    setCallerCookies(visit, (cookies) => session.send('Network.setCookies', { cookies })),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: watch }),
    session.send('Emulation.setUserAgentOverride', makeUserAgentOverride(visit, version)),
    interceptTabRequests(session, visit, pass, false),
  ])
  let drawn = false
  const beat = makeFrameLoopStarter({ session, wire })
  return {
    page: undefined,
    async go(url) {
      const { errorText } = await session.send('Page.navigate', { url })
      if (errorText !== undefined) throw new Error(`${errorText} at ${url}`)
      return answer()
    },
    run: (script) => evaluateInPage(session, script),
    runApart: (script) => evaluateInIsolatedWorld(session, script),
    url: place.url,
    loaded: place.loaded,
    busy: () => under.size,
    awaited: () => [...under.values()].filter(({ kind }) => BLOCKING_RESOURCE_TYPES.has(kind)),
    answer,
    cookies: async (url) => (await session.send('Network.getCookies', { urls: [url] })).cookies,
    drawn: () => drawn,
    draw(quickMs) {
      beat(quickMs)
      drawn = true
    },
    crashed,
    network,
    ...frame,
  }
}

interface Received {
  url: string
  status: number
  headers: Record<string, string>
}

function countRequests(session: CdpSession, under: Map<string, PageRequest>): void {
  session.on('Network.requestWillBeSent', ({ requestId, type, request: { url } }) => {
    const kind = type?.toLowerCase() ?? ''
    if (CONTENT_RESOURCE_TYPES.has(kind)) under.set(requestId, { url, kind })
  })
  session.on('Network.loadingFinished', ({ requestId }) => void under.delete(requestId))
  session.on('Network.loadingFailed', ({ requestId }) => void under.delete(requestId))
}

function placeOf(session: CdpSession, frameId: string) {
  let url = 'about:blank'
  let isLoaded = false
  let onLoaded = () => {}
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== frameId) return
    url = frame.url + (frame.urlFragment ?? '')
    isLoaded = false
  })
  session.on('Page.navigatedWithinDocument', (step) => {
    if (step.frameId === frameId) url = step.url
  })
  session.on('Page.domContentEventFired', () => {
    isLoaded = true
    onLoaded()
  })
  return {
    url: () => url,
    loaded: (patienceMs: number) =>
      new Promise<void>((resolve) => {
        if (isLoaded) return resolve()
        const timer = setTimeout(resolve, patienceMs)
        onLoaded = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

function answerOf(session: CdpSession, frameId: string): () => PageResponse | undefined {
  let answer: PageResponse | undefined
  let hops: RedirectHop[] = []
  session.on('Network.requestWillBeSent', ({ type, frameId: frame, redirectResponse }) => {
    if (type !== 'Document' || frame !== frameId) return
    if (!redirectResponse) hops = []
    else if (hops.length < MAX_REDIRECT_HOPS) {
      answer = makeResponse(redirectResponse, hops, async () => undefined)
      hops = [...hops, { url: answer.url, status: answer.status, location: answer.headers.location ?? '' }]
    }
  })
  session.on('Network.responseReceived', ({ type, requestId, frameId: frame, response }) => {
    if (type === 'Document' && frame === frameId && response.status !== 204)
      answer = makeResponse(response, hops, () => sentBody(session, requestId))
  })
  return () => answer
}

const makeResponse = (
  { url, status, headers }: Received,
  hops: RedirectHop[],
  sent: PageResponse['sent'],
): PageResponse => ({
  url,
  status,
  headers: lowerNames(headers),
  hops: async () => hops,
  sent,
})

async function sentBody(session: CdpSession, requestId: string): Promise<string | undefined> {
  const kept = await session.send('Network.getResponseBody', { requestId }).catch(() => undefined)
  return kept && !kept.base64Encoded ? kept.body : undefined
}

/** CDP separates repeated headers with newlines. */
const lowerNames = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.replaceAll('\n', ', ')]))
