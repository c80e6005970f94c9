// Where ranked pages come from: our own segments, or another engine behind the same port. Whoever finds knows numbers and
// versions only; what a page is, whether it is still true and whether operators hold exactly is decided by team-index.ts.
import type { SearchIndexStore } from '../store/search-index.ts'
import type { FoundPage, SearchQuery } from './engine/ask.ts'
import type { FiledPage } from './filed-page.ts'
import type { SearchThreads } from './threads.ts'

export interface Finder {
  /** The best pages of these teams, best first; fewer than k: there are no more. */
  ranked(teamIds: readonly string[], asked: SearchQuery, k: number, signal: AbortSignal): Promise<FoundPage[]>
  isEmpty(teamIds: readonly string[], signal: AbortSignal): Promise<boolean>
  /** Beyond this many pages nobody looks. */
  most: number
}

/** Another engine takes pages before they count as put in, so doing it again must change nothing. */
export interface PageSink {
  put(pages: readonly FiledPage[]): Promise<void>
  /** Pages that it holds, a batch in the order of their numbers; none: there are no more behind `after`. */
  held(after: number): Promise<HeldPage[]>
  /** Removes pages, unless a newer version has come meanwhile. */
  drop(pages: readonly HeldPage[]): Promise<void>
}

export interface HeldPage {
  number: number
  version: number
}

/** An operator that hardly any page fulfils is given up there. */
const MAX_LOOKED_AT = 20_000
const TRIES = 4

export function segmentFinder(store: SearchIndexStore, threads: SearchThreads): Finder {
  return {
    most: MAX_LOOKED_AT,
    async ranked(teamIds, asked, k, signal) {
      for (let turn = 0; ; turn++) {
        const segments = (await store.segments(teamIds)).map(({ id }) => id)
        if (segments.length === 0) return []
        const reply = await threads.find({ segments, asked, k }, signal)
        if ('found' in reply) return reply.found
        for (const id of reply.missing) {
          const bytes = await store.segmentBytes(id)
          // Merged into another a moment ago: the next look at the list knows.
          if (bytes) await threads.load(id, bytes)
        }
        if (turn > TRIES + reply.missing.length) return []
      }
    },
    isEmpty: async (teamIds) => (await store.segments(teamIds)).length === 0,
  }
}
