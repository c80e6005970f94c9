// A tab driven by Playwright: drawn pages, and all pages of the enhanced browser.
import type { Page, Request, Response } from 'playwright-core'
import type { Hop, Visit } from '../../base/page.ts'
import type { ProxyLogin } from '../browser-proxy.ts'
import type { DrawnContext } from './playwright-contexts.ts'
import { CrashedPage, type Lease } from './pool.ts'
import { identity } from './profile.ts'
import {
  answerQuestions,
  BLOCKING,
  CHANGING,
  evaluateApart,
  keepCookies,
  MAX_HOPS,
  mainFrameOf,
  type PageResponse,
  type Tab,
} from './tab.ts'

export async function openDrawnTab(
  { context, page }: DrawnContext,
  { kind, version }: Lease,
  { visit, pass, watch }: { visit: Visit; pass: ProxyLogin; watch: string },
): Promise<Tab> {
  await keepCookies(visit, (cookies) => context.addCookies(cookies))
  const session = await context.newCDPSession(page)
  const frame = mainFrameOf(session)
  await Promise.all([
    session.send('Page.enable'),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: watch }),
    session.send('Emulation.setUserAgentOverride', identity(visit, version)),
    answerQuestions(session, visit, pass, true),
  ])
  const under = new Set<Request>()
  let answer: PageResponse | undefined
  const isMain = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame()
  page.on('request', (request) => {
    if (CHANGING.has(request.resourceType())) under.add(request)
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
    page.on('crash', () => reject(new CrashedPage('the page crashed')))
  })
  crashed.catch(() => {})
  return {
    page,
    async go(url) {
      const response = await page.goto(url, { waitUntil: 'commit', timeout: 0 })
      return response ? answerOf(response) : undefined
    },
    run: runner(page, kind),
    runApart: (script) => evaluateApart(session, script),
    url: () => page.url(),
    loaded: (timeout) => page.waitForLoadState('domcontentloaded', { timeout }).catch(() => {}),
    busy: () => under.size,
    awaited: () =>
      [...under].map((one) => ({ url: one.url(), kind: one.resourceType() })).filter(({ kind }) => BLOCKING.has(kind)),
    answer: () => answer,
    // Playwright returns a host's own cookies for its subdomains too; the browser does not send them.
    async cookies(url) {
      const { hostname } = new URL(url)
      return (await context.cookies(url)).filter(({ domain }) => domain.startsWith('.') || domain === hostname)
    },
    drawn: () => true,
    draw() {},
    crashed,
    ...frame,
  }
}

/** Patchright runs scripts in an isolated world unless its fourth argument is false. */
function runner(page: Page, kind: Lease['kind']): Tab['run'] {
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

async function hopsOf(response: Response): Promise<Hop[]> {
  const hops: Hop[] = []
  let request = response.request().redirectedFrom()
  for (; request && hops.length < MAX_HOPS; request = request.redirectedFrom()) {
    const answer = await request.response()
    const location = answer?.headers().location ?? ''
    hops.unshift({ url: request.url(), status: answer?.status() ?? 302, location })
  }
  return hops
}
