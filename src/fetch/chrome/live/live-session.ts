// A browser that outlives its request: a pool lease with its own context. It ends when closed, on timeout, or when its
// browser dies.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { rejectWhenAborted } from '../../../base/deadline.ts'
import { Problem } from '../../../base/problem.ts'
import type { SecretMasker } from '../../../base/secret-masker.ts'
import type { Visit } from '../../../base/visit-and-capture-types.ts'
import type { ProxyLogin } from '../../browser-proxy.ts'
import type { BrowserLease } from '../browser-pool.ts'
import type { CdpSession } from '../cdp-pipe.ts'
import { DELAY_BLOB_REVOKE_SCRIPT } from '../collect-page-downloads.ts'
import { makeContextOptions } from '../context-options.ts'
import { browserTypeFor } from '../launch-browser.ts'
import type { LiveContext } from '../live-contexts.ts'
import { navigateTab } from '../navigate-tab.ts'
import { makeActivityWatchScript, makeSerializeHtmlScript } from '../page-scripts.ts'
import { explainNetErrors } from '../playwright-errors.ts'
import { openPlaywrightTab } from '../playwright-tab.ts'
import { runActions } from '../run-actions.ts'
import { SignInGuard } from '../sign-in-guard.ts'
import type { DomSnapshot } from '../snapshot/dom-snapshot.ts'
import { waitForIdle } from '../wait-for-idle.ts'
import { makeAgentBrowserCommands, type RunAgentBrowserCommand } from './agent-browser-commands.ts'
import { type CdpFilter, type CdpFilterClient, type CdpFilterEvents, openCdpFilter } from './cdp-filter.ts'
import { type LiveView, openLiveView } from './live-view.ts'
import { type PageRecorder, type RecordedAction, recordUserActions } from './record-user-actions.ts'
import { openSessionPages, type SessionPages, sendCallerHeaders, signInToProxy } from './session-pages.ts'

export interface LiveSession {
  id: string
  context: LiveContext
  control: SessionPages
  view: LiveView
  /** Adds to the error of a navigation why its address was refused. */
  explain(error: string): string
  /** What it keeps of its sign-ins. */
  guard: SignInGuard
  connect(client: CdpFilterClient): { receive(text: string): void; close(): void }
  page(): Promise<Page>
  /** The page that was acted on last, once what was done has taken effect; undefined when that takes too long. */
  lastPage(): Promise<DomSnapshot | undefined>
  command: RunAgentBrowserCommand
  replay(visit: Visit, signal: AbortSignal): Promise<void>
  exportStorageState(): Promise<string>
  lastActivity(): number
  touch(): void
  lost: AbortSignal
  close(): Promise<void>
}

interface LiveSessionParts {
  id: string
  lease: BrowserLease
  pass: ProxyLogin
  visit: Visit
  proxyServer: string
  listenFor(session: Pick<LiveSession, 'connect'>): Promise<{ url: string; shut(): void }>
  watchName: string
  masker: SecretMasker
  hear(event: RecordedAction): void
  now(): number
}

const MAX_PAGES = 20
const MAX_PROGRAMS = 16
/** From our own process to a browser that runs already. */
const CONNECT_MS = 10_000
const SETTLE_MS = 8000
const RESETTLE_MS = 2000
const STILL_MS = 1500
const LAST_PAGE_MS = 5000

export async function openLiveSession(parts: LiveSessionParts): Promise<LiveSession> {
  const { id, lease, pass, visit, proxyServer, now } = parts
  const browserContext = lease.context as LiveContext
  const options = makeContextOptions(visit, proxyServer)(lease.version)
  const recorders = openRecorders(browserContext, parts.hear, () => gates.count() > 0 || view.isDriven())
  const onPage = async (session: CdpSession, targetId: string) => {
    void session.send('Page.addScriptToEvaluateOnNewDocument', { source: DELAY_BLOB_REVOKE_SCRIPT }).catch(() => {})
    await recorders.record(session, targetId)
  }
  const control = openSessionPages(browserContext, {
    visit,
    options,
    version: lease.version,
    maxPages: MAX_PAGES,
    onPage,
  })
  const first = await control.pageOf(browserContext.firstTarget)
  if (!first) throw new Problem('no_browser', { because: 'the page of the session could not be opened' })
  await signInToProxy(first, pass)
  await sendCallerHeaders(first, visit, pass)
  const guard = new SignInGuard(pass, parts.masker)
  let last = now()
  const touch = () => {
    last = now()
  }
  /** The client that last acted, which a dialog is delivered to. */
  let actor: CdpFilter | 'person' | undefined
  const acts = (who: CdpFilter | 'person') => {
    actor = who
    touch()
  }
  const gates: Gates = openGates(browserContext, {
    onActivity: acts,
    addContext: () => browserContext.addContext((page) => signInToProxy(page, pass)),
    keepsDialogs: (gate) => (actor === 'person' ? view.isDriven() : gates.has(actor) && actor !== gate),
  })
  const view: LiveView = openLiveView({
    context: browserContext,
    control,
    touch: () => acts('person'),
    programs: gates.count,
    mask: guard.masker.deep,
    point: recorders.point,
  })
  const library = openLibrary(() => parts.listenFor(gates))
  const page = async () => openPageOf(await library.context())
  const state = visit.remembered === undefined ? undefined : options.storageState
  if (state && typeof state !== 'string') await (await library.context()).setStorageState(state)
  return {
    id,
    context: browserContext,
    control,
    view,
    guard,
    explain: (error) => explainRefusal(error, pass),
    connect: gates.connect,
    page,
    lastPage: recorders.readLast,
    command: makeAgentBrowserCommands(page),
    touch,
    lastActivity: () => last,
    lost: lease.lost,
    replay: (options, signal) => replay(parts, gates, options, signal),
    exportStorageState: async () => JSON.stringify(await (await library.context()).storageState({ indexedDB: true })),
    async close() {
      view.close()
      control.stop()
      pass.close()
      await library.close()
      gates.close()
      await lease.release()
    },
  }
}

