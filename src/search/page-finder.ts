// The interface for ranked results, from our segments or an external engine.

import type { FoundPage, SearchQuery } from './engine/run-query.ts'
import type { ExternalPage } from './external-page.ts'
import type { SearchThreads } from './search-threads.ts'
import type { SearchIndexStore } from './store/search-segments-and-outbox.ts'

export interface PageFinder {
  /** Best first; fewer than k: no more exist. */
  ranked(teamIds: readonly string[], asked: SearchQuery, k: number, signal: AbortSignal): Promise<FoundPage[]>
  isEmpty(teamIds: readonly string[], signal: AbortSignal): Promise<boolean>
  most: number
}

/** An external engine receives pages before the commit, so `put` must be idempotent. */
export interface ExternalIndexWriter {
  put(pages: readonly ExternalPage[]): Promise<void>
  /** A batch in number order; empty: none after `after`. */
  held(after: number): Promise<HeldPage[]>
  /** Skips pages that have a newer version. */
  drop(pages: readonly HeldPage[]): Promise<void>
}

interface HeldPage {
  number: number
  version: number
}

/** Search depth limit for operators that hardly any page satisfies. */
const MAX_PAGES_EXAMINED = 20_000
const TRIES = 4

export function makeSegmentFinder(store: SearchIndexStore, threads: SearchThreads): PageFinder {
  return {
    most: MAX_PAGES_EXAMINED,
    async ranked(teamIds, asked, k, signal) {
      for (let turn = 0; ; turn++) {
        const segments = (await store.segments(teamIds)).map(({ id }) => id)
        if (segments.length === 0) return []
        const reply = await threads.find({ segments, asked, k }, signal)
        if ('found' in reply) return reply.found
        for (const id of reply.missing) {
          const bytes = await store.segmentBytes(id)
          // Merged meanwhile: the next list of segments has its replacement.
          if (bytes) await threads.load(id, bytes)
        }
        if (turn > TRIES + reply.missing.length) return []
      }
    },
    isEmpty: async (teamIds) => (await store.segments(teamIds)).length === 0,
  }
}
