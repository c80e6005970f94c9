// Browsers on demand, and contexts in them on lease: one for each visit, isolated from all others. Browsers are replaced
// by age, pages and memory, and none is left when nobody has asked for a while. It knows nothing of pages.
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import type { Log } from '../../base/log.ts'
import { Problem } from '../../base/problem.ts'
import { abortProblem } from '../../base/time.ts'
import type { Binary } from './binary.ts'
import { type BrowserKind, endOrphans, launchBrowser, type RunningBrowser } from './launch.ts'
import { endProcess, familyOf } from './processes.ts'

export interface LeaseWish {
  /** Who holds it, for the log. */
  owner: string
  kind: BrowserKind
  /** What the context is to be like; told the version, because a user agent names it. */
  profile(version: string): BrowserContextOptions
  ttlMs: number
}

export interface Lease {
  context: BrowserContext
  version: string
  /** Aborts when the browser dies under the lease, or the lease outlives its time. */
  lost: AbortSignal
  /** The page in it crashed: the browser takes no further visits. */
  distrust(): void
  release(): Promise<void>
}

export interface Pool {
  lease(wish: LeaseWish, signal: AbortSignal): Promise<Lease>
  /** Resolves when a browser can be had; rejects with the reason when not. */
  check(): Promise<void>
  browsers(): number
  close(): Promise<void>
}

export interface PoolOptions {
  /** Looked for on first use; a failure is remembered for a while. */
  findBinary(): Promise<Binary>
  mark: string
  /** Where browsers reach the proxy; asked for with the first of them. */
  proxyServer(): Promise<string>
  /** Contexts open at once. */
  maxContexts: number
  /** Memory that one browser may hold. */
  maxBrowserBytes: number
  log: Log
  limits?: Partial<Limits>
}

interface Limits {
  /** A browser without visits for this long is ended. */
  idleMs: number
  maxAgeMs: number
  maxLeases: number
  contextsPerBrowser: number
  watchMs: number
}

interface Holder extends RunningBrowser {
  startedAt: number
  served: number
  open: Set<AbortController>
  /** Takes no further visits, and ends with the last one. */
  retired: boolean
  idle: NodeJS.Timeout | undefined
}

const DEFAULTS: Limits = {
  idleMs: 30_000,
  maxAgeMs: 20 * 60_000,
  maxLeases: 300,
  contextsPerBrowser: 8,
  watchMs: 1000,
}
/** How long a failure to find or start a browser is believed before the next try. */
const FAILURE_MS = 15_000
const CLOSE_MS = 3000
const CHECK_MS = 500

