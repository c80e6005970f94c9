// When a host may be visited: the delay between visits, backoff after 429 or 503. One process counts in memory;
// processes on one PostgreSQL share it at about one round trip per host and second.
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { SharedHostDelays } from '../store/shared-host-delays.ts'

const MAX_HOSTS = 10_000
const FIRST_REST_MS = 2_000
/** Limit of one delay, whatever the site requests. */
const MAX_HOST_DELAY_MS = 10 * 60_000
/** A shorter delay is waited for in place, because requeueing the page would cost more. */
const MAX_WAIT_IN_PLACE_MS = 2_000
/** How long this process trusts its copy of a host's state, which other processes may change. */
const SHARED_STATE_CACHE_MS = 1_000
/** Of all processes together; a visit without a browser has about one connection. */
const MAX_VISITS_PER_HOST = 32

export type HostPoliteness = ReturnType<typeof openHostPoliteness>

type HostState = { restUntil: number; strikes: number; nextAt: number; readAt: number }

interface HostsParts {
  clock: { now(): number }
  shared: SharedHostDelays | undefined
  /** Processes that visit; each gets its part of the visits at once. */
  processes(): number
}

export function openHostPoliteness({ clock, shared, processes }: HostsParts) {
  const known = new LRUCache<string, HostState>({ max: MAX_HOSTS })
  const visits = openVisits(() => Math.max(1, Math.floor(MAX_VISITS_PER_HOST / Math.max(1, processes()))))

  const stateOf = (host: string): HostState => {
    const found = known.get(host) ?? { restUntil: 0, strikes: 0, nextAt: 0, readAt: Number.NEGATIVE_INFINITY }
    known.set(host, found)
    return found
  }

  async function refresh(host: string, state: HostState): Promise<void> {
    if (!shared || clock.now() - state.readAt < SHARED_STATE_CACHE_MS) return
    // Set first, so that the pages of one second ask once.
    state.readAt = clock.now()
    const { restMs, strikes } = await shared.rest(host)
    state.restUntil = restMs > 0 ? clock.now() + restMs : 0
    state.strikes = strikes
  }

  async function turn(host: string, state: HostState, delayMs: number): Promise<{ taken: boolean; waitMs: number }> {
    if (delayMs === 0) {
      await refresh(host, state)
      const waitMs = Math.max(0, state.restUntil - clock.now())
      return { taken: waitMs === 0, waitMs }
    }
    if (shared) return shared.take(host, delayMs, MAX_WAIT_IN_PLACE_MS)
    const now = clock.now()
    const at = Math.max(now, state.nextAt, state.restUntil)
    if (state.restUntil > now || at > now + MAX_WAIT_IN_PLACE_MS) return { taken: false, waitMs: at - now }
    state.nextAt = at + delayMs
    return { taken: true, waitMs: at - now }
  }

  return {
    /**
     * Waits for a short time. Returns the milliseconds of a longer delay, or 0 when the visit has begun: call `left` at
     * its end.
     */
    async enter(host: string, delayMs: number, signal: AbortSignal) {
      await visits.enter(host, signal)
      try {
        const { taken, waitMs } = await turn(host, stateOf(host), delayMs)
        if (taken && waitMs > 0) await sleep(waitMs, undefined, { signal })
        if (!taken) visits.leave(host)
        return taken ? 0 : Math.max(1, waitMs)
      } catch (error) {
        visits.leave(host)
        throw error
      }
    },
    left: visits.leave,
    /** After a 429 or 503; returns the delay in milliseconds. */
    async busy(host: string, askedSeconds: number | undefined) {
      const now = clock.now()
      const state = stateOf(host)
      // Responses of pages in flight together count as one strike.
      const again = state.restUntil > now
      if (!again) state.strikes += 1
      const asked =
        askedSeconds === undefined ? FIRST_REST_MS * 2 ** Math.min(10, state.strikes - 1) : askedSeconds * 1000
      const restMs = Math.min(MAX_HOST_DELAY_MS, Math.max(asked, again ? state.restUntil - now : 0))
      state.restUntil = now + restMs
      await shared?.setRest(host, restMs, state.strikes)
      return restMs
    },
    async fine(host: string) {
      const state = known.get(host)
      if (!state || state.strikes === 0) return
      state.strikes = 0
      state.restUntil = 0
      await shared?.endRest(host)
    },
  }
}

/** Visits of this process to each host; those above the limit wait in order. */
function openVisits(limit: () => number) {
  const hosts = new Map<string, { running: number; waiting: Set<() => void> }>()
  const leave = (host: string): void => {
    const entry = hosts.get(host)
    if (!entry) return
    entry.running -= 1
    const [next] = entry.waiting
    if (next) next()
    else if (entry.running === 0) hosts.delete(host)
  }
  return {
    leave,
    async enter(host: string, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted()
      const entry = hosts.get(host) ?? { running: 0, waiting: new Set() }
      hosts.set(host, entry)
      if (entry.running < limit()) {
        entry.running += 1
        return
      }
      await new Promise<void>((resolve, reject) => {
        const stop = () => {
          entry.waiting.delete(go)
          reject(signal.reason)
        }
        const go = () => {
          entry.waiting.delete(go)
          entry.running += 1
          signal.removeEventListener('abort', stop)
          resolve()
        }
        entry.waiting.add(go)
        signal.addEventListener('abort', stop, { once: true })
      })
    },
  }
}

export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}
