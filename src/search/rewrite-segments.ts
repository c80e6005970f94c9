// Rewrites segments without deleted pages and anchor texts. Merging does this eventually; a deletion request needs it
// now.

import { makeMergeRequest, readSegmentPageNumbers } from './indexer.ts'
import type { SearchThreads } from './search-threads.ts'
import type { SearchIndexStore } from './store/search-segments-and-outbox.ts'

/** A segment that cannot be read is listed each time. */
const MAX_PASSES = 10

export async function rewriteSegments(
  { store, threads }: { store: SearchIndexStore; threads: Pick<SearchThreads, 'merge'> },
  teamIds: readonly string[],
): Promise<void> {
  if (teamIds.length === 0) return
  // A merge that began before the deletion may replace a segment meanwhile by one that still has the deleted pages.
  for (let passes = 0, isDone = false; !isDone && passes < MAX_PASSES; passes++) {
    isDone = true
    for (const { id, teamId } of await store.segments(teamIds)) {
      const bytes = await store.segmentBytes(id)
      const merged =
        bytes &&
        (await threads.merge(makeMergeRequest([bytes], await store.current([...readSegmentPageNumbers(bytes)]))))
      if (!merged || !(await store.replace([id], { teamId, ...merged }))) isDone = false
    }
  }
}
