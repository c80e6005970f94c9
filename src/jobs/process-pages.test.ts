import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestSqlite, type TestStore } from '../../test/contract/open-store.ts'
import { silentLog } from '../base/log.ts'
import { disabledSpans } from '../base/spans.ts'
import { newId } from '../store/id.ts'
import { openHostPoliteness } from './host-politeness.ts'
import { openJobChangeNotifier } from './job-change-notifier.ts'
import { openJobService } from './job-service.ts'
import { makePageHandler } from './process-pages.ts'
import { openWorkQueueInStore } from './work-queue-in-store.ts'

let test: TestStore
beforeEach(async () => {
  test = await openTestSqlite()
})
afterEach(() => test.end())

/** A job whose pages are visited one at a time; `claim` returns the page that waits for a worker. */
async function openPages(count: number) {
  const { store, clock } = test
  const queue = openWorkQueueInStore({ wakeUps: store.wakeUps, clock, log: silentLog })
  const kind = { name: 'batch', endpoint: 'batch', events: { namespace: 'batch', names: [] } }
  const kinds = new Map([['batch', { ...kind, completes: false, needsPages: false }]])
  const jobService = openJobService({ store, queue, news: openJobChangeNotifier(), clock, kinds })
  jobService.setCapacity(1)
  const teamId = (await store.teams.create({ name: 'web' })).id
  const job = {
    ...{ id: newId(clock.now()), teamId, keyId: null, kind: 'batch', url: null, settings: {}, webhook: null },
    ...{ zeroDataRetention: false, pageLimit: null, slots: null, maxActive: null, delayMs: 0, discovering: false },
    ...{ warning: null, options: { formats: [] } },
  }
  const pages = Array.from({ length: count }, (_, at) => ({ key: `p${at}`, url: `https://e.com/p${at}`, depth: 0 }))
  await store.transaction((tx) => jobService.start(tx, job, pages))
  const visited: string[] = []
  const visit = async ({ key }: { key: string }) => {
    visited.push(key)
    const ended = { credits: 1, text: () => '', found: [], refused: [] }
    return { ...ended, scrapeId: newId(clock.now()), store: async () => undefined }
  }
  const handle = makePageHandler({
    ...{ store, jobService, clock, log: silentLog, spans: disabledSpans, as: (_keyId, work) => work() },
    hosts: openHostPoliteness({ clock, shared: undefined, processes: () => 1 }),
    visits: new Map([['batch', visit]]),
  })
  const claim = async () => (await store.wakeUps.claim('page', 1, 15_000))[0]!.id
  const signal = new AbortController().signal
  return { visited, claim, handle: (id: string) => handle(id, signal), state: () => store.jobs.get(job.id) }
}

it('begins the next page of a worker without a message', async () => {
  const { visited, claim, handle, state } = await openPages(3)
  await handle(await claim())
  expect(visited).toEqual(['p0', 'p1', 'p2'])
  expect(await test.store.wakeUps.claim('page', 9, 15_000)).toEqual([])
  expect(await state()).toMatchObject({ state: 'completed', completed: 3, credits: 3, active: 0 })
})

it('lets another worker have its turn after some pages', async () => {
  const { visited, claim, handle } = await openPages(45)
  const first = await claim()
  await handle(first)
  expect(visited).toHaveLength(20)
  await handle(await claim())
  expect(visited).toHaveLength(40)
})

it('leaves its turn to a page that has waited for a worker', async () => {
  const { visited, claim, handle } = await openPages(3)
  const first = await claim()
  await test.store.transaction((tx) => test.store.wakeUps.enqueue(tx, 'page', ['waits'], { inMs: 0, priority: 0 }))
  test.clock.wind(1_000)
  await handle(first)
  expect(visited).toEqual(['p0'])
  expect(await claim()).toBe('waits')
  await handle(await claim())
  expect(visited).toEqual(['p0', 'p1', 'p2'])
})

it('gives pages of a process that is gone to workers again', async () => {
  const { claim } = await openPages(1)
  const [page] = [await claim()]
  await test.store.wakeUps.freeAll()
  expect(await test.store.frontier.lapsed(9)).toEqual([page])
})
