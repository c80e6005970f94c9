import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestSqlite, type TestStore } from '../../test/contract/open-store.ts'
import { systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { createAdmissionControl } from './concurrency-slots.ts'
import { makeSharedAdmissionControl } from './shared-admission-control.ts'
import { teamStore } from './store/index.ts'

const never = new AbortController().signal
const team = { teamId: 'a', plan: 'free' }
const PATIENCE_MS = 120_000

describe('slots that processes share', () => {
  let test: TestStore
  beforeEach(async () => {
    test = await openTestSqlite({ clock: systemClock })
  })
  afterEach(() => test.end())
  /** What one process has; all of one test share the store. */
  const process = (maxWaiting = 10, concurrency = 10) =>
    makeSharedAdmissionControl({
      local: createAdmissionControl({ concurrency, maxWaiting }),
      limits: teamStore(test.store).limits,
      maxWaiting,
      clock: systemClock,
      log: silentLog,
    })

  it('are as many as the plan has, in all processes together', async () => {
    const [one, two] = [process(), process()]
    const first = await one.admit(team, { timeoutMs: PATIENCE_MS }, never)
    const second = await two.admit(team, { timeoutMs: PATIENCE_MS }, never)
    expect([first.limited, second.limited]).toEqual([false, false])
    expect(await one.standing(team)).toEqual({ running: 2, waiting: 0, slots: 2 })
    const third = two.admit(team, { timeoutMs: PATIENCE_MS }, never)
    await expect.poll(() => two.standing(team)).toMatchObject({ running: 2, waiting: 1 })
    await sleep(60)
    first.release()
    first.release()
    const slot = await third
    expect(slot.limited).toBe(true)
    expect(slot.waitedMs).toBeGreaterThanOrEqual(50)
    slot.release()
    second.release()
    await expect.poll(() => teamStore(test.store).limits.slotsTaken('a')).toBe(0)
  })

  it('do not concern a team without a plan', async () => {
    const { admit } = process()
    const slots = await Promise.all(
      [1, 2, 3, 4].map(() => admit({ teamId: 'b', plan: 'unlimited' }, { timeoutMs: PATIENCE_MS }, never)),
    )
    expect(await teamStore(test.store).limits.slotsTaken('b')).toBe(0)
    for (const slot of slots) slot.release()
  })

  it('are waited for in the order of arrival, for two thirds of the timeout', async () => {
    const { admit, load } = process()
    const held = [
      await admit(team, { timeoutMs: PATIENCE_MS }, never),
      await admit(team, { timeoutMs: PATIENCE_MS }, never),
    ]
    const order: number[] = []
    const waiters = [1, 2, 3].map(async (n) => {
      const slot = await admit(team, { timeoutMs: PATIENCE_MS }, never)
      order.push(n)
      slot.release()
    })
    await expect(admit(team, { timeoutMs: 90 }, never)).rejects.toMatchObject({ kind: 'queue_timeout' })
    held[0]!.release()
    await Promise.all(waiters)
    expect(order).toEqual([1, 2, 3])
    held[1]!.release()
    expect(load()).toMatchObject({ running: 0, waiting: 0 })
  })

  it('are not lost to whoever goes away while waiting', async () => {
    const { admit, load, standing } = process()
    const held = [
      await admit(team, { timeoutMs: PATIENCE_MS }, never),
      await admit(team, { timeoutMs: PATIENCE_MS }, never),
    ]
    const gone = new AbortController()
    const leaving = [1, 2].map(() => admit(team, { timeoutMs: PATIENCE_MS }, gone.signal))
    const staying = admit(team, { timeoutMs: PATIENCE_MS }, never)
    await expect.poll(() => standing(team)).toMatchObject({ waiting: 3 })
    gone.abort()
    for (const each of leaving) await expect(each).rejects.toMatchObject({ kind: 'cancelled' })
    for (const slot of held) slot.release()
    ;(await staying).release()
    await expect.poll(() => teamStore(test.store).limits.slotsTaken('a')).toBe(0)
    expect(load()).toMatchObject({ running: 0, waiting: 0 })
  })

  it('are refused at once when too many wait, and given back when this process itself is full', async () => {
    const { admit, standing } = process(1, 1)
    const first = await admit(team, { timeoutMs: PATIENCE_MS }, never)
    // Has a slot of the team, and waits for one of the process.
    const second = admit(team, { timeoutMs: 6000 }, never)
    const ended = expect(second).rejects.toMatchObject({ kind: 'queue_timeout' })
    await expect.poll(() => standing(team)).toMatchObject({ running: 2, waiting: 0 })
    const third = admit(team, { timeoutMs: PATIENCE_MS }, never)
    await expect.poll(() => standing(team)).toMatchObject({ running: 2, waiting: 1 })
    await expect(admit(team, { timeoutMs: PATIENCE_MS }, never)).rejects.toMatchObject({ kind: 'too_busy' })
    await ended
    first.release()
    ;(await third).release()
    await expect.poll(() => teamStore(test.store).limits.slotsTaken('a')).toBe(0)
  })
})
