// Branding, judged on ten pages with known style sheets, through the real service and its browser.
import { afterAll, beforeAll, expect, it } from 'vitest'
import floors from './branding-floors.json' with { type: 'json' }
import { type BrandRun, startBrandRun } from './understanding/branding/run.ts'
import { faults, shares, total } from './understanding/tally.ts'

let run: BrandRun
beforeAll(async () => {
  run = await startBrandRun()
})
afterAll(() => run.end())

it('colours, fonts, radius and buttons of known style sheets are right', { timeout: 240_000 }, async () => {
  const scores = await run.scores()
  const { right } = shares(total(scores.map(([, score]) => score)))
  expect(right, faults(scores).join('\n')).toBeGreaterThanOrEqual(floors.right)
})
