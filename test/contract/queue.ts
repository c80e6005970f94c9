// What every queue must do, whichever one is behind the port: bells sound once committed, at least once, in time, at
// most so many at once, and again when nobody answered them well.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Queue } from '../../src/jobs/queue.ts'
import type { Store } from '../../src/store/index.ts'

export interface QueueContext {
  store: Store
  queue: Queue
  /** A second process on the same data; undefined when there can be none. */
  other: Queue | undefined
  end(): Promise<void>
}

const PATIENCE_MS = 120_000

const until = async (holds: () => boolean) => {
  const end = performance.now() + PATIENCE_MS
  while (!holds()) {
    if (performance.now() > end) expect.fail('it did not happen in time')
    await sleep(5)
  }
}

export function queueContract(open: () => Promise<QueueContext>): void {
  let context: QueueContext
  beforeEach(async () => {
    context = await open()
  })
  afterEach(() => context.end())
  const ring = (ids: string[], runAt?: number) =>
    context.store.transaction((tx) => context.queue.ring(tx, 'page', ids, runAt === undefined ? {} : { runAt }))

  it('brings each bell to a worker', async () => {
    const received: string[] = []
    context.queue.work('page', { concurrency: 4 }, async (id) => void received.push(id))
    await ring(['a', 'b', 'c'])
    await until(() => received.length === 3)
    expect(received.sort()).toEqual(['a', 'b', 'c'])
  })

  it('finds bells that were rung before anybody listened', async () => {
    await ring(['early'])
    const received: string[] = []
    context.queue.work('page', { concurrency: 1 }, async (id) => void received.push(id))
    await until(() => received.length === 1)
  })

  it('never sounds a bell whose transaction failed', async () => {
    const received: string[] = []
    context.queue.work('page', { concurrency: 4 }, async (id) => void received.push(id))
    const failed = context.store.transaction(async (tx) => {
      await context.queue.ring(tx, 'page', ['ghost'])
      throw new Error('undone')
    })
    await expect(failed).rejects.toThrow('undone')
    await ring(['real'])
    await until(() => received.length > 0)
    await sleep(100)
    expect(received).toEqual(['real'])
  })

  it('does not sound a bell before its time, and of two times takes the earlier', async () => {
    const received: { id: string; at: number }[] = []
    context.queue.work('page', { concurrency: 4 }, async (id) => void received.push({ id, at: Date.now() }))
    const began = Date.now()
    await ring(['late'], began + 700)
    await ring(['late'], began + 60_000)
    await until(() => received.length === 1)
    expect(received[0]!.at - began).toBeGreaterThanOrEqual(690)
  })

  it('makes one bell of many that are rung before it is answered', async () => {
    for (let times = 0; times < 5; times += 1) await ring(['same'], Date.now() + 300)
    const received: string[] = []
    context.queue.work('page', { concurrency: 4 }, async (id) => void received.push(id))
    await until(() => received.length > 0)
    await sleep(400)
    expect(received).toEqual(['same'])
  })

  it('sounds again what was rung while it was being answered', async () => {
    let received = 0
    let finish = () => {}
    context.queue.work('page', { concurrency: 1 }, async () => {
      received += 1
      if (received === 1) await new Promise<void>((resolve) => (finish = resolve))
    })
    await ring(['x'])
    await until(() => received === 1)
    await ring(['x'])
    finish()
    await until(() => received === 2)
  })

  it('answers no more bells at once than it was told to', async () => {
    let running = 0
    let most = 0
    let done = 0
    context.queue.work('page', { concurrency: 3 }, async () => {
      running += 1
      most = Math.max(most, running)
      await sleep(20)
      running -= 1
      done += 1
    })
    await ring(Array.from({ length: 12 }, (_, at) => `page ${at}`))
    await until(() => done === 12)
    expect(most).toBe(3)
  })

  it('sounds a bell again when its answer failed', async () => {
    let received = 0
    context.queue.work('page', { concurrency: 2 }, async () => {
      received += 1
      if (received === 1) throw new Error('not now')
    })
    await ring(['again'])
    await until(() => received === 2)
  })

  it('waits for what is being answered when it is closed', async () => {
    let [begun, done] = [false, false]
    context.queue.work('page', { concurrency: 2 }, async () => {
      begun = true
      await sleep(200)
      done = true
    })
    await ring(['last'])
    await until(() => begun)
    await context.queue.close()
    expect(done).toBe(true)
  })

  it('gives each bell to one of two processes', async ({ skip }) => {
    if (!context.other) return skip('only one process can be on this data')
    const received: string[] = []
    for (const queue of [context.queue, context.other])
      queue.work('page', { concurrency: 2 }, async (id) => {
        received.push(id)
        await sleep(5)
      })
    const ids = Array.from({ length: 30 }, (_, at) => `page ${at}`)
    await ring(ids)
    await until(() => received.length >= 30)
    await sleep(100)
    expect(received.sort()).toEqual([...ids].sort())
  })
}
