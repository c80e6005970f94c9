// Products, judged on the set in understanding/products: twenty pages in the shapes of five shop systems, and public
// product pages by id. The floors are raised by the commit that earns it.
import { describe, expect, it } from 'vitest'
import floors from './product-floors.json' with { type: 'json' }
import { productScores } from './understanding/run.ts'
import { hasSharedPages } from './understanding/shared-pages.ts'
import { faults, shares, total } from './understanding/tally.ts'

it('every field of the products of five shop systems is right', async () => {
  const scores = await productScores('own')
  const { right } = shares(total(scores.map(([, score]) => score)))
  expect(right, faults(scores).join('\n')).toBeGreaterThanOrEqual(floors.own)
})

describe.skipIf(!hasSharedPages)('public product pages (skipped where ../shared/bench is absent)', () => {
  it('title, brand, price, stock and sale are right', { timeout: 120_000 }, async () => {
    const scores = await productScores('wceb')
    const { right, wrong } = shares(total(scores.map(([, score]) => score)))
    expect(right, faults(scores).join('\n')).toBeGreaterThanOrEqual(floors.shared)
    expect(wrong).toBeLessThanOrEqual(floors.sharedWrong)
  })
})
