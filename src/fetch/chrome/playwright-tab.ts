// A tab driven by Playwright: drawn pages, and all pages of the enhanced browser.
import type { Page, Request, Response } from 'playwright-core'
import type { RedirectHop, Visit } from '../../base/visit-and-capture-types.ts'
import type { ProxyLogin } from '../browser-proxy.ts'
import { type BrowserLease, CrashedPageError } from './browser-pool.ts'
import { makeUserAgentOverride } from './context-options.ts'
import type { PlaywrightContext } from './playwright-contexts.ts'
import { isEmptyErrorResponse, isInterruptedBy } from './playwright-errors.ts'
import { makeNetworkRecorder, NETWORK_BUFFERS } from './record-network.ts'
import {
  BLOCKING_RESOURCE_TYPES,
  CONTENT_RESOURCE_TYPES,
  evaluateInIsolatedWorld,
  interceptTabRequests,
  MAX_REDIRECT_HOPS,
  type PageResponse,
  setCallerCookies,
  type Tab,
  watchMainFrame,
} from './tab-interface.ts'

export async function openPlaywrightTab(
  { context, page }: PlaywrightContext,
  { kind, version }: BrowserLease,
  { visit, pass, watch }: { visit: Visit; pass: ProxyLogin; watch: string },
): Promise<Tab> {
  await setCallerCookies(visit, (cookies) => context.addCookies(cookies))
  const session = await context.newCDPSession(page)
  const frame = watchMainFrame(session)
  const network = visit.network && makeNetworkRecorder(visit.network)
  network?.watch(session)
  await Promise.all([
    session.send('Page.enable'),
    network && session.send('Network.enable', NETWORK_BUFFERS),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: watch }),
    session.send('Emulation.setUserAgentOverride', makeUserAgentOverride(visit, version)),
    interceptTabRequests(session, visit, pass, true),
  ])
  const under = new Set<Request>()
  let answer: PageResponse | undefined
  let emptyUrl: string | undefined
  const isMain = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame()
  page.on('request', (request) => {
    if (CONTENT_RESOURCE_TYPES.has(request.resourceType())) under.add(request)
  })
  page.on('requestfinished', (request) => under.delete(request))
  page.on('requestfailed', (request) => under.delete(request))
  page.on('response', (response) => {
    if (isMain(response.request()) && response.status() !== 204) answer = answerOf(response)
  })
  // A flow answers dialogs as they were recorded, and follows popups.
  if (!visit.actions.some(({ type }) => type === 'flow')) {
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
    context.on('page', (other) => {
      if (other !== page) void other.close().catch(() => {})
    })
  }
  const crashed = new Promise<never>((_, reject) => {
    page.on('crash', () => reject(new CrashedPageError('the page crashed')))
  })
  crashed.catch(() => {})
  return {
    page,
    async go(url) {
      try {
        const response = await page.goto(url, { waitUntil: 'commit', timeout: 0 })
        return response ? answerOf(response) : undefined
      } catch (error) {
        if (!answer || !isEmptyErrorResponse(error)) throw error
        await showEmpty(page)
        emptyUrl = answer.url
        return answer
      }
    },
    run: runner(page, kind),
    runApart: (script) => evaluateInIsolatedWorld(session, script),
    url: () => (emptyUrl !== undefined && page.url() === EMPTY_PAGE ? emptyUrl : page.url()),
    loaded: (timeout) => page.waitForLoadState('domcontentloaded', { timeout }).catch(() => {}),
    busy: () => under.size,
    awaited: () =>
      [...under]
        .map((one) => ({ url: one.url(), kind: one.resourceType() }))
        .filter(({ kind }) => BLOCKING_RESOURCE_TYPES.has(kind)),
    answer: () => answer,
    // Playwright returns a host's own cookies for its subdomains too; the browser does not send them.
    async cookies(url) {
      const { hostname } = new URL(url)
      return (await context.cookies(url)).filter(({ domain }) => domain.startsWith('.') || domain === hostname)
    },
    drawn: () => true,
    draw() {},
    crashed,
    network,
    ...frame,
  }
}

const CHROMIUM_ERROR_PAGE = 'chrome-error://chromewebdata/'
const EMPTY_PAGE = 'about:blank'
const ERROR_PAGE_MS = 5000

/** Waits for Chromium's page first: it interrupts the navigation to the empty one, also when it comes later than that. */
async function showEmpty(page: Page): Promise<void> {
  await page.waitForURL(CHROMIUM_ERROR_PAGE, { waitUntil: 'commit', timeout: ERROR_PAGE_MS }).catch(() => {})
  try {
    await page.goto(EMPTY_PAGE, { waitUntil: 'commit' })
  } catch (error) {
    if (!isInterruptedBy(error, CHROMIUM_ERROR_PAGE)) throw error
    await page.goto(EMPTY_PAGE, { waitUntil: 'commit' })
  }
}

/** Patchright runs scripts in an isolated world unless its fourth argument is false. */
function runner(page: Page, kind: BrowserLease['kind']): Tab['run'] {
  if (kind !== 'enhanced') return (script) => page.evaluate(script)
  const evaluate = page.evaluate.bind(page) as (...args: unknown[]) => Promise<never>
  return (script) => evaluate(script, undefined, undefined, false)
}

const answerOf = (response: Response): PageResponse => ({
  url: response.url(),
  status: response.status(),
  headers: response.headers(),
  hops: () => hopsOf(response),
  sent: async () => {
    // Playwright would wait for a document that never ends.
    const isComplete = response.request().timing().responseEnd >= 0
    return isComplete ? response.text().catch(() => undefined) : undefined
  },
})

async function hopsOf(response: Response): Promise<RedirectHop[]> {
  const hops: RedirectHop[] = []
  let request = response.request().redirectedFrom()
  for (; request && hops.length < MAX_REDIRECT_HOPS; request = request.redirectedFrom()) {
    const answer = await request.response()
    const location = answer?.headers().location ?? ''
    hops.unshift({ url: request.url(), status: answer?.status() ?? 302, location })
  }
  return hops
}
