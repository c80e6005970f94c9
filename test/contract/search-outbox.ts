// What every store must do with documents that are to be found: write each down with its result, and not again while it is
// in the index.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { searchStore } from '../../src/search/store/index.ts'
import type { OpenTestStore, TestStore } from './open-store.ts'

export function searchOutboxContract(open: OpenTestStore): void {
  describe('a document that is to be found', () => {
    let test: TestStore
    beforeEach(async () => {
      test = await open()
    })
    afterEach(() => test.end())

    const note = (kind: 'page' | 'gone' = 'page', teamId = 'a') => {
      const { store, clock } = test
      const page = { teamId, url: 'https://sea.test/', documentId: 'd1', at: clock.now(), kind }
      return store.transaction((tx) => store.searchOutbox.note(tx, page))
    }
    const waiting = () => searchStore(test.store).searchIndex.waiting({ limit: 10, maxBytes: 1_000_000 })
    const index = async () => {
      const done = await waiting()
      const nothing = { rows: [], gone: [], segments: [], versions: [], links: '[]' }
      expect(await searchStore(test.store).searchIndex.commit({ done, ...nothing })).toBe(true)
    }

    it('is read by team, and by what is newest', async () => {
      const { searchIndex } = searchStore(test.store)
      const at = test.clock.now()
      const add = (teamId: string, documentId: string, kind: 'page' | 'gone' = 'page') =>
        test.store.transaction((tx) =>
          test.store.searchOutbox.note(tx, { teamId, url: `https://sea.test/${documentId}`, documentId, at, kind }),
        )
      for (const documentId of ['d1', 'd2', 'd3']) await add('a', documentId)
      await add('b', 'd4')
      await add('a', 'd5', 'gone')
      expect(await searchIndex.countWaiting('a')).toBe(4)
      expect(await searchIndex.newestAfter('a', 4)).toBe(0)
      const after = await searchIndex.newestAfter('a', 3)
      const some = await searchIndex.waiting({ teamId: 'a', after, limit: 10, maxBytes: 1_000_000 })
      expect(some.map(({ documentId }) => documentId)).toEqual(['d2', 'd3'])
      expect(await searchIndex.teamWaiting(at - 1000)).toBeUndefined()
      await searchIndex.searched('b')
      expect(await searchIndex.teamWaiting(at - 1000)).toBe('b')
      expect(await searchIndex.teamWaiting(at + 1000)).toBeUndefined()
    })

    it('waits once more only when it was not put in, or long ago, or taken out since', async () => {
      await note()
      await note()
      expect(await waiting()).toHaveLength(1)
      await index()
      await note()
      expect(await waiting()).toEqual([])
      await note('page', 'b')
      expect(await waiting()).toMatchObject([{ teamId: 'b' }])
      await index()
      test.clock.wind(6 * 60_000)
      await note()
      expect(await waiting()).toMatchObject([{ teamId: 'a', documentId: 'd1' }])
      await index()
      await test.store.forget({ teamId: 'a', url: 'https://sea.test/' })
      await note()
      expect(await waiting()).toHaveLength(1)
    })

    it('waits again when its result was not kept', async () => {
      const { store } = test
      const broken = store.transaction(async (tx) => {
        const page = { teamId: 'a', url: 'https://sea.test/', documentId: 'd1', at: 1, kind: 'page' as const }
        await store.searchOutbox.note(tx, page)
        throw new Error('broken off')
      })
      await expect(broken).rejects.toThrow('broken off')
      await note()
      expect(await waiting()).toHaveLength(1)
    })

    it('waits again when its page was gone in between', async () => {
      await note()
      await index()
      await note('gone')
      await index()
      await note()
      expect(await waiting()).toMatchObject([{ kind: 'page', documentId: 'd1' }])
    })

    it('that is gone is written down each time', async () => {
      await note('gone')
      await index()
      await note('gone')
      expect(await waiting()).toMatchObject([{ kind: 'gone' }])
    })
  })
}
