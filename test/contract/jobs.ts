// What every store must do with jobs and their pages, whichever dialect is behind it: exact limits, fair turns, sums that
// add up, and ends that happen once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { webhookDeliveryStore } from '../../src/jobs/store/index.ts'
import type { JobPage } from '../../src/store/frontier-types.ts'
import { newId } from '../../src/store/id.ts'
import type { NewJob } from '../../src/store/jobs.ts'
import { runStepsInOneRoundTrip } from '../../src/store/pipelined-statements.ts'
import type { Tx } from '../../src/store/tables.ts'
import type { OpenTestStore, TestStore } from './open-store.ts'

const HOUR_MS = 3_600_000
const LEASE_MS = 15_000

export function jobsContract(open: OpenTestStore): void {
  let test: TestStore
  let teamId: string
  beforeEach(async () => {
    test = await open()
    teamId = (await test.store.teams.create({ name: 'web' })).id
  })
  afterEach(() => test.end())

  const aJob = (options: Partial<NewJob> = {}): NewJob => ({
    id: newId(test.clock.now()),
    teamId,
    keyId: null,
    kind: 'batch',
    url: null,
    settings: { plan: 'unlimited' },
    webhook: null,
    zeroDataRetention: false,
    pageLimit: null,
    slots: null,
    maxActive: null,
    delayMs: 0,
    discovering: false,
    warning: null,
    options: { formats: [] },
    ...options,
  })
  const pagesOf = (...keys: string[]) => keys.map((key) => ({ key, url: `https://e.com/${key}`, depth: 0 }))

  async function added(keys: string[], options: Partial<NewJob> = {}): Promise<string> {
    const job = aJob(options)
    const { store } = test
    await store.transaction(async (tx) => {
      await store.jobs.add(tx, job)
      await store.frontier.add(tx, { jobId: job.id, total: 0, pageLimit: job.pageLimit }, pagesOf(...keys))
    })
    return job.id
  }
  const take = (capacity = 10, team = teamId) =>
    test.store.transaction(async (tx) => {
      await test.store.frontier.lockTeam(tx, team)
      return test.store.frontier.take(tx, team, capacity, test.clock.now() + LEASE_MS)
    })
  const begin = async (id: string) => (await test.store.frontier.begin(id, test.clock.now() + LEASE_MS))!
  const endOf = async (tx: Tx, page: JobPage, credits: number) => {
    const [sums] = await runStepsInOneRoundTrip(
      tx,
      test.store.frontier.completion(page.jobId, [{ id: page.id, scrapeId: null }], credits),
    )
    return sums
  }
  const complete = async (id: string) => {
    const page = await begin(id)
    return test.store.transaction((tx) => endOf(tx, page, 1))
  }
  const job = async (id: string) => (await test.store.jobs.get(id))!

  describe('the frontier', () => {
    it('knows each page of a job once, and takes no more than the limit', async () => {
      const id = await added(['a', 'b'], { pageLimit: 4 })
      const more = (keys: string[], total: number) =>
        test.store.transaction((tx) =>
          test.store.frontier.add(tx, { jobId: id, total, pageLimit: 4 }, pagesOf(...keys)),
        )
      expect(await more(['a', 'b', 'b', 'c', 'd', 'e'], 2)).toBe(2)
      expect(await more(['f'], 4)).toBe(0)
      expect(await job(id)).toMatchObject({ total: 4, queued: 4, active: 0 })
      const other = await added(['a'])
      expect(await job(other)).toMatchObject({ total: 1 })
    })

    it('says which pages a job does not know, and believes nothing that was undone', async () => {
      const { store } = test
      const id = await added(['a', 'b'])
      const open = async (...keys: string[]) => [...(await store.frontier.unknown(id, keys))].sort()
      expect(await open('a', 'c', 'c')).toEqual(['c'])
      const undone = store.transaction(async (tx) => {
        await store.frontier.add(tx, { jobId: id, total: 2, pageLimit: null }, pagesOf('c'))
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await open('a', 'b', 'c')).toEqual(['c'])
      await store.transaction((tx) => store.frontier.add(tx, { jobId: id, total: 2, pageLimit: null }, pagesOf('c')))
      expect(await open('a', 'b', 'c')).toEqual([])
      const other = await added(['x'])
      expect([...(await store.frontier.unknown(other, ['a', 'x']))]).toEqual(['a'])
    })

    it('gives out as many pages as there are slots, in the order of discovery', async () => {
      const id = await added(['a', 'b', 'c'])
      const { pages } = await take(2)
      expect(pages).toHaveLength(2)
      expect((await take(2)).pages).toEqual([])
      expect(await job(id)).toMatchObject({ queued: 1, active: 2 })
      expect((await Promise.all(pages.map((page) => begin(page.id)))).map((page) => page.key).sort()).toEqual([
        'a',
        'b',
      ])
    })

    it('gives each of two racing takers other pages', async () => {
      await added(['a', 'b', 'c', 'd'])
      const [one, two] = await Promise.all([take(4), take(4)])
      expect(one.pages.length + two.pages.length).toBe(4)
      expect(new Set([...one.pages, ...two.pages].map((page) => page.id)).size).toBe(4)
    })

    it('lets the jobs of a team take turns, and keeps to the slots of the team', async () => {
      const first = await added(['a', 'b', 'c', 'd'], { slots: 3 })
      const second = await added(['e', 'f', 'g', 'h'], { slots: 3 })
      const { pages } = await take()
      expect(pages).toHaveLength(3)
      const shares = [first, second].map((id) => pages.filter((page) => page.jobId === id).length)
      expect(shares.sort()).toEqual([1, 2])
      await complete(pages[0]!.id)
      expect((await take()).pages).toHaveLength(1)
    })

    it('gives the turn of a job whose pages wait to another', async () => {
      const first = await added(['a'])
      const [page] = (await take(1)).pages
      const runAt = test.clock.now() + 5_000
      const begun = await begin(page!.id)
      await test.store.transaction((tx) => test.store.frontier.putBack(tx, begun, runAt, true))
      expect(await job(first)).toMatchObject({ queued: 1, active: 0 })
      const second = await added(['b'])
      const taken = await take(1)
      expect(taken.pages.map((each) => each.jobId)).toEqual([second])
      await complete(taken.pages[0]!.id)
      expect((await take(1)).nextAt).toBe(runAt)
      test.clock.wind(5_000)
      expect((await take(1)).pages.map((each) => each.jobId)).toEqual([first])
    })

    it('counts only what it took: a page that waits takes no slot and begins no delay', async () => {
      const id = await added(['a'], { delayMs: 2_000 })
      const begun = await begin((await take()).pages[0]!.id)
      const runAt = test.clock.now() + 10_000
      await test.store.transaction((tx) => test.store.frontier.putBack(tx, begun, runAt, true))
      test.clock.wind(2_000)
      for (let times = 0; times < 3; times += 1) expect(await take()).toEqual({ pages: [], nextAt: runAt })
      expect(await job(id)).toMatchObject({ queued: 1, active: 0 })
      test.clock.wind(8_000)
      expect((await take()).pages).toHaveLength(1)
      expect(await job(id)).toMatchObject({ queued: 0, active: 1 })
    })

    it('keeps to the pages at once and the delay of a job', async () => {
      await added(['a', 'b', 'c'], { maxActive: 1, delayMs: 2_000 })
      const { pages } = await take()
      expect(pages).toHaveLength(1)
      await complete(pages[0]!.id)
      const waiting = await take()
      expect(waiting).toEqual({ pages: [], nextAt: test.clock.now() + 2_000 })
      test.clock.wind(2_000)
      expect((await take()).pages).toHaveLength(1)
    })

    it('ends a page once, numbers results without gaps, and the sums add up', async () => {
      const id = await added(['a', 'b', 'c'])
      const { pages } = await take()
      const page = await begin(pages[0]!.id)
      const sums = await test.store.transaction((tx) => endOf(tx, page, 5))
      expect(sums).toMatchObject({ total: 3, queued: 0, active: 2, discovering: false })
      await expect(
        test.store.transaction(async (tx) => {
          if (!(await endOf(tx, page, 5))) throw new Error('stale')
        }),
      ).rejects.toThrow('stale')
      await complete(pages[1]!.id)
      const last = await begin(pages[2]!.id)
      const problem = { kind: 'timeout' as const, message: 'too slow' }
      expect(await test.store.transaction((tx) => test.store.frontier.fail(tx, last, problem))).toBe(true)
      expect(await test.store.transaction((tx) => test.store.frontier.fail(tx, last, problem))).toBe(false)
      expect(await job(id)).toMatchObject({ total: 3, queued: 0, active: 0, completed: 2, failed: 1, credits: 6 })
      expect((await test.store.frontier.results(id, 0, 10)).map((row) => row.seq)).toEqual([1, 2])
      expect(await test.store.frontier.results(id, 1, 10)).toHaveLength(1)
      expect(await test.store.frontier.troubles(id, 10)).toMatchObject([{ url: last.url, problem }])
    })

    it('lists the jobs of a team, newest first, in pages, until they expire', async () => {
      const crawl = await added(['a'], { kind: 'crawl', url: 'https://e.com/' })
      test.clock.wind(5)
      const batch = await added(['a'])
      const other = (await test.store.teams.create({ name: 'other' })).id
      await added(['a'], { teamId: other })
      const ids = async (options: Parameters<typeof test.store.jobs.list>[1]) =>
        (await test.store.jobs.list(teamId, options)).map(({ id }) => id)
      expect(await ids({ limit: 10 })).toEqual([batch, crawl])
      expect(await ids({ limit: 1 })).toEqual([batch])
      expect(await ids({ limit: 10, before: batch })).toEqual([crawl])
      expect(await ids({ limit: 10, kind: 'crawl' })).toEqual([crawl])
      test.clock.wind(73 * HOUR_MS)
      expect(await ids({ limit: 10 })).toEqual([])
    })

    it('shows every page of a job with what became of it, in pages', async () => {
      const id = await added(['a', 'b', 'c'])
      const { pages } = await take(1)
      const failing = await begin(pages[0]!.id)
      const problem = { kind: 'timeout' as const, message: 'too slow' }
      await test.store.transaction(async (tx) => {
        await test.store.frontier.fail(tx, failing, problem)
        await test.store.frontier.drop(tx, id, [{ key: 'd', url: 'https://e.com/d', reason: 'ROBOTS' }])
        await test.store.frontier.alias(tx, id, { key: 'e', url: 'https://e.com/e' }, 'a')
      })
      const seen = await test.store.frontier.seen(id, '', 10)
      expect(seen.map(({ key, state, reason }) => [key, state, reason])).toEqual([
        ['a', 'failed', null],
        ['b', 'queued', null],
        ['c', 'queued', null],
        ['d', 'dropped', 'ROBOTS'],
      ])
      expect(seen[0]?.problem).toMatchObject(problem)
      expect((await test.store.frontier.seen(id, 'b', 1)).map(({ key }) => key)).toEqual(['c'])
    })

    it('finds pages whose lease lapsed, and not those that are kept alive', async () => {
      await added(['a', 'b'])
      const { pages } = await take()
      test.clock.wind(LEASE_MS - 1)
      expect(await test.store.frontier.lapsed(10)).toEqual([])
      await test.store.frontier.extend([pages[0]!.id], test.clock.now() + LEASE_MS)
      test.clock.wind(1)
      expect(await test.store.frontier.lapsed(10)).toEqual([pages[1]!.id])
      expect((await begin(pages[1]!.id)).attempts).toBe(1)
      expect(await test.store.frontier.lapsed(10)).toEqual([])
    })

    it('begins no page of a job that is over', async () => {
      const id = await added(['a'])
      const { pages } = await take()
      await test.store.transaction((tx) => test.store.jobs.finish(tx, id, 'cancelled'))
      expect(await test.store.frontier.begin(pages[0]!.id, 0)).toBeUndefined()
      expect((await take()).pages).toEqual([])
      expect(await test.store.jobs.stoppedOf([id])).toEqual([id])
    })

    it('remembers refused pages up to a bound, and places that two pages lead to', async () => {
      const id = await added(['a'])
      const refused = Array.from({ length: 1_100 }, (_, at) => ({
        key: `r${at}`,
        url: `https://e.com/r${at}`,
        reason: 'ROBOTS',
      }))
      await test.store.transaction((tx) => test.store.frontier.drop(tx, id, refused))
      expect(await job(id)).toMatchObject({ total: 1, dropped: 1_000 })
      const alias = (key: string, of: string) =>
        test.store.transaction((tx) => test.store.frontier.alias(tx, id, { key, url: 'https://e.com/x' }, of))
      expect(await alias('x', 'a')).toBeUndefined()
      expect(await alias('x', 'b')).toBe('a')
      expect(await alias('r1', 'b')).toBe('r1')
      expect(await test.store.frontier.aliases(id, ['a', 'b'])).toEqual(new Map([['a', ['https://e.com/x']]]))
      expect(await test.store.frontier.troubles(id, 5_000)).toHaveLength(1_000)
    })

    it('drops all that waits when a job stops early', async () => {
      const id = await added(['a', 'b', 'c'])
      await take(1)
      expect(await test.store.transaction((tx) => test.store.frontier.dropQueued(tx, id, 'NO_CREDIT'))).toBe(2)
      expect(await job(id)).toMatchObject({ total: 1, queued: 0, active: 1 })
    })
  })

  describe('a paused or retried job', () => {
    it('gives out no page until it is resumed, and no visit from before can end one', async () => {
      const { store, clock } = test
      const id = await added(['a', 'b'], { discovering: true })
      const other = await added(['c'])
      const pages = (await take(3)).pages.filter(({ jobId }) => jobId === id)
      const begun = await begin(pages[0]!.id)
      await store.transaction(async (tx) => {
        await store.frontier.putAllBack(tx, id)
        await store.jobs.pause(tx, (await store.jobs.hold(tx, id))!)
      })
      expect(await job(id)).toMatchObject({ queued: 2, active: 0, pausedAt: clock.now() })
      expect(await store.transaction((tx) => endOf(tx, begun, 1))).toBeUndefined()
      expect((await take()).pages).toEqual([])
      expect(await store.frontier.waitingTeams()).toEqual([])
      expect(await store.jobs.stoppedOf([id, other])).toEqual([id])
      expect(await store.jobs.leaseDiscovery(id, clock.now() + 1, false)).toBe(false)
      // The time for work stands still for seven days.
      clock.wind(47 * HOUR_MS)
      await store.transaction(async (tx) => store.jobs.resume(tx, (await store.jobs.hold(tx, id))!))
      clock.wind(47 * HOUR_MS)
      expect((await store.jobs.overdue(10)).map((each) => each.id)).toEqual([other])
      expect((await take()).pages.map(({ jobId }) => jobId)).toEqual([id, id])
      expect((await begin(pages[0]!.id)).attempts).toBe(1)
      clock.wind(HOUR_MS)
      expect(await store.jobs.overdue(10)).toHaveLength(2)
    })

    it('queues again what failed or was not paid for, and nothing else', async () => {
      const { store } = test
      const id = await added(['a', 'b', 'c', 'd'])
      const [first, second] = (await take(2)).pages
      await complete(first!.id)
      const failing = await begin(second!.id)
      const problem = { kind: 'timeout' as const, message: 'too slow' }
      await store.transaction(async (tx) => {
        await store.frontier.fail(tx, failing, problem)
        await store.frontier.drop(tx, id, [{ key: 'r', url: 'https://e.com/r', reason: 'ROBOTS' }])
        await store.frontier.dropQueued(tx, id, 'NO_CREDIT')
        await store.jobs.finish(tx, id, 'completed')
      })
      expect(await job(id)).toMatchObject({ total: 2, completed: 1, failed: 1, queued: 0, dropped: 1 })
      const requeued = await store.transaction(async (tx) => {
        await store.jobs.reopen(tx, id, false)
        return store.frontier.requeueFailed(tx, id, 'NO_CREDIT')
      })
      expect(requeued).toEqual({ failed: 1, dropped: 2 })
      const left = { total: 4, completed: 1, failed: 0, queued: 3, dropped: 1 }
      expect(await job(id)).toMatchObject({ state: 'scraping', finishedAt: null, ...left })
      expect((await take()).pages).toHaveLength(3)
      expect((await begin(failing.id)).attempts).toBe(1)
      expect(await store.transaction((tx) => store.frontier.forgetDropped(tx, id, 'ROBOTS'))).toBe(1)
      expect(await job(id)).toMatchObject({ dropped: 0 })
    })
  })

  describe('a job', () => {
    it('ends once, and can be read for a day from then, or an hour when nothing may be kept', async () => {
      const [plain, zero] = [await added(['a']), await added(['b'], { zeroDataRetention: true })]
      const finish = (id: string) => test.store.transaction((tx) => test.store.jobs.finish(tx, id, 'completed'))
      expect(await finish(plain)).toBe(true)
      expect(await finish(plain)).toBe(false)
      await finish(zero)
      const now = test.clock.now()
      expect(await job(plain)).toMatchObject({ state: 'completed', finishedAt: now, expiresAt: now + 24 * HOUR_MS })
      expect(await job(zero)).toMatchObject({ expiresAt: now + HOUR_MS })
    })

    it('goes with all its pages when its time is over', async () => {
      const id = await added(['a', 'b'])
      await test.store.transaction((tx) => test.store.jobs.finish(tx, id, 'completed'))
      test.clock.wind(24 * HOUR_MS + 1)
      await test.store.sweep()
      expect(await test.store.jobs.get(id)).toBeUndefined()
      expect(await test.store.frontier.troubles(id, 10)).toEqual([])
    })

    it('past its deadline is found, and so is one that was forgotten', async () => {
      const id = await added(['a'], { discovering: true })
      expect(await test.store.jobs.undiscovered(test.clock.now() + 1, 10)).toEqual([id])
      expect(await test.store.jobs.leaseDiscovery(id, test.clock.now() + 1_000, false)).toBe(true)
      expect(await test.store.jobs.leaseDiscovery(id, test.clock.now() + 1_000, false)).toBe(false)
      expect(await test.store.jobs.undiscovered(test.clock.now() + 1, 10)).toEqual([])
      expect(await test.store.jobs.overdue(10)).toEqual([])
      test.clock.wind(48 * HOUR_MS)
      expect((await test.store.jobs.overdue(10)).map((each) => each.id)).toEqual([id])
      const empty = await added([])
      expect(await test.store.jobs.idle(10)).toEqual([empty])
    })

    it('takes a key of idempotency once a day and endpoint', async () => {
      const claim = (endpoint: string) =>
        test.store.transaction((tx) => test.store.jobs.claimKey(tx, teamId, endpoint, 'k'))
      expect([await claim('batch'), await claim('batch'), await claim('crawl')]).toEqual([true, false, true])
      test.clock.wind(24 * HOUR_MS)
      expect(await claim('batch')).toBe(true)
    })

    it('keeps several ways to scrape', async () => {
      const id = await added(['a'])
      expect(await test.store.transaction((tx) => test.store.jobs.addOptions(tx, id, { formats: ['links'] }))).toBe(1)
      expect(await test.store.jobs.options(id, 0)).toEqual({ formats: [] })
      expect(await test.store.jobs.options(id, 1)).toEqual({ formats: ['links'] })
      expect(await test.store.jobs.waiting(teamId)).toBe(1)
    })
  })

  const TRIED = { at: 5, ms: 3, status: 500, error: 'no', signature: null }

  describe('workers and deliveries', () => {
    it('sums up what the workers that are there can do', async () => {
      await test.store.workers.seen('a', 8)
      await test.store.workers.seen('b', 4)
      expect(await test.store.workers.capacity()).toBe(12)
      await test.store.workers.leave('b')
      expect(await test.store.workers.capacity()).toBe(8)
      test.clock.wind(31_000)
      expect(await test.store.workers.capacity()).toBe(0)
    })

    it('keeps a delivery until it is taken, given up, or sent again', async () => {
      const deliveries = webhookDeliveryStore(test.store)
      const delivery = {
        id: newId(1),
        teamId,
        keyId: null,
        jobId: 'j',
        event: 'crawl.page',
        url: 'https://e.com/',
        headers: { a: 'b' },
        body: '{}',
      }
      await test.store.transaction((tx) => deliveries.add(tx, [delivery]))
      expect(await deliveries.due(delivery.id)).toMatchObject({ body: '{}', headers: { a: 'b' }, attempts: 0 })
      const parcel = async () => (await deliveries.list(teamId, { limit: 1 })).map((one) => ({ ...one, tries: [] }))[0]!
      const record = async (
        outcome: Parameters<typeof deliveries.record>[2],
        sent?: Awaited<ReturnType<typeof parcel>>,
      ) => {
        const one = sent ?? (await parcel())
        return test.store.transaction((tx) => deliveries.record(tx, one, outcome, TRIED))
      }
      await record({ state: 'pending', status: 500, error: 'no', nextAt: test.clock.now() + 1_000 })
      expect(await deliveries.due(delivery.id)).toBeUndefined()
      test.clock.wind(1_000)
      expect(await deliveries.due(delivery.id)).toMatchObject({ attempts: 1 })
      expect(await deliveries.overdue(test.clock.now() + 1, 10)).toEqual([delivery.id])
      await record({ state: 'dead', status: null, error: 'no' })
      expect(await deliveries.list(teamId, { limit: 10 })).toMatchObject([{ state: 'dead', attempts: 2 }])
      expect(await test.store.transaction((tx) => deliveries.again(tx, newId(1), delivery.id))).toBe(false)
      expect(await test.store.transaction((tx) => deliveries.again(tx, teamId, delivery.id))).toBe(true)
      expect(await deliveries.due(delivery.id)).toMatchObject({ attempts: 0 })
      // Asked for again while an attempt was under way: its end does not count for the new one.
      const sent = await parcel()
      test.clock.wind(1_000)
      await test.store.transaction((tx) => deliveries.again(tx, teamId, delivery.id))
      expect(await record({ state: 'delivered', status: 200 }, sent)).toBe(false)
      expect(await deliveries.due(delivery.id)).toMatchObject({ attempts: 0, tries: [TRIED] })
      test.clock.wind(8 * 24 * HOUR_MS)
      await test.store.sweep()
      expect(await deliveries.list(teamId, { limit: 10 })).toEqual([])
    })

    it('keeps a delivery of a job that keeps nothing out of sight, and not for an hour', async () => {
      const deliveries = webhookDeliveryStore(test.store)
      const [taken, refused] = [newId(test.clock.now()), newId(test.clock.now())]
      const made = (id: string) => ({
        ...{ id, teamId, keyId: null, jobId: newId(2), event: 'crawl.page', url: 'https://a.example/', headers: {} },
        ...{ body: '{"data":["a secret"]}', zeroDataRetention: true },
      })
      await test.store.transaction((tx) => deliveries.add(tx, [made(taken), made(refused)]))
      const due = await deliveries.due(taken)
      expect(due).toMatchObject({ body: '{"data":["a secret"]}' })
      const { nextAt } = due!
      await test.store.transaction(async (tx) => {
        await deliveries.record(tx, { id: taken, tries: [], nextAt }, { state: 'delivered', status: 200 }, TRIED)
        const dead = { state: 'dead', status: 500, error: 'no' } as const
        await deliveries.record(tx, { id: refused, tries: [], nextAt }, dead, TRIED)
      })
      // Both say that they were sent; neither says what.
      for (const id of [taken, refused])
        expect(await deliveries.open(teamId, id)).toMatchObject({ body: undefined, tries: [TRIED] })
      // What was taken is gone; what was not can be sent again for a while.
      expect(await test.store.transaction((tx) => deliveries.again(tx, teamId, taken))).toBe(false)
      expect(await test.store.transaction((tx) => deliveries.again(tx, teamId, refused))).toBe(true)
      test.clock.wind(3_600_000)
      await test.store.sweep()
      expect(await deliveries.list(teamId, { limit: 10 })).toEqual([])
    })
  })
}
