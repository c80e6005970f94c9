// Ranks a team's pages by its segments, and loads into the search thread those that it lacks.

import type { FoundPage, SearchQuery } from './engine/run-query.ts'
import type { SearchThreads } from './search-threads.ts'
import type { SearchIndexStore } from './store/search-segments-and-outbox.ts'

const TRIES = 4

/** Best first; fewer than k: no more exist. */
export async function findRankedPages(
  { store, threads }: { store: SearchIndexStore; threads: SearchThreads },
  teamIds: readonly string[],
  asked: SearchQuery,
  k: number,
  signal: AbortSignal,
): Promise<FoundPage[]> {
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
}
