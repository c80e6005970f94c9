// A pool of browsers that leases isolated contexts, one per visit.
import type { BrowserContextOptions } from 'playwright-core'
import { rejectWhenAborted, withinTime } from '../../base/deadline.ts'
import { openFairSlots } from '../../base/fair-slots.ts'
import type { Log } from '../../base/log.ts'
import { Problem } from '../../base/problem.ts'
import { isRenderer, killProcess, listBrowserProcesses } from './browser-processes.ts'
import type { BrowserKind, RunningBrowser } from './launch-browser.ts'
import type { LeaseRecorder } from './lease-records.ts'
import type { LeasedContext } from './playwright-contexts.ts'
import type { BrowserStarter } from './start-browsers.ts'

interface LeaseOptions {
  owner: string
  team?: string | undefined
  kind: BrowserKind
  /** Share the browser only within the team: the clipboard belongs to the whole browser. */
  ownBrowser?: boolean
  profile(version: string): BrowserContextOptions
  ttlMs: number
}

export interface BrowserLease {
  context: LeasedContext
  kind: BrowserKind
  version: string
  lost: AbortSignal
  retireBrowser(): void
  exceededMemory(): boolean
  release(): Promise<void>
}

export interface BrowserPool {
  lease(options: LeaseOptions, signal: AbortSignal): Promise<BrowserLease>
  check(): Promise<void>
  notes(): string[]
  browsers(): number
  close(): Promise<void>
}

interface PoolOptions {
  supply: BrowserStarter
  book: LeaseRecorder
  log: Log
  /** Concurrent contexts; one team may use all of them. */
  maxContexts: number
  /** Extra contexts for teams that find all taken by another team. */
  forOthers?: number
  maxBrowserBytes: number
  lane?: () => string | undefined
  limits?: Partial<Limits>
}

interface Limits {
  idleMs: number
  maxAgeMs: number
  maxLeases: number
  contextsPerBrowser: number
  watchMs: number
}

const DEFAULTS: Limits = {
  idleMs: 30_000,
  maxAgeMs: 20 * 60_000,
  maxLeases: 300,
  contextsPerBrowser: 8,
  watchMs: 1000,
}
const CLOSE_MS = 3000
/** Delay, so that the new session's own work goes first. */
const SPARE_START_DELAY_MS = 400

/** The browser died during a visit; a retry elsewhere may work. */
export class LostBrowserError extends Error {}

/** The page crashed but not the browser: most likely the page is the cause. */
export class CrashedPageError extends LostBrowserError {}

export class ProxyLoginError extends LostBrowserError {}

interface Holder extends RunningBrowser {
  team: string | undefined
  startedAt: number
  served: number
  open: Set<AbortController>
  retired: boolean
  overgrown: boolean
  ending: boolean
  idle: NodeJS.Timeout | undefined
  /** A context created ahead for a visit like the last one; saves a tenth of a second. */
  spare: { key: string; context: Promise<LeasedContext> } | undefined
}

interface Stock {
  supply: BrowserStarter
  limits: Limits
  maxBrowserBytes: number
  log: Log
  holders: Set<Holder>
  starting: Map<string, Promise<Holder>>
  watch: NodeJS.Timeout | undefined
  book: LeaseRecorder
  lane: PoolOptions['lane']
  closed: boolean
}

export function openBrowserPool(options: PoolOptions): BrowserPool {
  const { log, maxBrowserBytes, supply } = options
  const stock: Stock = {
    supply,
    limits: { ...DEFAULTS, ...options.limits },
    maxBrowserBytes,
    log,
    holders: new Set(),
    starting: new Map(),
    watch: undefined,
    book: options.book,
    lane: options.lane,
    closed: false,
  }
  const { maxContexts, forOthers = 0 } = options
  const places = openFairSlots({ atOnce: maxContexts + forOthers, perOwner: maxContexts })
  return {
    async lease(options, signal) {
      if (stock.closed) throw new Problem('unavailable', { because: 'it is stopping' })
      const team = options.team ?? ''
      await places.take(team, signal)
      const give = () => places.give(team)
      const opening = openLease(stock, options, give)
      opening.catch(give)
      return unlessAborted(opening, signal)
    },
    check: () => stock.supply.check(),
    notes: () => stock.supply.notes(),
    browsers: () => stock.holders.size,
    async close() {
      stock.closed = true
      clearInterval(stock.watch)
      await Promise.allSettled([...stock.starting.values()])
      await Promise.all([...stock.holders].map((holder) => end(stock, holder)))
      await stock.book.close()
    },
  }
}

async function unlessAborted(opening: Promise<BrowserLease>, signal: AbortSignal): Promise<BrowserLease> {
  try {
    return await rejectWhenAborted(signal, opening)
  } catch (error) {
    void opening.then((lease) => lease.release()).catch(() => {})
    throw error
  }
}

