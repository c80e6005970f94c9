// What every store must do with the books of teams: rules of keys, sums of use, activity, audit, feedback, limits that
// processes share, and the ways to come by a key.

import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/base/clock.ts'
import { feedbackStore } from '../../src/capabilities/feedback/store/index.ts'
import { newId } from '../../src/store/id.ts'
import type { Team } from '../../src/store/teams.ts'
import type { ActivityRow } from '../../src/teams/store/activity-log.ts'
import { teamStore } from '../../src/teams/store/index.ts'
import type { OpenTestStore, TestStore } from './open-store.ts'

const MINUTE_MS = 60_000

export function booksContract(open: OpenTestStore): void {
  let test: TestStore
  let team: Team
  beforeEach(async () => {
    test = await open()
    team = await test.store.teams.create({ name: 'web' })
  })
  afterEach(() => test.end())

  describe('rules of keys and teams', () => {
    it('keeps what a key may do, until when, and changes it', async () => {
      const { keys } = test.store
      const rules = { rights: ['admin'], endpoints: ['scrape'], formats: ['markdown'], expiresAt: test.clock.now() + 5 }
      const key = await keys.add({ teamId: team.id, name: 'a', hash: 'aa', hint: 'x', ...rules })
      expect(key).toMatchObject(rules)
      expect(await keys.get(key.id)).toEqual(key)
      expect(await keys.byHash('aa')).toMatchObject({ endpoints: ['scrape'], formats: ['markdown'], rights: ['admin'] })
      test.clock.wind(5)
      expect(await keys.byHash('aa')).toBeUndefined()
      expect(await keys.change(key.id, { expiresAt: null, endpoints: [], name: 'b' })).toBe(true)
      expect(await keys.byHash('aa')).toMatchObject({ keyName: 'b', endpoints: [], formats: ['markdown'] })
      expect(await keys.change(key.id, {})).toBe(true)
      await keys.revoke(key.id)
      expect(await keys.change(key.id, { name: 'c' })).toBe(false)
      expect(await keys.change(randomUUID(), { name: 'c' })).toBe(false)
    })

    it('changes a team, but not to a name that is taken', async () => {
      const { teams, keys } = test.store
      await teams.create({ name: 'other' })
      await keys.add({ teamId: team.id, name: 'a', hash: 'aa', hint: 'x' })
      expect(await teams.change(team.id, { plan: 'free', ipAllow: ['10.0.0.0/8'], name: 'new' })).toBe(true)
      expect(await keys.byHash('aa')).toMatchObject({ plan: 'free', ipAllow: ['10.0.0.0/8'], teamName: 'new' })
      await expect(teams.change(team.id, { name: 'other' })).rejects.toMatchObject({ kind: 'conflict' })
      expect(await teams.change(team.id, { name: 'new' })).toBe(true)
      expect(await teams.change(randomUUID(), { plan: 'free' })).toBe(false)
    })

    it('sets and lifts the limit of a team’s credits', async () => {
      const { ledger } = test.store
      await ledger.charge({ teamId: team.id, jobId: 'a', credits: 7, endpoint: 'scrape' })
      await ledger.limit(team.id, 10)
      expect(await ledger.balance(team.id)).toEqual({ granted: 10, spent: 7, reserved: 0, left: 3 })
      await ledger.grant(team.id, 5)
      expect((await ledger.balance(team.id)).left).toBe(8)
      await ledger.limit(team.id, null)
      expect((await ledger.balance(team.id)).left).toBeNull()
    })

    it('knows the work that a team paid for, and no other team’s', async () => {
      const { ledger, teams } = test.store
      const other = await teams.create({ name: 'others' })
      const jobId = newId(test.clock.now())
      await ledger.charge({ teamId: team.id, jobId, credits: 1, endpoint: 'scrape' })
      expect(await ledger.knows(team.id, jobId)).toBe(true)
      expect(await ledger.knows(other.id, jobId)).toBe(false)
      expect(await ledger.knows(team.id, newId(test.clock.now()))).toBe(false)
      expect(await ledger.knows(team.id, 'no-id-at-all')).toBe(false)
    })
  })

  describe('sums of use', () => {
    const spend = (jobId: string, keyId: string | null, endpoint: string, credits: number) =>
      test.store.ledger.charge({ teamId: team.id, keyId, jobId, credits, endpoint })
    const all = (by: readonly ('day' | 'endpoint' | 'key' | 'team')[]) =>
      teamStore(test.store).usage.sums({ teamId: team.id, fromMs: 0, toMs: test.clock.now() + 1, by })

    it('adds up credits by what was asked for, before and after the sweep has taken them out of the ledger', async () => {
      const { store, clock } = test
      const first = clock.now()
      await spend('a', 'k1', 'scrape', 1)
      await spend('b', 'k1', 'scrape', 2)
      await spend('c', 'k2', 'map', 1)
      clock.wind(DAY_MS)
      await spend('d', null, 'map', 4)
      await store.ledger.reserve({ teamId: team.id, jobId: 'open', credits: 9, endpoint: 'scrape' })
      const byKey = [
        { keyId: '', credits: 4 },
        { keyId: 'k1', credits: 3 },
        { keyId: 'k2', credits: 1 },
      ]
      const byDay = [
        { day: first, credits: 4 },
        { day: first + DAY_MS, credits: 4 },
      ]
      expect(await all(['key'])).toMatchObject(byKey)
      expect(await all(['day'])).toMatchObject(byDay)
      expect((await store.sweep()).rolledUp).toBe(3)
      expect(await all(['key'])).toMatchObject(byKey)
      clock.wind(20 * MINUTE_MS)
      expect((await store.sweep()).rolledUp).toBe(2)
      expect(await all(['key'])).toMatchObject(byKey)
      expect(await all(['day'])).toMatchObject(byDay)
      await spend('e', 'k1', 'scrape', 1)
      expect(await all(['endpoint'])).toMatchObject([
        { endpoint: 'map', credits: 5 },
        { endpoint: 'scrape', credits: 4 },
      ])
      expect(await all([])).toMatchObject([{ credits: 9 }])
      expect(await store.ledger.balance(team.id)).toMatchObject({ spent: 9, reserved: 9 })
      // The reservation outlives its row in the ledger.
      expect(await store.ledger.settle('open', 2)).toBe(true)
      expect(await all([])).toMatchObject([{ credits: 11 }])
    })

    it('stay equal to the balance while the sweep runs among charges', async () => {
      const { store, clock } = test
      for (let at = 0; at < 40; at += 1) await spend(`old ${at}`, 'k', 'scrape', 3)
      clock.wind(20 * MINUTE_MS)
      const totals: number[] = []
      const watch = (async () => {
        for (let at = 0; at < 10; at += 1) totals.push((await all([]))[0]!.credits)
      })()
      await Promise.all([
        store.sweep(),
        watch,
        ...Array.from({ length: 20 }, (_, at) => spend(`new ${at}`, 'k', 'map', 1)),
      ])
      expect(Math.min(...totals)).toBeGreaterThanOrEqual(120)
      expect(Math.max(...totals)).toBeLessThanOrEqual(140)
      expect((await all([]))[0]!.credits).toBe(140)
      expect((await store.ledger.balance(team.id)).spent).toBe(140)
    })

    it('counts calls, errors and pages by source, and keeps teams apart', async () => {
      const { store, clock } = test
      const use = { day: clock.now(), teamId: team.id, keyId: 'k', endpoint: 'scrape' }
      await teamStore(store).usage.add([{ ...use, requests: 3, errors: 1, pages: { http: 1, cache: 1 } }])
      await teamStore(store).usage.add([{ ...use, requests: 2, errors: 0, pages: { http: 1, browser: 1, upload: 4 } }])
      const model = { modelTokens: 120, modelCost: 0.25 }
      await teamStore(store).usage.add([{ ...use, requests: 0, errors: 0, pages: {}, ...model }])
      await teamStore(store).usage.add([{ ...use, requests: 0, errors: 0, pages: {}, ...model }])
      const pages = { cache: 1, http: 2, browser: 1, upload: 4 }
      expect(await all(['endpoint'])).toEqual([
        { endpoint: 'scrape', credits: 0, requests: 5, errors: 1, pages, modelTokens: 240, modelCost: 0.5 },
      ])
      const other = await store.teams.create({ name: 'other' })
      const theirs = { teamId: other.id, fromMs: 0, toMs: clock.now() + 1 }
      expect(await teamStore(store).usage.sums({ ...theirs, by: [] })).toMatchObject([{ requests: 0 }])
      const everyone = await teamStore(store).usage.sums({ ...theirs, teamId: undefined, by: ['team'] })
      expect(everyone).toMatchObject([{ teamId: team.id, requests: 5 }])
      const later = { teamId: team.id, fromMs: clock.now() + DAY_MS, toMs: clock.now() + 2 * DAY_MS }
      expect(await teamStore(store).usage.sums({ ...later, by: ['day'] })).toEqual([])
    })
  })

  describe('activity', () => {
    const row = (over: Partial<ActivityRow> = {}): ActivityRow => ({
      jobId: null,
      teamId: team.id,
      keyId: 'k',
      endpoint: 'scrape',
      apiVersion: 'v2',
      at: test.clock.now(),
      target: 'https://example.com/',
      username: 'ada',
      status: 200,
      ms: 12,
      engine: 'http',
      error: null,
      ...over,
    })

    it('is listed newest first, page by page, and finds the call behind a job', async () => {
      const { store, clock } = test
      for (let at = 0; at < 5; at += 1) {
        await teamStore(store).activities.add([
          row({ target: `t${at}`, endpoint: at % 2 ? 'map' : 'scrape', jobId: `j${at}` }),
        ])
        clock.wind(1)
      }
      const options = { teamId: team.id, since: 0, limit: 3 }
      const first = await teamStore(store).activities.list(options)
      expect(first.map(({ target }) => target)).toEqual(['t4', 't3', 't2'])
      const rest = await teamStore(store).activities.list({ ...options, before: first.at(-1)!.id })
      expect(rest.map(({ target }) => target)).toEqual(['t1', 't0'])
      expect(
        (await teamStore(store).activities.list({ ...options, endpoint: 'map' })).map(({ target }) => target),
      ).toEqual(['t3', 't1'])
      expect(await teamStore(store).activities.list({ ...options, teamId: randomUUID() })).toEqual([])
      expect(await teamStore(store).activities.list({ ...options, since: clock.now() })).toEqual([])
      expect(await teamStore(store).activities.ofJob(team.id, 'j3')).toMatchObject({ endpoint: 'map', status: 200 })
      expect(await teamStore(store).activities.ofJob(randomUUID(), 'j3')).toBeUndefined()
    })

    it('is kept whole, whatever a caller writes into an address', async () => {
      const targets = ['https://a.example/?q=\\u0000', 'https://a.example/?q=\\', 'a\0b', 'a\ud800b', '"\\"', '漢😀']
      for (const target of targets) {
        await teamStore(test.store).activities.add([row({ target })])
        test.clock.wind(1)
      }
      const kept = await teamStore(test.store).activities.list({ teamId: team.id, since: 0, limit: 10 })
      const expected = [targets[0], targets[1], 'ab', 'ab', '"\\"', '漢😀']
      expect(kept.map(({ target }) => target).reverse()).toEqual(expected)
    })

    it('is shown for a day and gone after two, with the name its caller gave in `auditMetadata`', async () => {
      const { store, clock } = test
      const names = async (since: number) =>
        (await teamStore(store).activities.list({ teamId: team.id, since, limit: 9 })).map(({ username }) => username)
      await teamStore(store).activities.add([row({ username: 'ada' }), row({ username: 'ben', jobId: 'j' })])
      const aDayAgo = () => clock.now() - DAY_MS
      clock.wind(DAY_MS)
      await store.sweep()
      expect(await names(aDayAgo())).toHaveLength(2)
      clock.wind(DAY_MS - 1)
      await teamStore(store).activities.add([row({ username: 'new' })])
      await store.sweep()
      expect(await names(aDayAgo())).toEqual(['new'])
      // Feedback that comes late still finds what it is about.
      expect(await teamStore(store).activities.ofJob(team.id, 'j')).toMatchObject({ endpoint: 'scrape' })
      expect((await names(0)).sort()).toEqual(['ada', 'ben', 'new'])
      clock.wind(1)
      await store.sweep()
      expect(await names(0)).toEqual(['new'])
      expect(await teamStore(store).activities.ofJob(team.id, 'j')).toBeUndefined()
    })
  })

  describe('the audit log and feedback', () => {
    it('remembers who did what, for as long as it is told', async () => {
      const { store, clock } = test
      const entry = {
        teamId: team.id,
        actor: 'k',
        action: 'key.created' as const,
        subject: 's',
        details: { name: 'a' },
      }
      await teamStore(store).audit.add(entry)
      clock.wind(1)
      await teamStore(store).audit.add({ ...entry, teamId: null, action: 'login' })
      expect(await teamStore(store).audit.list({ teamId: team.id, limit: 9 })).toMatchObject([entry])
      const both = await teamStore(store).audit.list({ teamId: undefined, limit: 9 })
      expect(both.map(({ action }) => action)).toEqual(['login', 'key.created'])
      expect(await teamStore(store).audit.list({ teamId: undefined, before: both[0]!.id, limit: 9 })).toHaveLength(1)
      expect(await teamStore(store).audit.list({ teamId: undefined, action: 'login', limit: 9 })).toHaveLength(1)
      clock.wind(364 * DAY_MS)
      await store.sweep()
      expect(await teamStore(store).audit.list({ teamId: undefined, limit: 9 })).toHaveLength(2)
      clock.wind(2 * DAY_MS)
      await store.sweep()
      expect(await teamStore(store).audit.list({ teamId: undefined, limit: 9 })).toEqual([])
    })

    it('vanishes with the transaction it was part of', async () => {
      const { store } = test
      const entry = { teamId: team.id, actor: 'k', action: 'login' as const, subject: null, details: {} }
      const failing = store.transaction(async (tx) => {
        await teamStore(store).audit.add(entry, tx)
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await teamStore(store).audit.list({ teamId: undefined, limit: 9 })).toEqual([])
    })

    it('takes one opinion for each job of a team', async () => {
      const { store } = test
      const opinion = { teamId: team.id, keyId: 'k', jobId: 'j', endpoint: 'scrape', rating: 'good', body: {} }
      const tries = await Promise.all([feedbackStore(store).add(opinion), feedbackStore(store).add(opinion)])
      expect(tries.filter(({ first }) => first)).toHaveLength(1)
      expect(tries[0]!.id).toBe(tries[1]!.id)
      const other = await store.teams.create({ name: 'other' })
      expect((await feedbackStore(store).add({ ...opinion, teamId: other.id })).first).toBe(true)
    })
  })

  describe('limits that processes share', () => {
    /** As another process would see it. Two connections to SQLite in one thread would wait for each other for ever. */
    const elsewhere = () => (test.databaseUrl === undefined ? Promise.resolve(test.store) : test.openAgain())

    it('count a minute to its end and not one further, however many count at once', async () => {
      const again = await elsewhere()
      const options = { teamId: team.id, bucket: 'scrape', windowStart: 60_000, limit: 10 }
      const counted = await Promise.all(
        Array.from({ length: 30 }, (_, at) => teamStore(at % 2 ? test.store : again).limits.count(options)),
      )
      const taken = counted.filter((count) => count !== undefined).sort((a, b) => a - b)
      expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      expect(await teamStore(again).limits.counted(team.id, 60_000)).toEqual({ scrape: 10 })
      expect(await teamStore(again).limits.count({ ...options, bucket: 'map' })).toBe(1)
      expect(await teamStore(again).limits.count({ ...options, windowStart: 120_000 })).toBe(1)
      // A clock that is behind counts in the newer minute.
      expect(await teamStore(again).limits.count(options)).toBe(2)
      expect(await teamStore(again).limits.counted(team.id, 60_000)).toEqual({ map: 1 })
    })

    it('give out as many slots as there are, and again what a dead process held', async () => {
      const { store, clock } = test
      const again = await elsewhere()
      const take = (id: string, at = store) =>
        teamStore(at).limits.takeSlot({ id, teamId: team.id, slots: 3, leaseUntil: clock.now() + 1000 })
      const taken = await Promise.all(Array.from({ length: 12 }, (_, at) => take(`s${at}`, at % 2 ? store : again)))
      expect(taken.filter(Boolean)).toHaveLength(3)
      expect(await teamStore(again).limits.slotsTaken(team.id)).toBe(3)
      const held = [...taken.keys()].filter((at) => taken[at]).map((at) => `s${at}`)
      await teamStore(store).limits.freeSlot(held[0]!)
      expect(await take('next')).toBe(true)
      expect(await take('none')).toBe(false)
      clock.wind(900)
      await teamStore(store).limits.extendSlots(['next'], clock.now() + 1000)
      clock.wind(200)
      expect(await teamStore(store).limits.slotsTaken(team.id)).toBe(1)
      expect(await Promise.all([take('a'), take('b')])).toEqual([true, true])
      expect(await take('c')).toBe(false)
      clock.wind(5000)
      await store.sweep()
      expect(await teamStore(store).limits.slotsTaken(team.id)).toBe(0)
    })
  })

  describe('the ways to come by a key', () => {
    it('hand out a login once, and not after its time', async () => {
      const { store, clock } = test
      const login = {
        sessionHash: 'h',
        challenge: 'c',
        teamId: team.id,
        keyName: 'cli',
        approvedBy: 'k',
        expiresAt: clock.now() + 1000,
      }
      expect(await teamStore(store).onboarding.approve(login)).toBe(true)
      expect(await teamStore(store).onboarding.approve({ ...login, challenge: 'other' })).toBe(false)
      expect(await teamStore(store).onboarding.find('h')).toEqual(login)
      const take = () => store.transaction((tx) => teamStore(store).onboarding.take(tx, 'h'))
      expect((await Promise.all([take(), take()])).filter(Boolean)).toHaveLength(1)
      await teamStore(store).onboarding.approve(login)
      clock.wind(1000)
      expect(await teamStore(store).onboarding.find('h')).toBeUndefined()
    })

    it('remember identities, and take an assertion once', async () => {
      const { store, clock } = test
      const identity = { issuer: 'https://i', subject: 's', email: 'a@b.c', teamId: team.id }
      await store.transaction((tx) => teamStore(store).onboarding.remember(tx, identity))
      expect(await teamStore(store).onboarding.teamOf('https://i', 's')).toBe(team.id)
      expect(await teamStore(store).onboarding.teamOf('https://i', 'other')).toBeUndefined()
      const uses = await Promise.all(
        [1, 2, 3].map(() => teamStore(store).onboarding.useAssertion('j', clock.now() + 1000)),
      )
      expect(uses.filter(Boolean)).toHaveLength(1)
    })
  })
}
