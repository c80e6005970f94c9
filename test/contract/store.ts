// What every store must do with teams, keys, credits, blobs and settings, whichever dialect is behind it.

import { randomUUID } from 'node:crypto'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentStore } from '../../src/capabilities/agent/store/index.ts'
import { browserProfileStore } from '../../src/scrape/store/index.ts'
import { teamRetentionSettingName } from '../../src/store/apply-team-retention.ts'
import type { Team } from '../../src/store/teams.ts'
import { teamStore } from '../../src/teams/store/index.ts'
import type { OpenTestStore, TestStore } from './open-store.ts'

const HOUR_MS = 3_600_000

export function storeContract(open: OpenTestStore): void {
  let test: TestStore
  beforeEach(async () => {
    test = await open()
  })
  afterEach(() => test.end())

  describe('teams and keys', () => {
    it('gives a new team the plan without limits and finds it by id and name', async () => {
      const { store, clock } = test
      const team = await store.teams.create({ name: 'web' })
      expect(team).toEqual({
        id: team.id,
        name: 'web',
        plan: 'unlimited',
        zeroDataRetention: 'allowed',
        ipAllow: [],
        createdAt: clock.now(),
      })
      expect(await store.teams.get(team.id)).toEqual(team)
      expect(await store.teams.byName('web')).toEqual(team)
      expect(await store.teams.get(randomUUID())).toBeUndefined()
      expect(await store.teams.list()).toEqual([team])
    })

    it('refuses a second team of the same name and keeps the first', async () => {
      const { store } = test
      const team = await store.teams.create({ name: 'web' })
      await expect(store.teams.create({ name: 'web', plan: 'free' })).rejects.toMatchObject({ kind: 'conflict' })
      expect(await store.teams.list()).toEqual([team])
    })

    it('finds the holder of a key by its hash until the key is revoked', async () => {
      const { store } = test
      const team = await store.teams.create({ name: 'web', plan: 'free', zeroDataRetention: 'forced' })
      const key = await store.keys.add({ teamId: team.id, name: 'laptop', hash: 'aa', hint: '1234' })
      expect(await store.keys.byHash('aa')).toEqual({
        keyId: key.id,
        keyName: 'laptop',
        hash: 'aa',
        teamId: team.id,
        teamName: 'web',
        plan: 'free',
        zeroDataRetention: 'forced',
        ipAllow: [],
        isLimited: false,
        ofOperator: false,
        modelTokensPerMonth: null,
        modelCostPerMonth: null,
        rights: [],
        endpoints: [],
        formats: [],
      })
      expect(await store.keys.byHash('ab')).toBeUndefined()
      expect(await store.keys.revoke(key.id)).toBe(true)
      expect(await store.keys.revoke(key.id)).toBe(false)
      expect(await store.keys.byHash('aa')).toBeUndefined()
      expect(await store.keys.list(team.id)).toMatchObject([{ id: key.id, revokedAt: test.clock.now() }])
      expect(await store.keys.list(randomUUID())).toEqual([])
    })

    it('refuses a key for a team that does not exist', async () => {
      const key = { teamId: randomUUID(), name: 'x', hash: 'aa', hint: '' }
      await expect(test.store.keys.add(key)).rejects.toThrow()
      expect(await test.store.keys.list()).toEqual([])
    })
  })

  describe('the ledger', () => {
    let team: Team
    beforeEach(async () => {
      team = await test.store.teams.create({ name: 'limited', creditLimit: 10 })
    })
    const reserve = (jobId: string, credits: number) =>
      test.store.ledger.reserve({ teamId: team.id, keyId: 'k', jobId, credits, endpoint: 'scrape' })

    it('reserves, then settles what it really cost', async () => {
      const { ledger } = test.store
      await reserve('a', 4)
      expect(await ledger.balance(team.id)).toEqual({ granted: 10, spent: 0, reserved: 4, left: 6 })
      expect(await ledger.settle('a', 3)).toBe(true)
      expect(await ledger.balance(team.id)).toEqual({ granted: 10, spent: 3, reserved: 0, left: 7 })
    })

    it('charges nothing twice: later settles and releases of the same job do nothing', async () => {
      const { ledger } = test.store
      await reserve('a', 4)
      await reserve('a', 4)
      expect((await ledger.balance(team.id)).reserved).toBe(4)
      expect(await ledger.settle('a', 4)).toBe(true)
      expect(await ledger.settle('a', 4)).toBe(false)
      expect(await ledger.release('a')).toBe(false)
      expect(await ledger.settle('never reserved', 4)).toBe(false)
      expect(await ledger.balance(team.id)).toMatchObject({ spent: 4, reserved: 0 })
    })

    it('charges at once for what is already there, within the same limit', async () => {
      const { ledger } = test.store
      const charge = (jobId: string, credits: number) =>
        ledger.charge({ teamId: team.id, keyId: 'k', jobId, credits, endpoint: 'scrape' })
      await reserve('a', 4)
      await charge('b', 5)
      expect(await ledger.balance(team.id)).toEqual({ granted: 10, spent: 5, reserved: 4, left: 1 })
      await expect(charge('c', 2)).rejects.toMatchObject({ kind: 'no_credit' })
      const now = test.clock.now()
      const used = await teamStore(test.store).usage.sums({ teamId: team.id, fromMs: now, toMs: now + 1, by: ['key'] })
      expect(used).toMatchObject([{ keyId: 'k', credits: 5 }])
    })

    it('makes failed work free', async () => {
      const { ledger } = test.store
      await reserve('a', 10)
      expect(await ledger.release('a')).toBe(true)
      expect(await ledger.balance(team.id)).toEqual({ granted: 10, spent: 0, reserved: 0, left: 10 })
    })

    it('refuses what a limited team cannot pay, says why, and keeps no trace of it', async () => {
      await reserve('a', 7)
      await expect(reserve('b', 4)).rejects.toMatchObject({
        kind: 'no_credit',
        message: 'Payment Required: Insufficient credits: 4 needed, 3 left',
      })
      expect(await test.store.ledger.balance(team.id)).toMatchObject({ reserved: 7, left: 3 })
      expect(await test.store.ledger.release('b')).toBe(false)
      await test.store.ledger.grant(team.id, 5)
      await reserve('b', 4)
    })

    it('never lets racing requests reserve more than there is', async () => {
      const attempts = await Promise.allSettled(Array.from({ length: 30 }, (_, at) => reserve(`job ${at}`, 1)))
      expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
      expect(await test.store.ledger.balance(team.id)).toMatchObject({ reserved: 10, left: 0 })
      const ends = await Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          Promise.all([test.store.ledger.settle(`job ${at}`, 1), test.store.ledger.settle(`job ${at}`, 1)]),
        ),
      )
      expect(ends.flat().filter(Boolean)).toHaveLength(10)
      expect(await test.store.ledger.balance(team.id)).toMatchObject({ spent: 10, reserved: 0 })
    })

    it('lets a team without limit spend and still counts it', async () => {
      const free = await test.store.teams.create({ name: 'unlimited' })
      const { ledger } = test.store
      await ledger.reserve({ teamId: free.id, jobId: 'u', credits: 1_000_000, endpoint: 'crawl' })
      await ledger.settle('u', 2_000_000)
      expect(await ledger.balance(free.id)).toEqual({ granted: null, spent: 2_000_000, reserved: 0, left: null })
    })

    it('takes part in a bigger transaction and vanishes with it', async () => {
      const { store } = test
      await reserve('a', 2)
      const work = store.transaction(async (tx) => {
        await store.ledger.settle('a', 2, tx)
        throw new Error('the rest failed')
      })
      await expect(work).rejects.toThrow('the rest failed')
      expect(await store.ledger.balance(team.id)).toMatchObject({ spent: 0, reserved: 2 })
    })

    it('charges each of the works that share a transaction once, also when one of them fails', async () => {
      const { store } = test
      const charge = (jobId: string, credits: number) =>
        store.sharedTransaction((tx) =>
          store.ledger.charge({ teamId: team.id, keyId: 'k', jobId, credits, endpoint: 'scrape' }, tx),
        )
      const works = [charge('a', 2), charge('b', 20), charge('c', 3)]
      const ends = await Promise.allSettled(works)
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      await expect(works[1]).rejects.toMatchObject({ kind: 'no_credit' })
      expect(await store.ledger.balance(team.id)).toMatchObject({ spent: 5, reserved: 0 })
    })

    it('gives back what a process that died had reserved, an hour later', async () => {
      const { store, clock } = test
      await reserve('dead', 9)
      clock.wind(HOUR_MS / 2)
      await reserve('alive', 1)
      clock.wind(HOUR_MS / 2 + 1)
      expect((await store.sweep()).reservations).toBe(1)
      expect(await store.ledger.balance(team.id)).toMatchObject({ spent: 0, reserved: 1, left: 9 })
      expect(await store.ledger.settle('dead', 9)).toBe(false)
      expect(await store.ledger.settle('alive', 1)).toBe(true)
    })

    it('refuses amounts that are not whole credits', async () => {
      await expect(async () => reserve('a', 1.5)).rejects.toThrow(RangeError)
      await expect(async () => reserve('a', -1)).rejects.toThrow(RangeError)
      await expect(async () => reserve('a', Number.NaN)).rejects.toThrow(RangeError)
    })
  })

  describe('blobs', () => {
    const text = (words: string) => new TextEncoder().encode(words)
    const file = (id: string) => join(test.dataDir, 'blobs', id.slice(-2), id)
    const put = (words: string, lifeMs = HOUR_MS) =>
      test.store.blobs.put(text(words), { contentType: 'image/png', expiresAt: test.clock.now() + lifeMs })

    it('streams in and, by a signed link, out again', async () => {
      const { store, clock } = test
      async function* chunks() {
        yield text('one ')
        yield text('two')
      }
      const expiresAt = clock.now() + HOUR_MS
      const blob = await store.blobs.put(chunks(), { contentType: 'text/plain', teamId: randomUUID(), expiresAt })
      expect(blob.bytes).toBe(7)
      const opened = await store.blobs.open(store.blobs.sign(blob.id, expiresAt))
      expect(opened).toMatchObject({ contentType: 'text/plain', bytes: 7 })
      expect((await buffer(opened!.stream)).toString()).toBe('one two')
    })

    it('opens nothing for a token that was changed in any character, cut, or made up', async () => {
      const { store, clock } = test
      const { id } = await put('secret')
      const token = store.blobs.sign(id, clock.now() + HOUR_MS)
      for (let at = 0; at < token.length; at += 1) {
        const other = token[at] === 'A' ? 'B' : 'A'
        expect(await store.blobs.open(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined()
      }
      for (const made of [
        '',
        token.slice(1),
        `${token}A`,
        id,
        '../../etc/passwd',
        `${token.slice(0, -1)}=`,
        `${token}\n`,
      ])
        expect(await store.blobs.open(made)).toBeUndefined()
      ;(await store.blobs.open(token))!.stream.destroy()
    })

    it('opens nothing once the link, the blob or its file is gone', async () => {
      const { store, clock } = test
      const short = await put('short', HOUR_MS)
      const long = await put('long', 3 * HOUR_MS)
      const linkToShort = store.blobs.sign(short.id, clock.now() + 10 * HOUR_MS)
      const linkToLong = store.blobs.sign(long.id, clock.now() + 2 * HOUR_MS)
      clock.wind(HOUR_MS)
      expect(await store.blobs.open(linkToShort)).toBeUndefined()
      ;(await store.blobs.open(linkToLong))!.stream.destroy()
      clock.wind(HOUR_MS)
      expect(await store.blobs.open(linkToLong)).toBeUndefined()
      const fresh = store.blobs.sign(long.id, clock.now() + HOUR_MS)
      await store.blobs.remove(long.id)
      expect(await store.blobs.open(fresh)).toBeUndefined()
    })

    it('keeps links good across a restart', async () => {
      const { store, clock } = test
      const { id } = await put('kept')
      const token = store.blobs.sign(id, clock.now() + 1)
      const again = await test.openAgain()
      const opened = await again.blobs.open(token)
      expect((await buffer(opened!.stream)).toString()).toBe('kept')
    })

    it('refuses a source that is too long or breaks, and leaves no file behind', async () => {
      const { store, clock } = test
      const options = { contentType: 'x/y', expiresAt: clock.now() + HOUR_MS }
      await expect(store.blobs.put(text('12345'), { ...options, maxBytes: 4 })).rejects.toMatchObject({
        kind: 'too_large',
      })
      async function* broken() {
        yield text('a')
        throw new Error('the source broke')
      }
      await expect(store.blobs.put(broken(), options)).rejects.toThrow('the source broke')
      const files = await readdir(join(test.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
      expect(files.filter((entry) => entry.isFile())).toEqual([])
    })

    it('sweeps expired blobs with their files, and old files that no row knows', async () => {
      const { store, clock } = test
      const gone = await put('gone', 1)
      const kept = await put('kept', 5 * HOUR_MS)
      const folder = join(test.dataDir, 'blobs', kept.id.slice(-2))
      const stray = async (name: string, ageMs: number) => {
        const path = join(folder, name)
        await writeFile(path, 'stray')
        const at = new Date(clock.now() - ageMs)
        await utimes(path, at, at)
        return path
      }
      await stray(randomUUID(), 2 * HOUR_MS)
      await stray('half.partial', 2 * HOUR_MS)
      const young = await stray(randomUUID(), HOUR_MS / 2)
      clock.wind(1)
      expect(await store.sweep()).toMatchObject({ blobs: 1, orphans: 2 })
      await expect(readFile(file(gone.id))).rejects.toThrow('ENOENT')
      expect((await readFile(file(kept.id))).toString()).toBe('kept')
      expect((await readFile(young)).toString()).toBe('stray')
    })
  })

  describe('retention', () => {
    it('of a team may be shorter than usual', async () => {
      const { store, clock } = test
      const [short, usual] = [await store.teams.create({ name: 'short' }), await store.teams.create({ name: 'usual' })]
      const run = async (teamId: string) => {
        const id = randomUUID()
        const options = { id, teamId, keyId: null, threadId: id, turn: 1, body: {}, webhook: null, maxCredits: 1 }
        await store.transaction(async (tx) => {
          await agentStore(store).add(tx, options)
          await agentStore(store).finish(tx, id, { state: 'succeeded', result: {} })
        })
        return id
      }
      const [mine, theirs] = [await run(short.id), await run(usual.id)]
      const picture = { contentType: 'x/y', expiresAt: clock.now() + 20 * HOUR_MS }
      const own = await store.blobs.put(Buffer.from('mine'), { ...picture, teamId: short.id })
      const other = await store.blobs.put(Buffer.from('theirs'), { ...picture, teamId: usual.id })
      await store.settings.set(
        teamRetentionSettingName(short.id),
        JSON.stringify({ traces: 1, media: 2, pages: 1, monitors: 1 }),
      )
      clock.wind(1.5 * HOUR_MS)
      const { nextDueAt } = await store.sweep()
      expect(nextDueAt).toBeLessThanOrEqual(clock.now() + HOUR_MS)
      expect(await agentStore(store).get(mine)).toBeUndefined()
      expect(await agentStore(store).get(theirs)).toBeDefined()
      expect(await store.blobs.read(own.id)).toBeDefined()
      clock.wind(HOUR_MS)
      await store.sweep()
      expect(await store.blobs.read(own.id)).toBeUndefined()
      expect(await store.blobs.read(other.id)).toBeDefined()
    })
  })

  describe('settings and health', () => {
    it('makes a setting once, for all who ask', async () => {
      const { settings } = test.store
      expect(await settings.get('colour')).toBeUndefined()
      const answers = await Promise.all(
        ['red', 'blue', 'green'].map((colour) => settings.ensure('colour', () => colour)),
      )
      expect(new Set(answers).size).toBe(1)
      await settings.set('colour', 'black')
      expect(await settings.ensure('colour', () => 'white')).toBe('black')
    })

    it('keeps its secret and its instance id across a restart', async () => {
      const again = await test.openAgain()
      for (const name of ['signing_secret', 'instance_id']) {
        expect(await again.settings.get(name)).toBe(await test.store.settings.get(name))
      }
      expect(await again.settings.get('signing_secret')).toMatch(/^[0-9a-f]{64}$/)
    })

    it('answers a ping', async () => {
      await test.store.ping()
    })

    it('refuses text with a NUL instead of storing half of it', async () => {
      await expect(test.store.settings.set('nul', 'a\0b')).rejects.toThrow()
      expect(await test.store.settings.get('nul')).toBeUndefined()
    })
  })

  describe('browser leases', () => {
    const lease = (id: string, process: string) => ({ id, process, owner: `site of ${id}`, ttlMs: 1000 })

    it('name the process that holds them, until they end', async () => {
      const { leases } = test.store
      await leases.take(lease('a', 'one'))
      expect(await leases.find('a')).toEqual({
        id: 'a',
        process: 'one',
        owner: 'site of a',
        since: test.clock.now(),
        until: test.clock.now() + 1000,
      })
      await leases.end('a')
      expect(await leases.find('a')).toBeUndefined()
    })

    it('can be prolonged by their holder while they last', async () => {
      const { store, clock } = test
      await store.leases.take(lease('a', 'one'))
      clock.wind(900)
      expect(await store.leases.prolong('a', 1000)).toBe(true)
      clock.wind(900)
      expect(await store.leases.endExpired()).toEqual([])
      clock.wind(200)
      expect(await store.leases.prolong('a', 1000)).toBe(false)
    })

    it('of a process that died are found once their time is up, and ended once', async () => {
      const { store, clock } = test
      await store.leases.take(lease('a', 'dead'))
      clock.wind(600)
      await store.leases.take(lease('b', 'alive'))
      clock.wind(600)
      const [one, two] = await Promise.all([store.leases.endExpired(), store.leases.endExpired()])
      expect([...one, ...two]).toMatchObject([{ id: 'a', process: 'dead', owner: 'site of a' }])
      expect(await store.leases.find('b')).toBeDefined()
    })

    it('of one process end together, and those of others stay', async () => {
      const { leases } = test.store
      for (const [id, holder] of [
        ['a', 'one'],
        ['b', 'one'],
        ['c', 'two'],
      ] as const)
        await leases.take(lease(id, holder))
      await leases.endOf('one')
      expect([await leases.find('a'), await leases.find('b')]).toEqual([undefined, undefined])
      expect(await leases.find('c')).toBeDefined()
    })
  })

  describe('browser profiles', () => {
    const ref = (teamId: string) => ({ teamId, name: 'shop' })

    it('keeps the state of a name for its team only, and not in plain text', async () => {
      const { store } = test
      const [one, two] = [await store.teams.create({ name: 'one' }), await store.teams.create({ name: 'two' })]
      expect(await browserProfileStore(store).load(ref(one.id))).toBeUndefined()
      expect(await browserProfileStore(store).claim(ref(one.id), 'a', 1000)).toBe(true)
      expect(await browserProfileStore(store).save(ref(one.id), 'a', '{"cookie":"secret"}')).toBe(true)
      expect(await browserProfileStore(store).load(ref(one.id))).toBe('{"cookie":"secret"}')
      expect(await browserProfileStore(store).load(ref(two.id))).toBeUndefined()
    })

    it('lets one saver in at a time, and takes over from one that died', async () => {
      const { store, clock } = test
      const { id } = await store.teams.create({ name: 'one' })
      expect(await browserProfileStore(store).claim(ref(id), 'a', 1000)).toBe(true)
      expect(await browserProfileStore(store).claim(ref(id), 'b', 1000)).toBe(false)
      clock.wind(1001)
      expect(await browserProfileStore(store).claim(ref(id), 'b', 1000)).toBe(true)
      expect(await browserProfileStore(store).save(ref(id), 'a', 'late')).toBe(false)
      expect(await browserProfileStore(store).save(ref(id), 'b', 'right')).toBe(true)
      expect(await browserProfileStore(store).load(ref(id))).toBe('right')
    })

    it('keeps what was there when a saver gives up', async () => {
      const { store } = test
      const { id } = await store.teams.create({ name: 'one' })
      await browserProfileStore(store).claim(ref(id), 'a', 1000)
      await browserProfileStore(store).save(ref(id), 'a', 'first')
      await browserProfileStore(store).claim(ref(id), 'b', 1000)
      await browserProfileStore(store).release(ref(id), 'b')
      expect(await browserProfileStore(store).load(ref(id))).toBe('first')
      expect(await browserProfileStore(store).claim(ref(id), 'c', 1000)).toBe(true)
    })
  })
}
