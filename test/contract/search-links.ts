// What every store must do with the links that pages have to others: hand them to whoever is filed next, replaced by the page
// that has them, for its team alone, within bounds, and gone with it.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pageKeyOf } from '../../src/base/url-key.ts'
import { hashLinkTarget, linkBucketOf, linkSlotOf } from '../../src/search/engine/extract-links.ts'
import type { LinkRow } from '../../src/search/store/incoming-links.ts'
import { searchStore } from '../../src/search/store/index.ts'
import type { IndexedPageRow } from '../../src/search/store/search-segments-and-outbox.ts'
import { teamRetentionSettingName } from '../../src/store/apply-team-retention.ts'
import type { OpenTestStore, TestStore } from './open-store.ts'

const DAY_MS = 86_400_000

export function searchLinksContract(open: OpenTestStore): void {
  describe('links', () => {
    let test: TestStore
    let version: number
    beforeEach(async () => {
      test = await open()
      version = 0
    })
    afterEach(() => test.end())

    const placeOf = (teamId: string, url: string) => {
      const target = hashLinkTarget(pageKeyOf(url))
      return { teamId, target, bucket: linkBucketOf(target) }
    }
    const numberOf = async (teamId: string, url: string) =>
      (await searchStore(test.store).searchIndex.numbers([{ teamId, urlKey: pageKeyOf(url), url }]))[0]!.number
    /** Files a page that has these links. */
    async function file(
      teamId: string,
      url: string,
      links: Record<string, string>,
      filedWith: Partial<IndexedPageRow> = {},
    ) {
      const { searchIndex } = searchStore(test.store)
      const number = await numberOf(teamId, url)
      const row: IndexedPageRow = {
        ...{ number, version: ++version, url, canonical: null, title: '', description: '', language: '', type: 'html' },
        ...{ dated: null, image: null, pictures: '[]', print: '', seenAt: test.clock.now(), links: null },
        ...{ linksSince: null, text: Buffer.from('text') },
        ...filedWith,
      }
      const all = Object.entries(links).map(([to, text]): LinkRow => {
        const { target, bucket } = placeOf(teamId, to)
        return [teamId, bucket, linkSlotOf(number), target, number, text]
      })
      expect(
        await searchIndex.commit({
          done: [],
          rows: [row],
          gone: [],
          segments: [],
          versions: [],
          links: JSON.stringify(all),
        }),
      ).toBe(true)
      return number
    }
    const textsTo = async (teamId: string, url: string): Promise<string[]> =>
      (await searchStore(test.store).searchIndex.linksTo([placeOf(teamId, url)]))[0]!.map(({ text }) => text).sort()

    it('are known by the address they lead to, with the page that has them', async () => {
      const number = await file('a', 'https://list.test/', { 'https://sea.test/x': 'Tides', 'https://sea.test/y': 'Y' })
      const [x, nothing] = await searchStore(test.store).searchIndex.linksTo([
        placeOf('a', 'http://www.sea.test/x/'),
        placeOf('a', 'https://sea.test/z'),
      ])
      expect(x).toEqual([{ text: 'Tides', source: number, from: 'list.test/', seenAt: test.clock.now() }])
      expect(nothing).toEqual([])
      expect(await textsTo('b', 'https://sea.test/x')).toEqual([])
    })

    it('take the place of what the same page said before', async () => {
      await file('a', 'https://list.test/', { 'https://sea.test/x': 'Old', 'https://sea.test/y': 'Y' })
      await file('a', 'https://other.test/', { 'https://sea.test/x': 'Other' })
      await file('a', 'https://list.test/', { 'https://sea.test/x': 'New' })
      await file('a', 'https://list.test/', { 'https://sea.test/x': 'New' })
      expect(await textsTo('a', 'https://sea.test/x')).toEqual(['New', 'Other'])
      expect(await textsTo('a', 'https://sea.test/y')).toEqual([])
    })

    it('are at most eight to an address', async () => {
      for (let n = 0; n < 30; n++) await file('a', `https://list.test/${n}`, { 'https://sea.test/x': `Text ${n}` })
      const texts = await textsTo('a', 'https://sea.test/x')
      expect(texts).toHaveLength(8)
      expect(texts).toContain('Text 29')
    })

    it('go with the page that has them, and with what was filed by their words', async () => {
      const from = test.clock.now()
      await file('a', 'https://list.test/', { 'https://sea.test/x': 'Tides' })
      await file('a', 'https://list.test:8080/', { 'https://sea.test/x': 'Tides too' })
      const filed = { links: JSON.stringify([['Tides', 'list.test/']]), linksSince: from }
      const found = await file('a', 'https://sea.test/x', {}, filed)
      const current = () => searchStore(test.store).searchIndex.current([found])
      expect((await current()).linked).toEqual(new Set([found]))
      expect((await test.store.forget({ url: 'https://else.test/' })).indexes).toEqual([])
      expect((await test.store.forget({ host: 'list.test', teamId: 'b' })).indexes).toEqual([])
      const { indexes } = await test.store.forget({ url: 'https://www.list.test/' })
      expect(indexes).toEqual(['a'])
      expect(await textsTo('a', 'https://sea.test/x')).toEqual(['Tides too'])
      expect(await current()).toEqual({ versions: new Map([[found, 3]]), linked: new Set() })
      expect((await searchStore(test.store).searchIndex.pages([found], false))[0]).toMatchObject({ links: null })
      await file('a', 'https://sea.test/x', {}, filed)
      expect((await test.store.forget({ host: 'list.test' })).indexes).toEqual(['a'])
      expect(await textsTo('a', 'https://sea.test/x')).toEqual([])
      expect((await current()).linked.size).toBe(0)
    })

    it('end when the pages that have them have aged', async () => {
      const from = test.clock.now()
      await file('a', 'https://list.test/', { 'https://sea.test/x': 'Tides' })
      test.clock.wind(4 * DAY_MS)
      const found = await file('a', 'https://sea.test/x', {}, { links: '[["Tides","list.test/"]]', linksSince: from })
      await test.store.sweep()
      expect(await textsTo('a', 'https://sea.test/x')).toEqual(['Tides'])
      test.clock.wind(4 * DAY_MS)
      await test.store.sweep()
      expect(await textsTo('a', 'https://sea.test/x')).toEqual([])
      expect(await searchStore(test.store).searchIndex.current([found])).toEqual({
        versions: new Map([[found, 2]]),
        linked: new Set(),
      })
    })

    it('end earlier for a team that keeps pages for a shorter time', async () => {
      const team = (await test.store.teams.create({ name: 'short' })).id
      await test.store.settings.set(teamRetentionSettingName(team), JSON.stringify({ pages: 24 }))
      for (const teamId of [team, 'a']) await file(teamId, 'https://list.test/', { 'https://sea.test/x': 'Tides' })
      test.clock.wind(2 * DAY_MS)
      await test.store.sweep()
      expect(await textsTo(team, 'https://sea.test/x')).toEqual([])
      expect(await textsTo('a', 'https://sea.test/x')).toEqual(['Tides'])
    })

    it('forgets votes on hits of an address or a host', async () => {
      const { searchVotes } = searchStore(test.store)
      await searchVotes.remember({ id: 'q', teamId: 'a', words: 'tide' })
      const votes = async () => [...(await searchVotes.forWords('a', 'tide')).keys()].sort()
      const add = () => searchVotes.vote('a', 'q', [pageKeyOf('https://sea.test/x'), pageKeyOf('https://sea.test/y')])
      await add()
      await test.store.forget({ url: 'https://sea.test/x' })
      expect(await votes()).toEqual(['sea.test/y'])
      await test.store.forget({ host: 'sea.test' })
      expect(await votes()).toEqual([])
    })
  })
}
