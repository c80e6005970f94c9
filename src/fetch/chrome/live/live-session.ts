// A browser that outlives its request: a pool lease with its own context. Programs and Playwright connect through
// gates. It ends when closed, on timeout, or when its browser dies.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Visit } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import type { ProxyLogin } from '../../browser-proxy.ts'
import { runActions } from '../actions.ts'
import type { Session } from '../cdp-pipe.ts'
import { KEEP_BLOBS } from '../downloads.ts'
import { driver } from '../launch.ts'
import type { LiveContext } from '../live-contexts.ts'
import { goTo } from '../navigation.ts'
import { htmlScript } from '../page-read.ts'
import { watchScript } from '../page-watch.ts'
import { openDrawnTab } from '../playwright-tab.ts'
import type { Lease } from '../pool.ts'
import { contextOptions } from '../profile.ts'
import { waitForIdle } from '../wait-for-idle.ts'
import { type CdpFilter, type GateClient, type GateEars, openGate } from './cdp-filter.ts'
import { type Commands, openCommands } from './commands.ts'
import { type Control, greetProxy, openControl, sendHeaders } from './control.ts'
import { type PageEvent, recordPage } from './recorder.ts'
import { type LiveView, openView } from './view.ts'

export interface LiveSession {
  id: string
  context: LiveContext
  control: Control
  view: LiveView
  connect(client: GateClient): { receive(text: string): void; close(): void }
  page(): Promise<Page>
  command: Commands
  replay(visit: Visit, signal: AbortSignal): Promise<void>
  memories(): Promise<string>
  lastActivity(): number
  touch(): void
  lost: AbortSignal
  close(): Promise<void>
}

interface LiveSessionParts {
  id: string
  lease: Lease
  pass: ProxyLogin
  visit: Visit
  proxyServer: string
  listenFor(session: Pick<LiveSession, 'connect'>): Promise<{ url: string; shut(): void }>
  watchName: string
  hear(event: PageEvent): void
  now(): number
}

const MAX_PAGES = 20
const MAX_PROGRAMS = 16
const CONNECT_MS = 10_000
const SETTLE_MS = 8000
const RESETTLE_MS = 2000

export async function openLiveSession(parts: LiveSessionParts): Promise<LiveSession> {
  const { id, lease, pass, visit, proxyServer, now } = parts
  const browserContext = lease.context as LiveContext
  const options = contextOptions(visit, proxyServer)(lease.version)
  const onPage = (session: Session, targetId: string) => {
    void session.send('Page.addScriptToEvaluateOnNewDocument', { source: KEEP_BLOBS }).catch(() => {})
    return recordPage(session, {
      hasOpener: browserContext.targets.get(targetId)?.openerId !== undefined,
      isAnswered: () => gates.count() > 0 || view.isDriven(),
      hear: parts.hear,
    })
  }
  const control = openControl(browserContext, { visit, options, version: lease.version, maxPages: MAX_PAGES, onPage })
  const first = await control.pageOf(browserContext.firstTarget)
  if (!first) throw new Problem('no_browser', { because: 'the page of the session could not be opened' })
  await greetProxy(first, pass)
  await sendHeaders(first, visit, pass)
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
    keepsDialogs: (gate) => (actor === 'person' ? view.isDriven() : gates.has(actor) && actor !== gate),
  })
  const view: LiveView = openView({
    context: browserContext,
    control,
    touch: () => acts('person'),
    programs: gates.count,
  })
  const library = openLibrary(() => parts.listenFor(gates))
  const page = async () => {
    const context = await library.context()
    return context.pages().find((one) => !one.isClosed()) ?? context.newPage()
  }
  const state = options.storageState
  if (visit.remembered !== undefined && state && typeof state !== 'string')
    await (await library.context()).setStorageState(state)
  return {
    id,
    context: browserContext,
    control,
    view,
    connect: gates.connect,
    page,
    command: openCommands(page),
    touch,
    lastActivity: () => last,
    lost: lease.lost,
    replay: (options, signal) => replay(parts, gates, options, signal),
    memories: async () => JSON.stringify(await (await library.context()).storageState({ indexedDB: true })),
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

type Connect = Pick<LiveSession, 'connect'>

interface Gates extends Connect {
  count(): number
  has(gate: CdpFilter | undefined): boolean
  close(): void
}

function openGates(context: LiveContext, ears: GateEars): Gates {
  const gates = new Set<CdpFilter>()
  return {
    count: () => gates.size,
    has: (gate) => gate !== undefined && gates.has(gate),
    connect(client) {
      if (gates.size >= MAX_PROGRAMS) {
        client.close()
        return { receive() {}, close() {} }
      }
      const gate = openGate(context, client, ears)
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
  const chromium = driver('drawn')
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
    const tab = await openDrawnTab(
      browserContext,
      { ...lease, kind: 'drawn' },
      { visit, pass, watch: watchScript(watchName) },
    )
    const rest = async (budgetMs: number) => void (await waitForIdle(tab, watchName, budgetMs))
    await unlessLost(signal, lease.lost, async () => {
      await goTo(tab, visit, pass)
      await rest(SETTLE_MS)
      if (visit.waitForMs > 0) await sleep(visit.waitForMs)
      const html = () => tab.run<string>(htmlScript)
      await runActions(visit.actions, { page, run: tab.run, waitForIdle: rest, html, warn() {}, flow: refuseFlow })
      if (visit.actions.length > 0) await rest(RESETTLE_MS)
    })
  } finally {
    await browser.close().catch(() => {})
    shut()
  }
}

const refuseFlow = (): Promise<never> => Promise.reject(new Error('a flow is not repeated'))

function unlessLost(signal: AbortSignal, lost: AbortSignal, work: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const both = AbortSignal.any([signal, lost])
    const leave = () => reject(both.reason)
    both.addEventListener('abort', leave, { once: true })
    if (both.aborted) leave()
    work()
      .then(resolve, reject)
      .finally(() => both.removeEventListener('abort', leave))
  })
}
