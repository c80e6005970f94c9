// Assertions on time: bars in seconds are judged by `npm run prove costs`, on a machine that does nothing else. `npm test`
// judges how costs grow (`expectLinear`), which a busy machine does not change.
import { expect } from 'vitest'

/** Costs are judged in this run. */
export const isJudged = process.env.ORB_TEST_COSTS === 'on'

/** How often something is done to measure it well: once where nobody measures. */
export const rounds = (count: number): number => (isJudged ? count : 1)

/** How large something is made of which only the cost is judged: as large as given there, a twentieth elsewhere. */
export const sized = (full: number): number => (isJudged ? full : Math.ceil(full / 20))

/** Below this, four times the work is too little to tell growth from what the runtime does beside it. */
const LEAST_MS = 100
/** Work in proportion takes four times as long, quadratic work sixteen times. */
const MOST_GROWTH = 9
const GROWTH_TRIES = 3

/** CPU milliseconds of this process. */
export function cpuMsOf(work: () => unknown): number {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

/** Judged in every run: the work at 4 n takes about four times the CPU seconds of that at n, the best of some tries. */
export function expectLinear(n: number, work: (n: number) => unknown, what?: string): void {
  work(Math.ceil(n / 4))
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < GROWTH_TRIES && best > MOST_GROWTH; turn += 1) {
    const small = cpuMsOf(() => work(n))
    const large = cpuMsOf(() => work(4 * n))
    best = Math.min(best, large < LEAST_MS ? 0 : large / small)
  }
  expect(best, what ?? 'growth of CPU seconds from n to 4 n').toBeLessThanOrEqual(MOST_GROWTH)
}

/** `expect` for milliseconds and ratios of them. */
export const expectCost = (measured: number, what?: string) => ({
  toBeLessThan(bar: number): void {
    // A measure that is no number would pass any bar.
    expect(Number.isFinite(measured), what).toBe(true)
    if (isJudged) expect(measured, what).toBeLessThan(bar)
  },
})
