import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestSqlite, type TestStore } from '../../test/contract/open-store.ts'
import { withCreditReservation } from './charge-credits.ts'
import { teamStore } from './store/index.ts'

describe('paying for work', () => {
  let test: TestStore
  let caller: { teamId: string; keyId: string; isLimited: boolean }
  beforeEach(async () => {
    test = await openTestSqlite()
    caller = {
      teamId: (await test.store.teams.create({ name: 'web', creditLimit: 10 })).id,
      keyId: 'k',
      isLimited: true,
    }
  })
  afterEach(() => test.end())
  const job = { id: 'job', endpoint: 'scrape', credits: 5 }
  const balance = () => test.store.ledger.balance(caller.teamId)

  it('holds the price during the work and settles the true one with its result', async () => {
    const { store } = test
    const result = await withCreditReservation(store, caller, job, async ({ settle }) => {
      expect(await balance()).toMatchObject({ reserved: 5, left: 5 })
      await store.transaction(async (tx) => {
        await settle(3, tx)
      })
      return 'page'
    })
    expect(result).toBe('page')
    expect(await balance()).toMatchObject({ spent: 3, reserved: 0 })
    const now = test.clock.now()
    const used = await teamStore(store).usage.sums({
      teamId: caller.teamId,
      fromMs: now,
      toMs: now + 1,
      by: ['endpoint'],
    })
    expect(used).toMatchObject([{ endpoint: 'scrape', credits: 3 }])
  })

  it('is free when the work fails, or when its result could not be stored', async () => {
    const failing = withCreditReservation(test.store, caller, job, async () => {
      throw new Error('the site is down')
    })
    await expect(failing).rejects.toThrow('the site is down')
    expect(await balance()).toMatchObject({ spent: 0, reserved: 0 })
    const unstored = withCreditReservation(test.store, caller, job, ({ settle }) =>
      test.store.transaction(async (tx) => {
        await settle(3, tx)
        throw new Error('disk full')
      }),
    )
    await expect(unstored).rejects.toThrow('disk full')
    expect(await balance()).toMatchObject({ spent: 0, reserved: 0 })
  })

  it('is free when the work settles nothing', async () => {
    await withCreditReservation(test.store, caller, job, async () => 'nothing bought')
    expect(await balance()).toMatchObject({ spent: 0, reserved: 0 })
  })

  it('is refused before the work begins when there is too little', async () => {
    let began = false
    const work = withCreditReservation(test.store, caller, { ...job, credits: 11 }, async () => {
      began = true
    })
    await expect(work).rejects.toMatchObject({ kind: 'no_credit' })
    expect(began).toBe(false)
  })

  it('reserves nothing for a team that cannot run out, and charges it all the same', async () => {
    const teamId = (await test.store.teams.create({ name: 'free' })).id
    const unlimited = { teamId, keyId: 'k', isLimited: false }
    const spent = async () => (await test.store.ledger.balance(teamId)).spent
    await withCreditReservation(test.store, unlimited, job, async ({ settle }) => {
      expect(await test.store.ledger.balance(teamId)).toMatchObject({ reserved: 0, left: null })
      await settle(3)
    })
    expect(await spent()).toBe(3)
    const failing = withCreditReservation(test.store, unlimited, job, () =>
      Promise.reject(new Error('the site is down')),
    )
    await expect(failing).rejects.toThrow('the site is down')
    expect(await spent()).toBe(3)
  })
})