function openRecorders(context: LiveContext, hear: LiveSessionParts['hear'], isAnswered: () => boolean) {
  const { targets } = context
  const recorders = new Map<string, PageRecorder>()
  context.onTarget(({ what, target }) => {
    if (what === 'destroyed') recorders.delete(target.targetId)
  })
  let heard: { targetId: string; at: number } | undefined
  return {
    async record(session: CdpSession, targetId: string): Promise<void> {
      const recorder = await recordUserActions(session, {
        targetId,
        hasOpener: targets.get(targetId)?.openerId !== undefined,
        isAnswered,
        hear(event) {
          heard = { targetId, at: performance.now() }
          hear(event)
        },
      })
      recorders.set(targetId, recorder)
    },
    point: async (targetId: string, x: number, y: number) => recorders.get(targetId)?.point(x, y),
    /** The page of the last event, once nothing has happened in it for a while. */
    async readLast(): Promise<DomSnapshot | undefined> {
      for (const ends = performance.now() + LAST_PAGE_MS; performance.now() < ends; await sleep(100)) {
        if (!heard || !targets.has(heard.targetId)) return undefined
        const isStill = performance.now() - heard.at > STILL_MS
        const snapshot = isStill ? await recorders.get(heard.targetId)?.read() : undefined
        if (snapshot) return snapshot
      }
      return undefined
    },
  }
}

const openPageOf = async (context: BrowserContext): Promise<Page> =>
  context.pages().find((one) => !one.isClosed()) ?? context.newPage()

const explainRefusal = (error: string, pass: ProxyLogin): string =>
  explainNetErrors(error, (url) => {
    const failure = URL.canParse(url) ? pass.failure(new URL(url)) : undefined
    return failure?.kind === 'refused_address' ? failure.message : undefined
  })

type Connect = Pick<LiveSession, 'connect'>

interface Gates extends Connect {
  count(): number
  has(gate: CdpFilter | undefined): boolean
  close(): void
}

function openGates(context: LiveContext, ears: CdpFilterEvents): Gates {
  const gates = new Set<CdpFilter>()
  return {
    count: () => gates.size,
    has: (gate) => gate !== undefined && gates.has(gate),
    connect(client) {
      if (gates.size >= MAX_PROGRAMS) {
        client.close()
        return { receive() {}, close() {} }
      }
      const gate = openCdpFilter(context, client, ears)
      gates.add(gate)
      return {
        receive: (text) => gate.receive(text),
        close() {
          gates.delete(gate)
          gate.close()
        },
      }
    },
    close() {
      for (const gate of gates) gate.close()
    },
  }
}

interface Driven {
  browser: Browser
  shut(): void
}

type OpenLoopback = () => ReturnType<LiveSessionParts['listenFor']>

async function drive(openLoopback: OpenLoopback): Promise<Driven> {
  const chromium = browserTypeFor('drawn')
  const { url, shut } = await openLoopback()
  try {
    return { browser: await chromium.connectOverCDP(url, { timeout: CONNECT_MS }), shut }
  } catch (error) {
    shut()
    throw error
  }
}

function openLibrary(openLoopback: OpenLoopback) {
  let driven: Promise<Driven> | undefined
  const connect = async () => {
    const opened = await drive(openLoopback)
    opened.browser.on('disconnected', () => {
      driven = undefined
    })
    return opened
  }
  return {
    async context(): Promise<BrowserContext> {
      driven ??= connect()
      driven.catch(() => {
        driven = undefined
      })
      const [context] = (await driven).browser.contexts()
      if (!context) throw new Problem('internal', { because: 'the session has no context' })
      return context
    },
    async close(): Promise<void> {
      const opened = await driven?.catch(() => undefined)
      await opened?.browser.close().catch(() => {})
      opened?.shut()
    },
  }
}

/** Uses its own connection, closed after the replay, because its listeners would interfere later. */
async function replay(parts: LiveSessionParts, gates: Connect, visit: Visit, signal: AbortSignal): Promise<void> {
  const { lease, pass, watchName } = parts
  const { browser, shut } = await drive(() => parts.listenFor(gates))
  try {
    const [context] = browser.contexts()
    const [page] = context?.pages() ?? []
    if (!context || !page) throw new Problem('internal', { because: 'the session has no page' })
    const browserContext = { undrawn: false as const, context, page, close: async () => {} }
    const tab = await openPlaywrightTab(
      browserContext,
      { ...lease, kind: 'drawn' },
      { visit, pass, watch: makeActivityWatchScript(watchName) },
    )
    const rest = async (budgetMs: number) => void (await waitForIdle(tab, watchName, budgetMs))
    await unlessLost(signal, lease.lost, async () => {
      await navigateTab(tab, visit, pass)
      await rest(SETTLE_MS)
      if (visit.waitForMs > 0) await sleep(visit.waitForMs)
      const html = () => tab.run<string>(makeSerializeHtmlScript())
      await runActions(visit.actions, { page, run: tab.run, waitForIdle: rest, html, warn() {}, flow: refuseFlow })
      if (visit.actions.length > 0) await rest(RESETTLE_MS)
    })
  } finally {
    await browser.close().catch(() => {})
    shut()
  }
}

const refuseFlow = (): Promise<never> => Promise.reject(new Error('a flow is not repeated'))

const unlessLost = (signal: AbortSignal, lost: AbortSignal, work: () => Promise<void>): Promise<void> =>
  rejectWhenAborted(AbortSignal.any([signal, lost]), work(), ({ reason }) => reason)
