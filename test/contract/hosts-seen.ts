// What every store must remember of the sites that were met: the first time of each, by prints alone, and not too many.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { openFirstSeenHosts } from '../../src/fetch/threats/first-seen-hosts.ts'
import type { Store } from '../../src/store/index.ts'
import type { OpenTestStore, TestStore } from './open-store.ts'

export function sightingsContract(openTest: OpenTestStore): void {
  describe('first sightings', () => {
    let test: TestStore
    beforeEach(async () => {
      test = await openTest()
    })
    afterEach(() => test.end())
    const all = async ({ sightings }: Store) => {
      const found = []
      for await (const rows of sightings.since(0)) found.push(...rows)
      return found
    }
    const open = (store = test.store) =>
      openFirstSeenHosts({ store: store.sightings, isShared: false, clock: test.clock, log: silentLog })

    it('are of sites, not of hosts, and the first time stays', async () => {
      const { printOf, add } = test.store.sightings
      expect(printOf('WWW.Example.com.')).toBe(printOf('example.com'))
      expect(printOf('one.github.io')).not.toBe(printOf('two.github.io'))
      expect(printOf('192.0.2.1')).not.toBe(printOf('192.0.2.2'))
      await add([{ print: printOf('example.com'), at: 5 }])
      await add([
        { print: printOf('shop.example.com'), at: 9 },
        { print: printOf('example.net'), at: 9 },
      ])
      expect(await all(test.store)).toEqual([
        { print: printOf('example.com'), at: 5 },
        { print: printOf('example.net'), at: 9 },
      ])
    })

    it('are written once, and known to whoever opens the store again', async () => {
      const first = await open()
      expect(first.firstSeen('new.example')).toBeUndefined()
      const at = test.clock.now()
      first.note('new.example')
      await first.close()
      const { writes } = test.store.backlog()
      first.note('new.example')
      first.note('www.new.example')
      await first.close()
      expect(test.store.backlog().writes).toBe(writes)
      test.clock.wind(86_400_000)
      const again = await open(await test.openAgain())
      expect(again.firstSeen('new.example')).toBe(Math.floor(at / 1000) * 1000)
    })

    it('reach other processes, which do not change the time', async () => {
      const other = await open(await test.openAgain())
      const first = await open()
      first.note('shared.example')
      await first.close()
      test.clock.wind(60_000)
      await other.refresh()
      expect(other.firstSeen('shared.example')).toBe(first.firstSeen('shared.example'))
    })

    it('are forgotten with their host and with an address of it', async () => {
      const { sightings } = test.store
      const known = await open()
      for (const host of ['gone.example', 'also-gone.example', 'stays.example']) known.note(host)
      await known.close()
      expect((await test.store.forget({ host: 'gone.example' })).removed).toMatchObject({ host_sightings: 1 })
      await test.store.forget({ url: 'https://www.also-gone.example/a/page' })
      expect((await all(test.store)).map(({ print }) => print)).toEqual([sightings.printOf('stays.example')])
    })

    it('are read to the last of many pages', async () => {
      const { sightings } = test.store
      const rows = Array.from({ length: 12_345 }, (_, n) => ({ print: sightings.printOf(`n${n}.example`), at: n % 7 }))
      await sightings.add(rows)
      expect(new Set((await all(test.store)).map(({ print }) => print)).size).toBe(12_345)
      await test.store.sweep()
      expect(await all(test.store)).toHaveLength(12_345)
    })

    it('lose the oldest beyond their number', async () => {
      const few = await openTest({ sightingsMax: 1000 })
      const { sightings } = few.store
      const rows = Array.from({ length: 2500 }, (_, n) => ({ print: sightings.printOf(`n${n}.example`), at: n }))
      await sightings.add(rows)
      await few.store.sweep()
      const left = await all(few.store)
      expect([left.length, left[0]!.at]).toEqual([1000, 1500])
      await few.end()
    })
  })
}
