// A browser that outlives its request: a lease of the pool with a context of its own. Programs connect to it through
// gates, the library through one of them too. It ends when it is closed, when its time is up, or when its browser dies.
import type { Browser, Page } from 'playwright-core'
import type { Visit } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import type { Pass } from '../../browser-proxy.ts'
import { runActions } from '../actions.ts'
import { openDrawnTab } from '../drawn-tab.ts'
import { driver } from '../launch.ts'
import { goTo } from '../navigation.ts'
import { htmlScript } from '../page-read.ts'
import { watchScript } from '../page-watch.ts'
import type { Lease } from '../pool.ts'
import { contextOptions } from '../profile.ts'
import { settle } from '../settle.ts'
import { type Commands, openCommands } from './commands.ts'
import { type Control, greetProxy, openControl } from './control.ts'
import { type GateClient, openGate } from './gate.ts'
import type { LiveRoom } from './live-rooms.ts'

export interface LiveSession {
  id: string
  room: LiveRoom
  control: Control
  /** Lets a program in that speaks the DevTools protocol. */
  connect(client: GateClient): { hear(text: string): void; close(): void }
  /** The page as the library drives it; the first that is open, or a new one. */
  page(): Promise<Page>
  /** One step by its name, as a shell asks for it. */
  command: Commands
  /** Does what the scrape did: goes there, waits, acts. */
  replay(visit: Visit, signal: AbortSignal): Promise<void>
  /** What its browser remembers by now, as JSON. */
  memories(): Promise<string>
  /** When somebody last did something in it. */
  lastActivity(): number
  touch(): void
  /** Aborts with the reason when the browser is gone. */
  lost: AbortSignal
  close(): Promise<void>
}

export interface LiveSessionParts {
  id: string
  lease: Lease
  pass: Pass
  visit: Visit
  proxyServer: string
  /** Where the library reaches a session, by its id. */
  doorFor(session: Pick<LiveSession, 'connect'>): Promise<{ url: string; shut(): void }>
  watchName: string
  now(): number
}

const MAX_PAGES = 20
const MAX_PROGRAMS = 16
const SETTLE_MS = 8000
const RESETTLE_MS = 2000

export async function openLiveSession(parts: LiveSessionParts): Promise<LiveSession> {
  const { id, lease, pass, visit, proxyServer, now } = parts
  const room = lease.room as LiveRoom
  const options = contextOptions(visit, proxyServer)(lease.version)
  await greetProxy(room, visit, pass)
  const control = openControl(room, { visit, options, version: lease.version, pass, maxPages: MAX_PAGES })
  const first = await control.pageOf(room.firstTarget)
  if (!first) throw new Problem('no_browser', { because: 'the page of the session could not be opened' })
  const gates = new Set<{ close(): void }>()
  let last = now()
  let library: Promise<{ browser: Browser; shut(): void }> | undefined

  const touch = () => {
    last = now()
  }
  const connect: LiveSession['connect'] = (client) => {
    if (gates.size >= MAX_PROGRAMS) {
      client.close()
      return { hear() {}, close() {} }
    }
    const gate = openGate(room, client, touch)
    gates.add(gate)
    return {
      hear: gate.hear,
      close() {
        gates.delete(gate)
        gate.close()
      },
    }
  }
  const drive = async () => {
    const chromium = await driver('drawn')
    const { url, shut } = await parts.doorFor({ connect })
    try {
      const browser = await chromium.connectOverCDP(url, { timeout: 10_000 })
      browser.on('disconnected', () => {
        library = undefined
      })
      return { browser, shut }
    } catch (error) {
      shut()
      throw error
    }
  }
  const contextOf = async () => {
    library ??= drive()
    library.catch(() => {
      library = undefined
    })
    const { browser } = await library
    const [context] = browser.contexts()
    if (!context) throw new Problem('internal', { because: 'the session has no context' })
    return context
  }
  const page = async () => {
    const context = await contextOf()
    return context.pages().find((one) => !one.isClosed()) ?? context.newPage()
  }

  if (visit.remembered !== undefined) {
    const state = options.storageState
    if (state && typeof state !== 'string') await (await contextOf()).setStorageState(state)
  }

  return {
    id,
    room,
    control,
    connect,
    page,
    command: openCommands(page),
    touch,
    lastActivity: () => last,
    lost: lease.lost,
    async replay(wish, signal) {
      // A conversation of its own, which ends with the replay: what it listens to would be in the way afterwards.
      const { browser, shut } = await drive()
      try {
        const [context] = browser.contexts()
        const [tabPage] = context?.pages() ?? []
        if (!context || !tabPage) throw new Problem('internal', { because: 'the session has no page' })
        const drawn = { still: false as const, context, page: tabPage, close: async () => {} }
        const watch = watchScript(parts.watchName)
        const tab = await openDrawnTab(drawn, { ...lease, kind: 'drawn' }, { visit: wish, pass, watch })
        await unlessLost(signal, lease.lost, async () => {
          await goTo(tab, wish, pass)
          await settle(tab, parts.watchName, SETTLE_MS)
          if (wish.waitForMs > 0) await new Promise((resolve) => setTimeout(resolve, wish.waitForMs))
          await runActions(wish.actions, {
            page: tabPage,
            run: tab.run,
            settle: async (budgetMs) => void (await settle(tab, parts.watchName, budgetMs)),
            html: () => tab.run<string>(htmlScript),
            warn() {},
          })
          if (wish.actions.length > 0) await settle(tab, parts.watchName, RESETTLE_MS)
        })
      } finally {
        await browser.close().catch(() => {})
        shut()
      }
    },
    async memories() {
      return JSON.stringify(await (await contextOf()).storageState({ indexedDB: true }))
    },
    async close() {
      control.stop()
      const driven = await library?.catch(() => undefined)
      await driven?.browser.close().catch(() => {})
      driven?.shut()
      for (const gate of gates) gate.close()
      await lease.release()
      pass.close()
    },
  }
}

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
