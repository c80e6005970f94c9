// What every store must do with the snapshots of tracked pages.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TRACKED_SNAPSHOT_LIFE_MS } from '../../src/store/tracked-page-snapshots.ts'
import type { OpenTestStore, TestStore } from './open-store.ts'

export function snapshotsContract(open: OpenTestStore): void {
  describe('snapshots', () => {
    let test: TestStore
    let teamId: string
    beforeEach(async () => {
      test = await open()
      teamId = (await test.store.teams.create({ name: 'web' })).id
    })
    afterEach(() => test.end())

    const url = 'https://example.com/page'
    const keep = (text: string, options: { url?: string; tag?: string | null; takenAt?: number; data?: string } = {}) =>
      test.store.transaction((tx) =>
        test.store.snapshots.keep(tx, {
          ...{ teamId, url, tag: null, takenAt: test.clock.now(), data: null },
          ...options,
          body: Buffer.from(text),
        }),
      )
    const find = async (tag: string | null = null, at = url) =>
      (await test.store.snapshots.find({ teamId, url: at, tag }))?.body.toString()

    it('keeps the last look at a page, by team, address and tag', async () => {
      await keep('first')
      await keep('second')
      await keep('tagged', { tag: '' })
      expect(await find()).toBe('second')
      expect(await find('')).toBe('tagged')
      expect(await find('other')).toBeUndefined()
      expect(await find(null, `${url}/`)).toBeUndefined()
      expect(await test.store.snapshots.find({ teamId: 'someone else', url, tag: null })).toBeUndefined()
    })

    it('does not let an older look take the place of a newer one', async () => {
      await keep('newer')
      await keep('older', { takenAt: test.clock.now() - 1000 })
      expect(await find()).toBe('newer')
    })

    it('lists the tracked pages of a site, and of no other', async () => {
      await keep('a', { url: 'https://example.com/b' })
      await keep('a', { url: 'https://example.com/a_%' })
      await keep('a', { url: 'https://example.com.evil.org/a' })
      await keep('a', { url: 'https://example.com/tagged', tag: 'x' })
      expect(await test.store.snapshots.knownUrls(teamId, null, ['https://example.com'], 10)).toEqual([
        'https://example.com/a_%',
        'https://example.com/b',
      ])
      expect(await test.store.snapshots.knownUrls(teamId, null, ['https://example.com'], 1)).toHaveLength(1)
    })

    it('lets the oldest go, and no more of them than it must, when all together are too many', async () => {
      await test.end()
      test = await open({ snapshotsMaxBytes: 2_500 })
      teamId = (await test.store.teams.create({ name: 'web' })).id
      const at = (n: number) => `https://example.com/${n}`
      for (let n = 0; n < 5; n++) {
        await keep('x'.repeat(1_000), { url: at(n) })
        test.clock.wind(1_000)
      }
      await keep('y'.repeat(1_000), { url: at(0) })
      await test.store.sweep()
      // Looked at again, the first is the newest; of the others only the last fits beside it.
      const left = await test.store.snapshots.knownUrls(teamId, null, ['https://example.com'], 10)
      expect(left).toEqual([at(0), at(4)])
      await test.store.sweep()
      expect(await test.store.snapshots.knownUrls(teamId, null, ['https://example.com'], 10)).toHaveLength(2)
    })

    it('counts the extracted data of a snapshot with its text', async () => {
      await test.end()
      test = await open({ snapshotsMaxBytes: 2_500 })
      teamId = (await test.store.teams.create({ name: 'web' })).id
      for (const n of [1, 2]) {
        await keep('short', { url: `https://example.com/${n}`, data: 'd'.repeat(2_000) })
        test.clock.wind(1_000)
      }
      await test.store.sweep()
      expect(await test.store.snapshots.knownUrls(teamId, null, ['https://example.com'], 10)).toEqual([
        'https://example.com/2',
      ])
    })

    it('forgets pages that nobody looked at for a year', async () => {
      await keep('old')
      test.clock.wind(TRACKED_SNAPSHOT_LIFE_MS + 1)
      expect(await find()).toBeUndefined()
      await keep('fresh', { url: 'https://example.com/fresh' })
      await test.store.sweep()
      expect(await find(null, 'https://example.com/fresh')).toBe('fresh')
      // Wound back, the clock would show the old one if it were still there.
      test.clock.wind(-TRACKED_SNAPSHOT_LIFE_MS)
      expect(await find()).toBeUndefined()
    })
  })
}
