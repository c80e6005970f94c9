// Our own CDP control of a session's pages: every page, popups included, gets the session's device, language and
// location, and their number is limited.
import type { BrowserContextOptions } from 'playwright-core'
import { withinTime } from '../../../base/deadline.ts'
import type { Visit } from '../../../base/visit-and-capture-types.ts'
import { PROXY_LOGIN_HOST, type ProxyLogin } from '../../browser-proxy.ts'
import type { CdpSession } from '../cdp-pipe.ts'
import { makeUserAgentOverride } from '../context-options.ts'
import { emulateDevice } from '../emulate-device.ts'
import type { LiveContext } from '../live-contexts.ts'
import { evaluateInPage, interceptTabRequests } from '../tab-interface.ts'

interface ControlOptions {
  visit: Visit
  options: BrowserContextOptions
  version: string
  maxPages: number
  onPage(session: CdpSession, targetId: string): Promise<void>
}

export interface SessionPages {
  pageOf(targetId: string): Promise<CdpSession | undefined>
  pages(): string[]
  /**
   * Ends what blocks a page: a dialog, the wait for its next page, at last the page. True when one was ended; the empty
   * page in its place is ready then.
   */
  endStuckPages(): Promise<boolean>
  /** Set while stuck pages are being ended. */
  ending(): Promise<unknown> | undefined
  stop(): void
}

/** The proxy answers this URL itself; it is requested once to authenticate the browser. */
const HELLO_URL = `http://${PROXY_LOGIN_HOST}/`

export function openSessionPages(context: LiveContext, options: ControlOptions): SessionPages {
  const { wire } = context
  const held = new Map<string, Promise<CdpSession | undefined>>()
  const take = (targetId: string): Promise<CdpSession | undefined> => {
    const known = held.get(targetId)
    if (known) return known
    const begun = wire.browser
      .send('Target.attachToTarget', { targetId, flatten: true })
      .then(async ({ sessionId }) => {
        const session = wire.session(sessionId)
        await furnish(session, options)
        await options.onPage(session, targetId)
        return session
      })
      .catch(() => undefined)
    held.set(targetId, begun)
    return begun
  }
  const pages = () =>
    [...context.targets.values()].filter(({ type }) => type === 'page').map(({ targetId }) => targetId)
  const stop = context.onTarget(({ what, target: { targetId, type } }) => {
    if (type !== 'page') return
    if (what === 'destroyed') held.delete(targetId)
    if (what === 'crashed') void replace(context, targetId).catch(() => {})
    if (what !== 'created') return
    if (pages().length <= options.maxPages) return void take(targetId)
    void wire.browser.send('Target.closeTarget', { targetId }).catch(() => {})
  })
  let ending: Promise<boolean> | undefined
  const endStuckPages = () => {
    const end = async (targetId: string): Promise<boolean> => {
      const session = await take(targetId)
      if (!session || !(await isStuck(session))) return false
      const gone = whenGone(context, targetId)
      void session.send('Page.crash').catch(() => {})
      await gone
      // The replacement gets the session's device before a caller's program finds it.
      await Promise.all(pages().map(take))
      return true
    }
    ending ??= Promise.all(pages().map(end))
      .then((ended) => ended.includes(true))
      .finally(() => {
        ending = undefined
      })
    return ending
  }
  return { pageOf: take, pages, endStuckPages, ending: () => ending, stop }
}

async function replace({ wire, contextId }: LiveContext, targetId: string): Promise<void> {
  await wire.browser.send('Target.createTarget', { url: 'about:blank', browserContextId: contextId })
  await wire.browser.send('Target.closeTarget', { targetId })
}

/** A page at rest answers in a few milliseconds. */
const AT_REST_MS = 150
/** A page that is ended loses its state, so it gets this long to answer once nothing should block it any more. */
const ANSWER_MS = 1000

/** Ending a page and opening another one takes a few milliseconds; a browser that does not manage is lost anyway. */
const REPLACE_MS = 5000

/** Resolves when the page is closed, which `replace` does once the empty page is open. */
function whenGone(context: LiveContext, targetId: string): Promise<void> {
  return new Promise((resolve) => {
    const stopWaiting = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(stopWaiting, REPLACE_MS)
    const stop = context.onTarget(({ what, target }) => {
      if (what === 'destroyed' && target.targetId === targetId) stopWaiting()
    })
  })
}

async function isStuck(session: CdpSession): Promise<boolean> {
  if (await answers(session, AT_REST_MS)) return false
  // A page runs no script while a dialog of it is open, and while the page after it is awaited.
  void session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
  void session.send('Page.stopLoading').catch(() => {})
  return !(await answers(session, ANSWER_MS))
}

function answers(session: CdpSession, ms: number): Promise<boolean> {
  const reply = session.send('Runtime.evaluate', { expression: '1' }).then(
    () => true,
    () => true,
  )
  return withinTime(ms, reply, () => false)
}

async function furnish(session: CdpSession, { visit, options, version }: ControlOptions): Promise<void> {
  await Promise.all([
    session.send('Emulation.setUserAgentOverride', makeUserAgentOverride(visit, version)),
    // The size of a desktop view is the window's.
    ...emulateDevice(session, options.isMobile ? options : { ...options, viewport: null }),
  ])
}

/** Sends the caller's headers to the requested site only. */
export async function sendCallerHeaders(session: CdpSession, visit: Visit, pass: ProxyLogin): Promise<void> {
  if (Object.keys(visit.headers).length > 0) await interceptTabRequests(session, visit, pass, true)
}

/**
 * Answers the proxy's authentication challenge before other clients connect, because two that answer for one page
 * conflict.
 */
export async function signInToProxy(session: CdpSession, { user, password }: ProxyLogin): Promise<void> {
  session.on('Fetch.requestPaused', ({ requestId }) => {
    void session.send('Fetch.continueRequest', { requestId }).catch(() => {})
  })
  session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const mine = authChallenge.source === 'Proxy'
    const response = mine ? ('ProvideCredentials' as const) : ('CancelAuth' as const)
    const authChallengeResponse = mine ? { response, username: user, password } : { response }
    void session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {})
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${HELLO_URL}*` }], handleAuthRequests: true })
  await evaluateInPage(session, `fetch(${JSON.stringify(HELLO_URL)}, { mode: 'no-cors' }).then(() => 'done')`)
  await session.send('Fetch.disable')
}
