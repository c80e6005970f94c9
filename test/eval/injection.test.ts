// Orders planted in texts, by the shared kit: a sample here, all of it and a thousand ordinary pages in `npm run prove`.
import { describe, expect, it } from 'vitest'
import { hasInjectionKit, kitShares } from './understanding/injection/run.ts'

describe.skipIf(!hasInjectionKit)('planted orders (skipped where ../shared/injection is absent)', () => {
  it('are found, and texts without one are left alone', { timeout: 120_000 }, () => {
    const { found, refused } = kitShares(4)
    expect(found).toBeGreaterThanOrEqual(0.85)
    expect(refused).toBeLessThanOrEqual(0.01)
  })
})
