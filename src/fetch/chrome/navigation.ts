// Gets a tab to an address and keeps an eye on it: the proxy's question is answered, the caller's headers go to the site
// that was asked for and to no other, and the last answer for the main frame is remembered. Knows nothing of content.
import type { BrowserContext, CDPSession, Page, Request, Response } from 'playwright-core'
import type { Hop, Visit } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Pass } from '../browser-proxy.ts'
import { type Lease, LostBrowser } from './pool.ts'
import { headerOf, identity } from './profile.ts'
import { frameBeat } from './rooms.ts'

export interface Tab {
  page: Page
  /** Runs a script in the page's own world and gives what it gives. */
  run<T>(script: string): Promise<T>
  /** Requests under way that can still change what the page shows. */
  busy(): number
  /** Documents that the main frame has loaded so far. */
  documents(): number
  /** The answer that the main frame shows. */
  answer(): Response | undefined
  downloaded(): boolean
  /** True when the page gets frames: at once where pages are drawn, else after `draw`. */
  drawn(): boolean
  draw(): void
  /** Rejects when the page crashes. */
  crashed: Promise<never>
}

const CHANGING = new Set(['document', 'script', 'stylesheet', 'xhr', 'fetch'])

export async function openTab(lease: Lease, visit: Visit, pass: Pass, watch: string): Promise<Tab> {
  const { context, page, version } = lease
  await keepCookies(context, visit)
  const session = await context.newCDPSession(page)
  await Promise.all([
    session.send('Page.enable'),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: watch }),
    session.send('Emulation.setUserAgentOverride', identity(visit, version)),
    answerQuestions(session, visit, pass, lease.kind !== 'still'),
  ])
  const under = new Set<Request>()
  let answer: Response | undefined
  let documents = 0
  let downloaded = false
  const isMain = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame()
  page.on('request', (request) => {
    if (CHANGING.has(request.resourceType())) under.add(request)
  })
  page.on('requestfinished', (request) => under.delete(request))
  page.on('requestfailed', (request) => under.delete(request))
  page.on('response', (response) => {
    // An empty answer leaves the page where it is.
    if (!isMain(response.request()) || response.status() === 204) return
    answer = response
  })
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) documents += 1
  })
  page.on('download', () => {
    downloaded = true
  })
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
  // A window that the page opens is nobody's to read.
  context.on('page', (other) => {
    if (other !== page) void other.close().catch(() => {})
  })
  const crashed = new Promise<never>((_, reject) => {
    page.on('crash', () => reject(new LostBrowser('the page crashed')))
  })
  crashed.catch(() => {})
  let drawn = lease.kind !== 'still'
  const beat = frameBeat(session, () => page.isClosed())
  return {
    page,
    run: runner(page, lease.kind),
    busy: () => under.size,
    documents: () => documents,
    answer: () => answer,
    downloaded: () => downloaded,
    drawn: () => drawn,
    draw() {
      if (!drawn) beat()
      drawn = true
    },
    crashed,
  }
}

/** The enhanced library keeps scripts in a world apart unless its own fourth argument says otherwise. */
function runner(page: Page, kind: Lease['kind']): Tab['run'] {
  if (kind !== 'enhanced') return (script) => page.evaluate(script)
  const evaluate = page.evaluate.bind(page) as (...args: unknown[]) => Promise<never>
  return (script) => evaluate(script, undefined, undefined, false)
}

/** Cookies go into the jar: there they follow the rules of cookies, redirects included. */
async function keepCookies(context: BrowserContext, visit: Visit): Promise<void> {
  const given = headerOf(visit, 'cookie')
  if (given === undefined) return
  const domain = new URL(visit.url).hostname
  const cookies = given.split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [{ name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim(), domain, path: '/' }]
  })
  await context.addCookies(cookies.slice(0, 200)).catch((cause) => {
    throw new Problem('bad_request', { because: 'the Cookie header cannot be read', cause })
  })
}

interface Paused {
  requestId: string
  resourceType: string
  request: { url: string; headers: Record<string, string> }
}

/** One transparent point. A picture that failed instead would wake what pages do about broken pictures. */
const BLANK = {
  responseCode: 200,
  responseHeaders: [{ name: 'Content-Type', value: 'image/gif' }],
  body: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
}
const UNSEEN = ['Image', 'Media', 'Font'] as const