export function openPool(options: PoolOptions): Pool {
  const limits = { ...DEFAULTS, ...options.limits }
  const holders = new Set<Holder>()
  const starting = new Map<BrowserKind, Promise<Holder>>()
  const waiting: (() => void)[] = []
  let open = 0
  let closed = false
  let failure: { until: number; problem: Problem } | undefined
  let binary: Promise<Binary> | undefined
  let watch: NodeJS.Timeout | undefined
  const orphans = endOrphans(options.mark)
  if (orphans > 0) options.log.warn({ orphans }, 'ended browsers that an earlier service left behind')

  function find(): Promise<Binary> {
    if (failure && failure.until > performance.now()) return Promise.reject(failure.problem)
    binary ??= options.findBinary().catch((error) => {
      binary = undefined
      throw noBrowser(error)
    })
    return binary
  }

  function noBrowser(error: unknown): Problem {
    const problem = new Problem('no_browser', {
      because: (error as Error).message.split('\n', 1)[0] ?? '',
      cause: error,
    })
    if (!failure || failure.until <= performance.now()) options.log.warn({ because: problem.message }, 'no browser')
    failure = { until: performance.now() + FAILURE_MS, problem }
    return problem
  }

  async function start(kind: BrowserKind): Promise<Holder> {
    const found = await find()
    const running = await launchBrowser({
      ...options,
      proxyServer: await options.proxyServer(),
      binary: found,
      kind,
    }).catch((error) => {
      throw noBrowser(error)
    })
    failure = undefined
    const holder: Holder = {
      ...running,
      startedAt: performance.now(),
      served: 0,
      open: new Set(),
      retired: false,
      idle: undefined,
    }
    holders.add(holder)
    running.browser.on('disconnected', () => {
      for (const lease of holder.open) lease.abort(lost('the browser ended'))
      drop(holder)
    })
    watch ??= setInterval(look, limits.watchMs).unref()
    if (closed) await end(holder)
    return holder
  }

  /** Replaces what has grown too large. The largest page of a browser goes first, and alone when that is enough. */
  function look(): void {
    for (const holder of holders) {
      if (holder.pid === undefined) continue
      const family = familyOf(holder.pid)
      const bytes = family.reduce((sum, one) => sum + one.residentBytes, 0)
      if (bytes < options.maxBrowserBytes) continue
      retire(holder)
      const [largest] = family
        .filter(({ kind }) => kind === 'renderer')
        .sort((a, b) => b.residentBytes - a.residentBytes)
      options.log.warn({ bytes, largest: largest?.residentBytes }, 'a browser holds too much memory')
      if (holder.open.size > 0 && largest) endProcess(largest.pid)
    }
    if (holders.size === 0) {
      clearInterval(watch)
      watch = undefined
    }
  }

  function retire(holder: Holder): void {
    holder.retired = true
    if (holder.open.size === 0) void end(holder)
  }

  function drop(holder: Holder): void {
    clearTimeout(holder.idle)
    holders.delete(holder)
  }

  async function end(holder: Holder): Promise<void> {
    drop(holder)
    await holder.end()
  }

  async function holderFor(kind: BrowserKind): Promise<Holder> {
    for (const holder of holders) {
      if (holder.retired || holder.kind !== kind) continue
      const tooOld = performance.now() - holder.startedAt > limits.maxAgeMs
      if (tooOld || holder.served >= limits.maxLeases) retire(holder)
      else if (holder.open.size < limits.contextsPerBrowser) return holder
    }
    let begun = starting.get(kind)
    if (!begun) {
      begun = start(kind).finally(() => starting.delete(kind))
      starting.set(kind, begun)
    }
    return begun
  }

  async function turn(signal: AbortSignal): Promise<void> {
    if (open < options.maxContexts) {
      open += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(go), 1)
        reject(abortProblem(signal))
      }
      waiting.push(go)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  function next(): void {
    const go = waiting.shift()
    if (go) go()
    else open -= 1
  }

  async function lease(wish: LeaseWish, signal: AbortSignal): Promise<Lease> {
    if (closed) throw new Problem('unavailable', { because: 'it is stopping' })
    if (signal.aborted) throw abortProblem(signal)
    await turn(signal)
    try {
      return await open_(wish)
    } catch (error) {
      next()
      throw error
    }
  }

  async function open_(wish: LeaseWish): Promise<Lease> {
    const holder = await holderFor(wish.kind)
    clearTimeout(holder.idle)
    const gone = new AbortController()
    holder.open.add(gone)
    holder.served += 1
    const leave = () => {
      holder.open.delete(gone)
      if (holder.open.size > 0 || !holders.has(holder)) return
      if (holder.retired) void end(holder)
      else holder.idle = setTimeout(() => void end(holder), limits.idleMs).unref()
    }
    let context: BrowserContext
    try {
      context = await holder.browser.newContext(wish.profile(holder.version))
    } catch (error) {
      leave()
      throw holder.browser.isConnected() ? error : lost('the browser ended')
    }
    const timer = setTimeout(() => gone.abort(lost('the lease ran out')), wish.ttlMs).unref()
    let released = false
    return {
      context,
      version: holder.version,
      lost: gone.signal,
      distrust: () => retire(holder),
      async release() {
        if (released) return
        released = true
        clearTimeout(timer)
        // A context that does not close holds a page that does not listen: then the browser goes, once others are done.
        if (!(await closes(context))) holder.retired = true
        leave()
        next()
      },
    }
  }

  return {
    lease,
    // What is still being looked for is not missing.
    check: () => Promise.race([find().then(() => {}), pause(CHECK_MS)]),
    browsers: () => holders.size,
    async close() {
      closed = true
      clearInterval(watch)
      await Promise.allSettled([...starting.values()])
      await Promise.all([...holders].map(end))
    },
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())

/** A visit whose browser died under it: worth one more try elsewhere. */
export class LostBrowser extends Error {}

const lost = (because: string): LostBrowser => new LostBrowser(because)

async function closes(context: BrowserContext): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CLOSE_MS)
  })
  const done = context.close().then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}
