// Rate limits: fixed windows of a minute, per team and bucket. The counter is in memory (a restart forgives at most
// one window), or in the shared store.

import type { Clock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { planByName, type RateBucket } from './plans.ts'

const WINDOW_MS = 60_000

export type RateLimitStatus = { limit: number; remaining: number; resetSeconds: number }

export interface RateLimiter {
  /** Undefined when the plan has no limit; throws `rate_limited`. */
  take(caller: { teamId: string; plan: string }, bucket: RateBucket): Promise<RateLimitStatus | undefined>
  /** For requests without a key, by IP address; throws `rate_limited`. */
  takeOpen(address: string, what: string, limit: number): Promise<void>
  used(teamId: string): Promise<{ rates: Record<string, number>; windowEndsAt: number }>
}

interface Counter {
  /** Undefined when the window is used up, else the count. */
  count(options: { teamId: string; bucket: string; windowStart: number; limit: number }): Promise<number | undefined>
  counted(teamId: string, windowStart: number): Promise<Record<string, number>>
}

export function createRateLimiter(clock: Clock, counter: Counter = memoryCounter()): RateLimiter {
  // IP addresses are many, so each process counts its own.
  const addresses = memoryCounter()

  async function countRequest(by: Counter, teamId: string, bucket: string, limit: number): Promise<RateLimitStatus> {
    const now = clock.now()
    const windowStart = startOf(now)
    const used = await by.count({ teamId, bucket, windowStart, limit })
    const resetSeconds = Math.max(1, Math.ceil((windowStart + WINDOW_MS - now) / 1000))
    if (used !== undefined) return { limit, remaining: limit - used, resetSeconds }
    throw new Problem('rate_limited', {
      because: `${limit} requests per minute are allowed, try again in ${resetSeconds} s`,
      retryAfterSeconds: resetSeconds,
      details: { limit, remaining: 0, resetSeconds } satisfies RateLimitStatus,
    })
  }

  return {
    async take({ teamId, plan }, bucket) {
      const limit = planByName(plan).rates?.[bucket]
      return limit === undefined ? undefined : countRequest(counter, teamId, bucket, limit)
    },
    async takeOpen(address, what, limit) {
      await countRequest(addresses, address, what, limit)
    },
    async used(teamId) {
      const windowStart = startOf(clock.now())
      return { rates: await counter.counted(teamId, windowStart), windowEndsAt: windowStart + WINDOW_MS }
    },
  }
}

const startOf = (now: number): number => now - (now % WINDOW_MS)

function memoryCounter(): Counter {
  const used = new Map<string, Record<string, number>>()
  let current = Number.NEGATIVE_INFINITY
  return {
    async count({ teamId, bucket, windowStart, limit }) {
      // One window for all teams, so the map never keeps old entries.
      if (windowStart !== current) {
        used.clear()
        current = windowStart
      }
      const team = used.get(teamId) ?? {}
      const count = team[bucket] ?? 0
      if (count >= limit) return undefined
      team[bucket] = count + 1
      used.set(teamId, team)
      return count + 1
    },
    counted: async (teamId, windowStart) => (windowStart === current ? { ...used.get(teamId) } : {}),
  }
}
