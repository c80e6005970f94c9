// How often a team may ask: fixed windows of a minute, per team and bucket. In memory: a restart forgives at most one
// window. How much may run at once is admission.ts.
import { Problem } from '../base/problem.ts'
import type { Clock } from '../base/time.ts'
import { planOf, type RateBucket } from './plans.ts'

const WINDOW_MS = 60_000

/** For the X-RateLimit headers. */
export interface RateInfo {
  limit: number
  remaining: number
  /** Until the window ends, at least 1. */
  resetSeconds: number
}

export interface RateLimiter {
  /** Counts one request. Undefined when the plan has no limit; throws `rate_limited` when the minute is used up. */
  take(caller: { teamId: string; plan: string }, bucket: RateBucket): RateInfo | undefined
}

export function createRateLimiter(clock: Clock): RateLimiter {
  const used = new Map<string, number>()
  let windowStart = Number.NEGATIVE_INFINITY

  return {
    take({ teamId, plan }, bucket) {
      const limit = planOf(plan).rates?.[bucket]
      if (limit === undefined) return undefined
      const now = clock.now()
      const start = now - (now % WINDOW_MS)
      // One window for all teams: what was counted before is forgotten at once and the map never grows old entries.
      if (start !== windowStart) {
        used.clear()
        windowStart = start
      }
      const resetSeconds = Math.max(1, Math.ceil((start + WINDOW_MS - now) / 1000))
      const name = `${teamId} ${bucket}`
      const count = used.get(name) ?? 0
      if (count >= limit) {
        throw new Problem('rate_limited', {
          because: `${limit} requests a minute are allowed here, try again in ${resetSeconds} s`,
          retryAfterSeconds: resetSeconds,
          details: { limit, remaining: 0, resetSeconds } satisfies RateInfo,
        })
      }
      used.set(name, count + 1)
      return { limit, remaining: limit - count - 1, resetSeconds }
    },
  }
}
