// What a visit needs of a page, whoever drives it: the library (drawn-tab.ts) or the wire itself (still-tab.ts). Here is
// also what both have in common: questions that the browser asks of us, and what is heard of documents.
import type { Page } from 'playwright-core'
import type { Hop, Visit } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Pass } from '../browser-proxy.ts'
import { headerOf } from './profile.ts'
import type { Session } from './wire.ts'

export interface PageResponse {
  url: string
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  /** The redirects that led to it, first one first. */
  hops(): Promise<Hop[]>
}

/** Something that a page asked for. */
export interface PageRequest {
  url: string
  /** As in `CHANGING`. */
  kind: string
}

export interface Tab {
  /** The library's page, for what only it can do: actions, pictures. Still pages have none. */
  page: Page | undefined
  /** Goes there and comes back when the first bytes of a document are there. */
  go(url: string): Promise<PageResponse | undefined>
  /** Runs a script in the page's own world and gives what it gives. */
  run<T>(script: string): Promise<T>
  /** The same in a world apart, where no script of the page can stand in the way; it sees the page, but not our watch. */
  runApart<T>(script: string): Promise<T>
  url(): string
  /** Resolves when the document is read to its end, or after so long. */
  loaded(patienceMs: number): Promise<void>
  /** Requests under way that can still change what the page shows. */
  busy(): number
  /** Scripts and style sheets that have not come yet: a document may wait for them. */
  awaited(): PageRequest[]
  /** Documents that the main frame has loaded so far. */
  documents(): number
  /** The answer that the main frame shows. */
  answer(): PageResponse | undefined
  /** The file that the page led to and the browser would save. */
  file(): string | undefined
  /** Resolves when there is such a file. */
  fileMet: Promise<void>
  cookies(url: string): Promise<{ name: string; value: string }[]>
  /** True when the page gets frames: at once where pages are drawn, else after `draw`. */
  drawn(): boolean
  draw(): void
  /** Rejects when the page crashes. */
  crashed: Promise<never>
}

/** The page of a tab that somebody looks at; whoever asks for pictures or actions has been given such a one. */
export function seenPage({ page }: Tab): Page {
  if (!page) throw new Problem('internal', { because: 'a still page was asked for what only drawn pages have' })
  return page
}

/** Kinds of requests that can still change what a page shows. */
export const CHANGING = new Set(['document', 'script', 'stylesheet', 'xhr', 'fetch'])
/** Kinds of those that a document may wait for before it reads on, or is drawn. */
export const BLOCKING = new Set(['script', 'stylesheet'])
export const MAX_HOPS = 20

/** What is heard of the main frame: the documents it went through, and the file that it led to instead of one. */
export function mainFrameOf(session: Session): Pick<Tab, 'documents' | 'file' | 'fileMet'> {
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
  // What a page offers to save while it stays where it is, is not what it led to.
  session.on('Page.downloadWillBegin', ({ frameId, url }) => {
    if (!leaving || frameId !== (main ?? frameId)) return
    file = url
    meet()
  })
  return { documents: () => documents, file: () => file, fileMet }
}

/** The result of a script, waited for if it takes time. */
export async function evaluate<T>(session: Session, expression: string, contextId?: number): Promise<T> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
    ...(contextId === undefined ? {} : { contextId }),
  })
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}

export async function evaluateApart<T>(session: Session, script: string): Promise<T> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const world = { frameId: frameTree.frame.id, worldName: 'apart' }
  const { executionContextId } = await session.send('Page.createIsolatedWorld', world)
  return evaluate(session, script, executionContextId)
}

const MAX_COOKIES = 200

/** Cookies that the caller gave go into the jar: there they follow the rules of cookies, redirects included. */
export async function keepCookies(
  visit: Visit,
  keep: (cookies: { name: string; value: string; url: string; secure: boolean }[]) => Promise<unknown>,
): Promise<void> {
  const given = headerOf(visit, 'cookie')
  if (given === undefined) return
  const { origin, protocol } = new URL(visit.url)
  // For this host alone, and not for those below it.
  const place = { url: `${origin}/`, secure: protocol === 'https:' }
  const cookies = given.split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [{ name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim(), ...place }]
  })
  const wanted = cookies.slice(0, MAX_COOKIES)
  // One that the browser would not keep, such as a `__Host-` cookie of a plain http site, costs only itself.
  const oneByOne = () => Promise.allSettled(wanted.map((cookie) => keep([cookie])))
  await keep(wanted).catch(oneByOne)
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

/** The proxy's question is answered, the caller's headers go to the site that was asked for, and to no other. */
export async function answerQuestions(session: Session, visit: Visit, pass: Pass, looked: boolean): Promise<void> {
  const own = Object.entries(visit.headers).filter(([name]) => !/^(cookie|user-agent)$/i.test(name))
  const origin = new URL(visit.url).origin
  session.on('Fetch.requestPaused', ({ requestId, request, resourceType }: Paused) => {
    if (!looked && resourceType === 'Image')
      return void session.send('Fetch.fulfillRequest', { requestId, ...BLANK }).catch(() => {})
    if (!looked && (resourceType === 'Media' || resourceType === 'Font'))
      return void session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {})
    const mine = originOf(request.url) === origin
    // What was added once stays with a request that is sent on elsewhere, unless it is taken away.
    const headers = own.length === 0 ? undefined : mine ? merged(request.headers, own) : without(request.headers, own)
    void session
      .send('Fetch.continueRequest', { requestId, ...(headers ? { headers } : {}) })
      // A header that the browser does not send for us must not hold the request for ever.
      .catch(() => headers && session.send('Fetch.continueRequest', { requestId }))
      .catch(() => {})
  })
  const told = new Set<string>()
  session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    // Only our own proxy is told who we are; a site that asks gets no answer and shows its 401. Asked for the same again,
    // the answer was not taken, and would not be the next time.
    const again = told.has(requestId)
    told.add(requestId)
    const authChallengeResponse =
      authChallenge.source === 'Proxy' && !again
        ? ({ response: 'ProvideCredentials', username: pass.user, password: pass.password } as const)
        : ({ response: 'CancelAuth' } as const)
    void session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {})
  })
  // Documents are enough: once the proxy knows the browser, it is not asked again.
  const kinds = ['Document' as const, ...(looked ? [] : UNSEEN)]
  // Pictures that lie in the page itself, in data: addresses, would come by here in full.
  const patterns = own.length > 0 ? [{}] : kinds.map((resourceType) => ({ resourceType, urlPattern: 'http*' }))
  await session.send('Fetch.enable', { patterns, handleAuthRequests: true })
}

function merged(sent: Record<string, string>, own: readonly (readonly [string, string])[]) {
  const names = new Set(own.map(([name]) => name.toLowerCase()))
  const kept = Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()))
  return [...kept, ...own].map(([name, value]) => ({ name, value }))
}

function without(sent: Record<string, string>, own: readonly (readonly [string, string])[]) {
  const given = new Map(own.map(([name, value]) => [name.toLowerCase(), value]))
  const kept = Object.entries(sent).filter(([name, value]) => given.get(name.toLowerCase()) !== value)
  return kept.map(([name, value]) => ({ name, value }))
}

const originOf = (url: string): string | undefined => {
  try {
    return new URL(url).origin
  } catch {
    return undefined
  }
}
