// Searching in Chinese, Japanese, German, Russian and Hindi: nDCG@10 on our own graded sets must not sink below its floors,
// nor any set below what we promise.
import { expect, it } from 'vitest'
import { SETS, scores } from './search/run.ts'
import floors from './search-floors.json' with { type: 'json' }

const PROMISED = 0.75
const measured = scores()

it.each(SETS)('%s is found', (name) => {
  const { open, sealed, wrong } = measured.get(name)!
  expect(open, wrong.join('\n')).toBeGreaterThanOrEqual(floors[name].open)
  expect(sealed).toBeGreaterThanOrEqual(floors[name].sealed)
  expect(Math.min(open, sealed)).toBeGreaterThanOrEqual(PROMISED)
})
