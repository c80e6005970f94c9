// How well a goal in words is told from other changes by rule, on a hundred labelled changes.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { goalRows, scoreGoals } from './monitor/goals.ts'

const floors = JSON.parse(readFileSync(new URL('./monitor-floors.json', import.meta.url), 'utf8')) as Record<
  string,
  number
>

it.each([
  ['open', false],
  ['sealed', true],
])('goals are judged as people do, on the %s half', (half, sealed) => {
  expect(goalRows).toHaveLength(100)
  const score = scoreGoals(goalRows.filter(({ isSealed }) => isSealed === sealed))
  console.log(half, score.right, 'of', score.rows, 'unsure', score.unsure)
  expect(score.right / score.rows, sealed ? '' : score.wrong.join('\n')).toBeGreaterThanOrEqual(floors['goals right']!)
})