async function openLease(stock: Stock, request: LeaseOptions, onEnd: () => void): Promise<BrowserLease> {
  const holder = await holderFor(stock, request.kind, request.ownBrowser ? (request.team ?? '') : undefined)
  clearTimeout(holder.idle)
  const gone = new AbortController()
  holder.open.add(gone)
  holder.served += 1
  const options = request.profile(holder.version)
  const key = JSON.stringify(options)
  let context: LeasedContext
  try {
    const opening = spareContext(holder, key).then((spare) => spare ?? holder.openContext(inLane(stock, options)))
    context = await rejectWhenAborted(gone.signal, opening, ({ reason }) => reason)
  } catch (error) {
    leave(stock, holder, gone)
    throw holder.isConnected() ? error : new LostBrowserError('the browser ended')
  }
  const timer = setTimeout(() => {
    stock.log.warn({ owner: request.owner }, 'a lease of a browser ran out')
    gone.abort(new LostBrowserError('the lease ran out'))
  }, request.ttlMs).unref()
  const strikeOut = stock.book.write(request.owner, request.ttlMs)
  // Sessions last long, so create the next context now instead of on release.
  if (request.kind === 'live') setTimeout(() => makeSpare(stock, holder, key, options), SPARE_START_DELAY_MS).unref()
  let released = false
  return {
    context,
    kind: holder.kind,
    version: holder.version,
    lost: gone.signal,
    retireBrowser: () => retire(stock, holder),
    exceededMemory: () => holder.overgrown,
    async release() {
      if (released) return
      released = true
      clearTimeout(timer)
      strikeOut()
      // A context that does not close has a hung page: retire the browser.
      if (!(await closes(context))) holder.retired = true
      leave(stock, holder, gone)
      onEnd()
      // Stored state belongs to one visit, so no context is created ahead with it.
      if (options.storageState === undefined) makeSpare(stock, holder, key, options)
    },
  }
}

/** Contexts on different proxy ports do not wait for each other. */
const inLane = ({ lane }: Stock, options: BrowserContextOptions): BrowserContextOptions => {
  const server = lane?.()
  return server && options.proxy ? { ...options, proxy: { ...options.proxy, server } } : options
}

async function spareContext(holder: Holder, key: string): Promise<LeasedContext | undefined> {
  const { spare } = holder
  if (spare === undefined) return undefined
  if (spare.key !== key) return undefined
  holder.spare = undefined
  return spare.context.catch(() => undefined)
}

function makeSpare(stock: Stock, holder: Holder, key: string, options: BrowserContextOptions): void {
  if (holder.retired || !stock.holders.has(holder) || holder.spare?.key === key) return
  const old = holder.spare
  const context = holder.openContext(inLane(stock, options))
  context.catch(() => {})
  holder.spare = { key, context }
  void old?.context.then((unused) => unused.close()).catch(() => {})
}

async function holderFor(stock: Stock, requested: BrowserKind, team: string | undefined): Promise<Holder> {
  const { holders, starting, limits, supply } = stock
  const kind = supply.offers(requested)
  const fit: Holder[] = []
  for (const holder of holders) {
    if (holder.retired || holder.kind !== kind || holder.team !== team) continue
    const tooOld = performance.now() - holder.startedAt > limits.maxAgeMs
    if (tooOld || holder.served >= limits.maxLeases) retire(stock, holder)
    else if (holder.open.size < limits.contextsPerBrowser) fit.push(holder)
  }
  const [free] = fit.sort((a, b) => (supply.spread > 1 ? a.open.size - b.open.size : 0))
  if (free && (fit.length >= supply.spread || free.open.size === 0)) return free
  const key = JSON.stringify([kind, team])
  let begun = starting.get(key)
  if (!begun) {
    begun = start(stock, kind, team).finally(() => starting.delete(key))
    starting.set(key, begun)
  }
  return begun
}

async function start(stock: Stock, kind: BrowserKind, team: string | undefined): Promise<Holder> {
  const running = await stock.supply.start(kind)
  const startedAt = performance.now()
  const holder: Holder = {
    ...running,
    team,
    startedAt,
    served: 0,
    open: new Set(),
    retired: false,
    overgrown: false,
    ending: false,
    idle: undefined,
    spare: undefined,
  }
  stock.holders.add(holder)
  running.onEnd(() => {
    if (!holder.ending && !holder.overgrown) stock.supply.died(kind)
    for (const lease of holder.open) lease.abort(new LostBrowserError('the browser ended'))
    drop(stock, holder)
  })
  stock.watch ??= setInterval(() => poll(stock), stock.limits.watchMs).unref()
  if (stock.closed) await end(stock, holder)
  return holder
}

/** Enforces the memory limit: kills a browser's largest page first, and only that page if it suffices. */
function poll(stock: Stock): void {
  for (const holder of stock.holders) {
    if (holder.pid === undefined) continue
    const tree = listBrowserProcesses(holder.pid)
    const bytes = tree.reduce((sum, one) => sum + one.residentBytes, 0)
    if (bytes < stock.maxBrowserBytes) continue
    const [largest] = tree.filter(isRenderer).sort((a, b) => b.residentBytes - a.residentBytes)
    stock.log.warn({ bytes, largest: largest?.residentBytes }, 'a browser holds too much memory')
    retire(stock, holder)
    holder.overgrown = true
    if (holder.open.size > 0 && largest) killProcess(largest.pid)
  }
  if (stock.holders.size > 0) return
  clearInterval(stock.watch)
  stock.watch = undefined
}

function leave(stock: Stock, holder: Holder, lease: AbortController): void {
  holder.open.delete(lease)
  if (holder.open.size > 0 || !stock.holders.has(holder)) return
  if (holder.retired) void end(stock, holder)
  else holder.idle = setTimeout(() => void end(stock, holder), stock.limits.idleMs).unref()
}

function retire(stock: Stock, holder: Holder): void {
  holder.retired = true
  if (holder.open.size === 0) void end(stock, holder)
}

function drop(stock: Stock, holder: Holder): void {
  clearTimeout(holder.idle)
  stock.holders.delete(holder)
}

async function end(stock: Stock, holder: Holder): Promise<void> {
  drop(stock, holder)
  holder.ending = true
  await holder.end()
}

const closes = (context: LeasedContext): Promise<boolean> =>
  withinTime(
    CLOSE_MS,
    context.close().then(
      () => true,
      () => true,
    ),
    () => false,
  )
