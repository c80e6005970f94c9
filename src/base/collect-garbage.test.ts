import { getHeapSpaceStatistics } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it, vi } from 'vitest'
import { collectAtRest, collectGarbage } from './collect-garbage.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('empties the young generation, and leaves no gc function to programs', () => {
  const youngBytes = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_used_size
  Array.from({ length: 10_000 }, (_, n) => ({ n }))
  const used = youngBytes()
  collectGarbage()
  expect(youngBytes()).toBeLessThan(used)
  expect(runInNewContext('typeof gc')).toBe('undefined')
})

it('collects once after each time of work', () => {
  vi.useFakeTimers()
  let user = 0
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: user * 1000, system: 0 }))
  const collect = vi.fn()
  const stop = collectAtRest(collect)
  const pass = (checks: number, cpuMs: number) => {
    for (let n = 0; n < checks; n++) {
      user += cpuMs
      vi.advanceTimersByTime(5000)
    }
  }
  pass(6, 2000)
  expect(collect).not.toHaveBeenCalled()
  pass(3, 10)
  expect(collect).toHaveBeenCalledTimes(1)
  pass(20, 10)
  expect(collect).toHaveBeenCalledTimes(1)
  pass(1, 2000)
  pass(2, 10)
  expect(collect).toHaveBeenCalledTimes(1)
  pass(1, 10)
  expect(collect).toHaveBeenCalledTimes(2)
  stop()
  pass(1, 2000)
  pass(10, 10)
  expect(collect).toHaveBeenCalledTimes(2)
})
