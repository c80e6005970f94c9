import { expect, it } from 'vitest'
import { batchConcurrentCalls } from './batch-concurrent-calls.ts'

const pause = () => new Promise((resolve) => setImmediate(resolve))

it('runs what arrives during a run together, by key', async () => {
  const runs: string[] = []
  const call = batchConcurrentCalls(async (items: readonly number[], key) => {
    runs.push(`${key} ${items.join()}`)
    await pause()
    return (item: number) => item * 10
  })
  const results = await Promise.all([call('a', 1), call('a', 2), call('b', 3), call('a', 4)])
  expect(results).toEqual([10, 20, 30, 40])
  expect(runs).toEqual(['a 1', 'b 3', 'a 2,4'])
})

it('gives each call of a failed group its own result', async () => {
  const call = batchConcurrentCalls(async (items: readonly number[]) => {
    await pause()
    if (items.includes(3)) throw new Error(`failed with ${items.join()}`)
    return (item: number) => item
  })
  const results = await Promise.allSettled([call('a', 1), call('a', 2), call('a', 3), call('a', 4)])
  expect(results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
    1,
    2,
    'failed with 3',
    4,
  ])
})

it('runs calls that arrive after the last group', async () => {
  const call = batchConcurrentCalls(async (items: readonly number[]) => () => items.length)
  expect(await call('a', 1)).toBe(1)
  expect(await call('a', 2)).toBe(1)
})

it('waits for others before the first run when asked to', async () => {
  const call = batchConcurrentCalls(async (items: readonly number[]) => () => items.length, pause)
  expect(await Promise.all([call('a', 1), call('a', 2)])).toEqual([2, 2])
  expect(await call('a', 3)).toBe(1)
})
