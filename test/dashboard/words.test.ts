// Numbers and times as the dashboard says them.
import { expect, it } from 'vitest'
import { ago, bytes, duration, facts } from '../../dashboard/src/words.ts'

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1500, '1.5 s'],
  [9960, '10 s'],
  [59_700, '1 min 0 s'],
  [119_600, '2 min 0 s'],
  [3_600_000, '1 h 0 min'],
  [49 * 3_600_000, '2 days'],
])('%i ms are “%s”: never sixty seconds beside a minute', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

it('says how long ago in one unit', () => {
  const before = (ms: number) => ago(Date.now() - ms)
  expect(before(3000)).toBe('just now')
  expect(before(176_000)).toBe('3 min ago')
  expect(before(5 * 3_600_000 + 60_000)).toBe('5 h ago')
  expect(before(-240_000)).toBe('in 4 min')
  expect(ago(null)).toBe('–')
})

it('leaves out of a record what says nothing', () => {
  expect(facts({ hops: [], bytes: 3, why: null, formats: ['markdown', 'links'], deep: { a: 1 } })).toBe(
    'bytes: 3 · formats: markdown, links · deep: {"a":1}',
  )
  expect(bytes(1_400_000)).toBe('1.4 MB')
})
