import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { openTestPostgres, openTestSqlite } from '../../test/contract/open-store.ts'
import { queueContract } from '../../test/contract/queue.ts'
import { until } from '../../test/e2e/waiting.ts'
import { type ManualClock, systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { backoffMsAfter } from './work-queue.ts'
import { openWorkQueueInStore } from './work-queue-in-store.ts'

const url = inject('postgresUrl')

describe('the queue on SQLite holds the queue contract', () =>
  queueContract(async () => {
    const { store, end } = await openTestSqlite({ clock: systemClock })
    const queue = openWorkQueueInStore({ wakeUps: store.wakeUps, clock: systemClock, log: silentLog, pollMs: 100 })
    return {
      store,
      queue,
      other: undefined,
      end: async () => {
        await queue.close()
        await end()
      },
    }
  }))

describe.skipIf(url === undefined)('the queue on PostgreSQL holds the queue contract (skipped without it)', () => {
  const open = openTestPostgres(url!)
  queueContract(async () => {
    const { store, end } = await open({ clock: systemClock })
    const { wakeUps, wakeUpSignals: signals } = store
    const [queue, other] = [0, 1].map(() =>
      openWorkQueueInStore({ wakeUps, signals, clock: systemClock, log: silentLog }),
    )
    return {
      store,
      queue: queue!,
      other,
      end: async () => {
        await queue!.close()
        await other!.close()
        await end()
      },
    }
  })
})

describe('the queue', () => {
  it('delivers a message again when the lease of a dead worker lapses', async () => {
    const { store, clock, end } = await openTestSqlite()
    await store.transaction((tx) => store.wakeUps.enqueue(tx, 'page', ['orphan'], { inMs: 0, priority: 0 }))
    expect(await store.wakeUps.claim('page', 1, 3000)).toHaveLength(1)
    clock.wind(2999)
    expect(await store.wakeUps.claim('page', 1, 3000)).toHaveLength(0)
    const queue = openWorkQueueInStore({ wakeUps: store.wakeUps, clock, log: silentLog, pollMs: 50 })
    const received = new Promise<string>((resolve) => queue.work('page', { concurrency: 1 }, async (id) => resolve(id)))
    clock.wind(1)
    expect(await received).toBe('orphan')
    await queue.close()
    await end()
  })

  it('polls again when a poll hangs', async () => {
    const { store, clock, end } = await openTestSqlite()
    let polls = 0
    const wakeUps = {
      ...store.wakeUps,
      due: (...given: Parameters<typeof store.wakeUps.due>) =>
        polls++ === 0 ? new Promise<never>(() => {}) : store.wakeUps.due(...given),
    }
    const queue = openWorkQueueInStore({ wakeUps, clock, log: silentLog, pollMs: 20, pollLimitMs: 100 })
    let received = ''
    queue.work('page', { concurrency: 1 }, async (id) => {
      received = id
    })
    await until(() => polls === 1)
    // Written by another process, whose notification was lost.
    await store.transaction((tx) => store.wakeUps.enqueue(tx, 'page', ['late'], { inMs: 0, priority: 0 }))
    await until(() => received === 'late')
    await queue.close()
    await end()
  })

  it('keeps the lease for as long as the handler runs', async () => {
    const { store, clock, end } = await openTestSqlite()
    let extended = 0
    const wakeUps = {
      ...store.wakeUps,
      extend: async (...given: Parameters<typeof store.wakeUps.extend>) => {
        await store.wakeUps.extend(...given)
        extended += 1
      },
    }
    const queue = openWorkQueueInStore({ wakeUps, clock, log: silentLog, pollMs: 30, leaseMs: 150 })
    let received = 0
    let finish = () => {}
    queue.work('page', { concurrency: 2 }, async () => {
      received += 1
      await new Promise<void>((resolve) => {
        finish = resolve
      })
    })
    await store.transaction((tx) => queue.enqueue(tx, 'page', ['slow']))
    await until(() => received > 0)
    // Leases lapse by the clock in our hand, several times over.
    for (let n = 0; n < 6; n += 1) {
      clock.wind(100)
      const before = extended
      await until(() => extended > before)
    }
    expect(received).toBe(1)
    finish()
    await queue.close()
    await end()
  })

  it('polls for all kinds at once, and claims only where something is due', async () => {
    const { store, clock, end } = await openTestSqlite()
    const claimed: string[] = []
    let polls = 0
    const wakeUps = {
      ...store.wakeUps,
      claim: async (...given: Parameters<typeof store.wakeUps.claim>) => {
        claimed.push(given[0])
        return await store.wakeUps.claim(...given)
      },
      due: async (...given: Parameters<typeof store.wakeUps.due>) => {
        polls += 1
        return await store.wakeUps.due(...given)
      },
    }
    const queue = openWorkQueueInStore({ wakeUps, clock, log: silentLog, pollMs: 40 })
    const received: string[] = []
    for (const kind of ['page', 'webhook'])
      queue.work(kind, { concurrency: 1 }, async (id) => {
        received.push(`${kind} ${id}`)
      })
    await store.transaction((tx) => queue.enqueue(tx, 'webhook', ['later'], { runAt: clock.now() + 60_000 }))
    await until(() => polls > 3)
    expect(claimed).toEqual(['page', 'webhook'])
    clock.wind(60_000)
    await until(() => received.length > 0)
    expect(received).toEqual(['webhook later'])
    expect(claimed.filter((kind) => kind === 'page')).toHaveLength(1)
    await queue.close()
    await end()
  })

  describe('between polls', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
    afterEach(() => void vi.useRealTimers())

    const pass = async (clock: ManualClock, ms: number) => {
      for (let left = ms; left > 0; left -= 100) {
        clock.wind(100)
        await vi.advanceTimersByTimeAsync(100)
      }
    }

    it('claims messages at their times, or within a second after another of their kind', async () => {
      const { store, clock, end } = await openTestSqlite()
      let polls = 0
      const wakeUps = {
        ...store.wakeUps,
        due: (...given: Parameters<typeof store.wakeUps.due>) => {
          polls += 1
          return store.wakeUps.due(...given)
        },
      }
      const queue = openWorkQueueInStore({ wakeUps, clock, log: silentLog })
      // Not by the queue, which sets timers of its own.
      for (const inMs of [5200, 5700])
        await store.transaction((tx) => store.wakeUps.enqueue(tx, 'page', [`${inMs}`], { inMs, priority: 0 }))
      const received: string[] = []
      queue.work('page', { concurrency: 1 }, async (id) => void received.push(id))
      await pass(clock, 5000)
      expect(received).toEqual([])
      await pass(clock, 500)
      expect(received).toEqual(['5200'])
      await pass(clock, 600)
      expect(received).toEqual(['5200', '5700'])
      expect(polls).toBe(2)
      vi.useRealTimers()
      await queue.close()
      await end()
    })

    it('claims a failed message again as soon as its pause is over', async () => {
      const { store, clock, end } = await openTestSqlite()
      const queue = openWorkQueueInStore({ wakeUps: store.wakeUps, clock, log: silentLog })
      let tries = 0
      queue.work('page', { concurrency: 1 }, async () => {
        tries += 1
        if (tries === 1) throw new Error('the first attempt fails')
      })
      await store.transaction((tx) => queue.enqueue(tx, 'page', ['p1']))
      await pass(clock, 500)
      expect(tries).toBe(1)
      await pass(clock, 1000)
      expect(tries).toBe(2)
      vi.useRealTimers()
      await queue.close()
      await end()
    })
  })

  it('waits longer after each failure, and never longer than five minutes', () => {
    expect([1, 2, 3, 9, 50].map(backoffMsAfter)).toEqual([1_000, 2_000, 4_000, 256_000, 300_000])
  })
})
