import { expect, it } from 'vitest'
import { makeLoopYielder } from './yield-in-loops.ts'

it('lets other work run in the middle of a long loop, and not between short rounds', async () => {
  let others = 0
  const other = setInterval(() => others++, 1)
  const turn = makeLoopYielder(5)
  let paused = 0
  const until = performance.now() + 200
  while (performance.now() < until) {
    const pause = turn()
    if (!pause) continue
    paused++
    await pause
  }
  clearInterval(other)
  expect(others).toBeGreaterThan(5)
  expect(paused).toBeLessThanOrEqual(41)
})
