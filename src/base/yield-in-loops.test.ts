import { expect, it } from 'vitest'
import { makeLoopYielder } from './yield-in-loops.ts'

it('lets other work run in the middle of a long loop, and not between short rounds', async () => {
  let others = 0
  const other = setInterval(() => others++, 1)
  const turn = makeLoopYielder(5)
  let paused = 0
  const began = performance.now()
  // A busy machine gives this process few turns in a given time.
  while (others <= 5 && performance.now() - began < 60_000) {
    const pause = turn()
    if (!pause) continue
    paused++
    await pause
  }
  clearInterval(other)
  expect(others).toBeGreaterThan(5)
  expect(paused).toBeLessThanOrEqual((performance.now() - began) / 5 + 1)
})
