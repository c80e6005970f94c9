// Time is the test's own: on a busy machine real milliseconds bunch up, and who meets whom is anyone's guess.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Problem } from '../base/problem.ts'
import { type AdmissionSlot, createAdmissionControl } from './concurrency-slots.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const never = new AbortController().signal
const patient = { timeoutMs: 60_000 }
const team = (teamId: string, plan = 'unlimited') => ({ teamId, plan })

describe('admission', () => {
  it('lets in at once while there are slots, and says so', async () => {
    const { admit, load } = createAdmissionControl({ concurrency: 2, maxWaiting: 10 })
    const slot = await admit(team('a'), patient, never)
    expect(slot).toMatchObject({ waitedMs: 0, limited: false })
    slot.release()
    slot.release()
    expect(load()).toEqual({ running: 0, waiting: 0, teams: 0 })
  })

  it('makes others wait for a slot and tells them how long they did', async () => {
    const { admit } = createAdmissionControl({ concurrency: 1, maxWaiting: 10 })
    const first = await admit(team('a'), patient, never)
    const second = admit(team('a'), patient, never)
    await pass(30)
    first.release()
    const slot = await second
    expect(slot.limited).toBe(true)
    expect(slot.waitedMs).toBe(30)
    slot.release()
  })

  it('serves a team in the order of arrival, and the teams in turn', async () => {
    const { admit } = createAdmissionControl({ concurrency: 1, maxWaiting: 100 })
    const order: string[] = []
    const holder = await admit(team('z'), patient, never)
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(async (name) => {
      const slot = await admit(team(name[0]!), patient, never)
      order.push(name)
      slot.release()
    })
    holder.release()
    await Promise.all(all)
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('holds a team to its plan while others go on', async () => {
    const { admit, load } = createAdmissionControl({ concurrency: 10, maxWaiting: 10 })
    const slots = [await admit(team('a', 'free'), patient, never), await admit(team('a', 'free'), patient, never)]
    let third: AdmissionSlot | undefined
    const waiting = admit(team('a', 'free'), patient, never).then((slot) => {
      third = slot
    })
    const other = await admit(team('b'), patient, never)
    expect(third).toBeUndefined()
    expect(load()).toMatchObject({ running: 3, waiting: 1 })
    other.release()
    await pass(1)
    expect(third).toBeUndefined()
    slots[0]!.release()
    await waiting
    slots[1]!.release()
    third!.release()
    expect(load()).toEqual({ running: 0, waiting: 0, teams: 0 })
  })

  it('lets in a team with nothing under way though another holds all slots, as far as there is room for such', async () => {
    const { admit, load } = createAdmissionControl({ concurrency: 16, maxWaiting: 100 })
    for (let n = 0; n < 40; n++) void admit(team('hog'), patient, never)
    await admit(team('a'), patient, never)
    await admit(team('b'), patient, never)
    expect(load()).toMatchObject({ running: 18, waiting: 24 })
    // One each; the second of a team, and a third team, wait like everybody.
    void admit(team('a'), patient, never)
    void admit(team('c'), patient, never)
    await pass(0)
    expect(load()).toMatchObject({ running: 18, waiting: 26 })
  })

  it('gives up after two thirds of the timeout', async () => {
    const { admit, load } = createAdmissionControl({ concurrency: 1, maxWaiting: 10 })
    const holder = await admit(team('a'), patient, never)
    const given = admit(team('b'), { timeoutMs: 90 }, never).catch((error: unknown) => error)
    await pass(59)
    expect(load()).toMatchObject({ running: 1, waiting: 1 })
    await pass(1)
    expect(await given).toMatchObject({ kind: 'queue_timeout' })
    expect(load()).toMatchObject({ running: 1, waiting: 0 })
    holder.release()
  })

  it('refuses at once when too many wait, with a time to come back', async () => {
    const { admit, load } = createAdmissionControl({ concurrency: 1, maxWaiting: 2 })
    const holder = await admit(team('a'), patient, never)
    const waiting = [admit(team('a'), patient, never), admit(team('a'), patient, never)]
    const refused = await admit(team('b'), patient, never).catch((error: unknown) => error)
    expect(refused).toMatchObject({ kind: 'too_busy' })
    expect((refused as Problem).retryAfterSeconds).toBeGreaterThanOrEqual(1)
    expect(load().teams).toBe(1)
    holder.release()
    for (const each of waiting) (await each).release()
    expect(load()).toEqual({ running: 0, waiting: 0, teams: 0 })
  })

  it('lets go of who went away, with the reason why', async () => {
    const { admit, load } = createAdmissionControl({ concurrency: 1, maxWaiting: 10 })
    const holder = await admit(team('a'), patient, never)
    const gone = new AbortController()
    const waiter = admit(team('a'), patient, gone.signal)
    const next = admit(team('a'), patient, never)
    gone.abort()
    await expect(waiter).rejects.toMatchObject({ kind: 'cancelled' })
    await expect(admit(team('a'), patient, gone.signal)).rejects.toMatchObject({ kind: 'cancelled' })
    expect(load().waiting).toBe(1)
    holder.release()
    ;(await next).release()
    expect(load()).toEqual({ running: 0, waiting: 0, teams: 0 })
  })

  it.each([1, 2])('loses no slot and exceeds no limit among hundreds of comings and goings (%i)', async (first) => {
    const { admit, load } = createAdmissionControl({ concurrency: 4, maxWaiting: 60 })
    let seed = first
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const byTeam = new Map<string, number>()
    let most = 0
    let mostOfFree = 0
    const outcomes = new Map<string, number>()
    const count = (name: string) => outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
    async function come(): Promise<void> {
      await sleep(random(300))
      const caller = team(`t${random(6)}`, random(2) ? 'free' : 'unlimited')
      // One plan per team, as in life.
      const fixed = team(caller.teamId, Number(caller.teamId.slice(1)) % 2 ? 'free' : 'unlimited')
      const gone = new AbortController()
      if (random(3) === 0) setTimeout(() => gone.abort(new Problem('cancelled')), random(30))
      try {
        const slot = await admit(fixed, { timeoutMs: 20 + random(300) }, gone.signal)
        const held = (byTeam.get(fixed.teamId) ?? 0) + 1
        byTeam.set(fixed.teamId, held)
        most = Math.max(most, load().running)
        if (fixed.plan === 'free') mostOfFree = Math.max(mostOfFree, held)
        await sleep(random(8))
        byTeam.set(fixed.teamId, byTeam.get(fixed.teamId)! - 1)
        slot.release()
        count('done')
      } catch (error) {
        count((error as Problem).kind)
      }
    }
    const all = Promise.all(Array.from({ length: 600 }, come))
    await pass(2000)
    await all
    expect(load()).toEqual({ running: 0, waiting: 0, teams: 0 })
    expect(most).toBe(4)
    expect(mostOfFree).toBe(2)
    for (const outcome of ['done', 'cancelled', 'queue_timeout', 'too_busy'])
      expect(outcomes.get(outcome)).toBeGreaterThan(0)
    expect([...outcomes.values()].reduce((sum, each) => sum + each)).toBe(600)
    ;(await admit(team('after'), { timeoutMs: 1 }, never)).release()
  })
})
