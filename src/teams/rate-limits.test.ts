import { describe, expect, it } from 'vitest'
import { ManualClock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { planByName, plans } from './plans.ts'
import { createRateLimiter } from './rate-limits.ts'

const free = { teamId: 'a', plan: 'free' }

async function refusal(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Problem) return error
  throw error ?? new Error('it was not refused')
}

describe('the rate limiter', () => {
  it('counts down to nothing, refuses with the time to wait, and begins anew with the next minute', async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1, 0, 0, 20))
    const { take, used } = createRateLimiter(clock)
    for (let left = 9; left >= 0; left -= 1)
      expect(await take(free, 'scrape')).toEqual({ limit: 10, remaining: left, resetSeconds: 40 })
    const problem = await refusal(take(free, 'scrape'))
    expect(problem).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 40 })
    expect(problem.message).toMatch(/^Rate limit exceeded/)
    expect(await used('a')).toEqual({ rates: { scrape: 10 }, windowEndsAt: Date.UTC(2026, 0, 1, 0, 1) })
    clock.wind(39_999)
    expect((await refusal(take(free, 'scrape'))).retryAfterSeconds).toBe(1)
    clock.wind(1)
    expect((await used('a')).rates).toEqual({})
    expect((await take(free, 'scrape'))?.remaining).toBe(9)
  })

  it('counts each team and each bucket for itself', async () => {
    const { take } = createRateLimiter(new ManualClock())
    await take(free, 'crawl')
    await take(free, 'crawl')
    expect((await refusal(take(free, 'crawl'))).kind).toBe('rate_limited')
    expect((await take(free, 'map'))?.remaining).toBe(9)
    expect((await take({ ...free, teamId: 'b' }, 'crawl'))?.remaining).toBe(1)
  })

  it('does not count a team without limits', async () => {
    const { take, used } = createRateLimiter(new ManualClock())
    for (let at = 0; at < 20_000; at += 1)
      expect(await take({ teamId: 'a', plan: 'unlimited' }, 'scrape')).toBeUndefined()
    expect((await used('a')).rates).toEqual({})
  })
})

describe('the plans', () => {
  it('treat a plan nobody knows as the smallest one', () => {
    expect(planByName('constructor')).toBe(plans.free)
    expect(planByName('hobby')).toBe(plans.hobby)
  })
  it('are those of the wire contract', () => {
    expect(plans.scale.rates).toMatchObject({
      scrape: 10_000,
      crawl: 2_000,
      sessionCreate: 1_500,
      sessionRun: 7_500,
    })
    expect(plans.growth).toMatchObject({ concurrency: 100, maxQueuedJobs: 200_000 })
    expect(plans.standard.rates.taskStatus).toBe(25_000)
  })
})
