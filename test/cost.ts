// Assertions on time: what something costs is judged by `npm run prove costs`, on a machine that does nothing else. In
// `npm test` the same work runs and everything else about it is asserted; a busy machine must not fail it.
import { expect } from 'vitest'

/** Costs are judged in this run. */
export const isJudged = process.env.ORB_TEST_COSTS === 'on'

/** How often something is done to measure it well: once where nobody measures. */
export const rounds = (count: number): number => (isJudged ? count : 1)

/** How large something is made of which only the cost is judged: as large as given there, a twentieth elsewhere. */
export const sized = (full: number): number => (isJudged ? full : Math.ceil(full / 20))

/** `expect` for milliseconds and ratios of them. */
export const expectCost = (measured: number, what?: string) => ({
  toBeLessThan(bar: number): void {
    // A measure that is no number would pass any bar.
    expect(Number.isFinite(measured), what).toBe(true)
    if (isJudged) expect(measured, what).toBeLessThan(bar)
  },
})