async function answerQuestions(session: CDPSession, visit: Visit, pass: Pass, looked: boolean): Promise<void> {
  const own = Object.entries(visit.headers).filter(([name]) => !/^(cookie|user-agent)$/i.test(name))
  const origin = new URL(visit.url).origin
  session.on('Fetch.requestPaused', ({ requestId, request, resourceType }: Paused) => {
    if (!looked && resourceType === 'Image')
      return void session.send('Fetch.fulfillRequest', { requestId, ...BLANK }).catch(() => {})
    if (!looked && (resourceType === 'Media' || resourceType === 'Font'))
      return void session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {})
    const mine = own.length > 0 && originOf(request.url) === origin
    const headers = mine ? merged(request.headers, own) : undefined
    void session.send('Fetch.continueRequest', { requestId, ...(headers ? { headers } : {}) }).catch(() => {})
  })
  session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    // Only our own proxy is told who we are; a site that asks gets no answer and shows its 401.
    const authChallengeResponse =
      authChallenge.source === 'Proxy'
        ? ({ response: 'ProvideCredentials', username: pass.user, password: pass.password } as const)
        : ({ response: 'CancelAuth' } as const)
    void session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {})
  })
  // Documents are enough: once the proxy knows the browser, it is not asked again.
  const kinds = ['Document' as const, ...(looked ? [] : UNSEEN)]
  const patterns = own.length > 0 ? [{}] : kinds.map((resourceType) => ({ resourceType }))
  await session.send('Fetch.enable', { patterns, handleAuthRequests: true })
}

function merged(sent: Record<string, string>, own: readonly (readonly [string, string])[]) {
  const names = new Set(own.map(([name]) => name.toLowerCase()))
  const kept = Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()))
  return [...kept, ...own].map(([name, value]) => ({ name, value }))
}

const originOf = (url: string): string | undefined => {
  try {
    return new URL(url).origin
  } catch {
    return undefined
  }
}

/** Goes there and comes back with the first answer; a file that the browser would save gives none. */
export async function goTo(tab: Tab, visit: Visit, pass: Pass): Promise<Response | undefined> {
  try {
    const response = await Promise.race([tab.page.goto(visit.url, { waitUntil: 'commit', timeout: 0 }), tab.crashed])
    if (response?.headers()['x-orb-proxy'] === 'failed') throw proxyProblem(response.url(), pass)
    return response ?? undefined
  } catch (error) {
    if (error instanceof Problem || error instanceof LostBrowser) throw error
    if (tab.downloaded() || /Download is starting/.test((error as Error).message)) return undefined
    throw navigationProblem(error as Error, tab, visit, pass)
  }
}

function navigationProblem(error: Error, tab: Tab, visit: Visit, pass: Pass): Problem | Error {
  const [, code] = /net::(ERR_[A-Z_0-9]+)/.exec(error.message) ?? []
  if (code === undefined) return error
  const [, at] = / at (https?:\S+)/.exec(error.message) ?? []
  const reached = [tab.answer()?.headers().location, tab.answer()?.url(), at, visit.url]
  for (const url of reached) {
    const failure = url ? knownFailure(url, pass, visit.url) : undefined
    if (failure) return failure
  }
  if (/^ERR_(CERT|SSL|BAD_SSL)/.test(code))
    return new Problem('tls_failed', {
      because: `${sayCode(code)}. \`skipTlsVerification\` would accept a bad certificate`,
      cause: error,
    })
  if (code === 'ERR_TOO_MANY_REDIRECTS') return new Problem('redirect_loop', { cause: error })
  if (code === 'ERR_UNSAFE_PORT' || code === 'ERR_UNKNOWN_URL_SCHEME' || code === 'ERR_BLOCKED_BY_CLIENT')
    return new Problem('site_failed', { because: `the browser does not go there (${sayCode(code)})`, cause: error })
  return new Problem('site_failed', { because: sayCode(code), cause: error })
}

const sayCode = (code: string): string => code.replace(/^ERR_/, '').replaceAll('_', ' ').toLowerCase()

function knownFailure(url: string, pass: Pass, base: string): Problem | undefined {
  try {
    const { hostname, port, protocol } = new URL(url, base)
    return pass.failure(`${hostname}:${Number(port) || (protocol === 'https:' ? 443 : 80)}`)
  } catch {
    return undefined
  }
}

const proxyProblem = (url: string, pass: Pass): Problem =>
  knownFailure(url, pass, url) ?? new Problem('site_failed', { because: 'the connection failed' })

/** The redirects that led to an answer, first one first. */
export async function hopsOf(response: Response): Promise<Hop[]> {
  const hops: Hop[] = []
  let request = response.request().redirectedFrom()
  for (; request && hops.length < 20; request = request.redirectedFrom()) {
    const answer = await request.response()
    const location = answer?.headers().location ?? ''
    hops.unshift({ url: request.url(), status: answer?.status() ?? 302, location })
  }
  return hops
}
