// The contract of every queue: messages arrive after the commit, at least once, at their time, within the concurrency,
// and again when the handler failed.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { WorkQueue } from '../../src/jobs/work-queue.ts'
import type { Store } from '../../src/store/index.ts'

export interface QueueContext {
  store: Store
  queue: WorkQueue
  /** A second process on the same data; undefined when there can be none. */
  other: WorkQueue | undefined
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
  const wake = (ids: string[], runAt?: number) =>
    context.store.transaction((tx) => context.queue.enqueue(tx, 'page', ids, runAt === undefined ? {} : { runAt }))

  it('delivers each message to a worker', async () => {
    const received: string[] = []
    context.queue.work('page', { concurrency: 4 }, async (id) => void received.push(id))
    await wake(['a', 'b', 'c'])
    await until(() => received.length === 3)
    expect(received.sort()).toEqual(['a', 'b', 'c'])
  })

  it('delivers messages that were sent before a worker started', async () => {
    await wake(['early'])
    const received: string[] = []
    context.queue.work('page', { concurrency: 1 }, async (id) => void received.push(id))
    await until(() => received.length === 1)
  })

  it('never delivers a message whose transaction failed', async () => {
    const received: string[] = []
    context.queue.work('page', { concurrency: 4 }, async (id) => void received.push(id))
    const failed = context.store.transaction(async (tx) => {
      await context.queue.enqueue(tx, 'page', ['ghost'])
      throw new Error('undone')
    })
    await expect(failed).rejects.toThrow('undone')
    await wake(['real'])
    await until(() => received.length > 0)
    await sleep(100)
    expect(received).toEqual(['real'])
  })

  it('delivers a message no earlier than its time, and of two times takes the earlier', async () => {
    const received: { id: string; at: number }[] = []
    context.queue.work('page', { concurrency: 4 }, async (id) => void received.push({ id, at: Date.now() }))
    const began = Date.now()
    await wake(['late'], began + 700)
    await wake(['late'], began + 60_000)
    await until(() => received.length === 1)
    expect(received[0]!.at - began).toBeGreaterThanOrEqual(690)
  })

  it('merges messages for one id that wait', async () => {
    for (let times = 0; times < 5; times += 1) await wake(['same'], Date.now() + 300)
    const received: string[] = []
    context.queue.work('page', { concurrency: 4 }, async (id) => void received.push(id))
    await until(() => received.length > 0)
    await sleep(400)
    expect(received).toEqual(['same'])
  })

  it('delivers again what was sent while it was being handled', async () => {
    let received = 0
    let finish = () => {}
    context.queue.work('page', { concurrency: 1 }, async () => {
      received += 1
      if (received === 1) await new Promise<void>((resolve) => (finish = resolve))
    })
    await wake(['x'])
    await until(() => received === 1)
    await wake(['x'])
    finish()
    await until(() => received === 2)
  })

  it('handles no more messages at once than its concurrency', async () => {
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
    await wake(Array.from({ length: 12 }, (_, at) => `page ${at}`))
    await until(() => done === 12)
    expect(most).toBe(3)
  })

  it('delivers a message again when its handler failed', async () => {
    let received = 0
    context.queue.work('page', { concurrency: 2 }, async () => {
      received += 1
      if (received === 1) throw new Error('not now')
    })
    await wake(['again'])
    await until(() => received === 2)
  })

  it('waits for running handlers when it is closed', async () => {
    let [begun, done] = [false, false]
    context.queue.work('page', { concurrency: 2 }, async () => {
      begun = true
      await sleep(200)
      done = true
    })
    await wake(['last'])
    await until(() => begun)
    await context.queue.close()
    expect(done).toBe(true)
  })

  it('delivers each message to one of two processes', async ({ skip }) => {
    if (!context.other) return skip('only one process can be on this data')
    const received: string[] = []
    for (const queue of [context.queue, context.other])
      queue.work('page', { concurrency: 2 }, async (id) => {
        received.push(id)
        await sleep(5)
      })
    const ids = Array.from({ length: 30 }, (_, at) => `page ${at}`)
    await wake(ids)
    await until(() => received.length >= 30)
    await sleep(100)
    expect(received.sort()).toEqual([...ids].sort())
  })
}
