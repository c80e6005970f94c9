// Writes the segments of teams anew without the pages that are gone. Merging does that by itself sooner or later; whoever
// was asked to forget something does it now.
import type { SearchIndexStore } from '../store/search-index.ts'
import { numbersIn } from './indexer.ts'
import type { SearchThreads } from './threads.ts'

export async function rewriteSegments(
  { store, threads }: { store: SearchIndexStore; threads: Pick<SearchThreads, 'merge'> },
  teamIds: readonly string[],
): Promise<void> {
  if (teamIds.length === 0) return
  for (const { id, teamId } of await store.segments(teamIds)) {
    const bytes = await store.segmentBytes(id)
    if (!bytes) continue
    const versions = await store.versions([...numbersIn(bytes)])
    const merged = await threads.merge({
      segments: [bytes],
      numbers: Float64Array.from(versions.keys()),
      versions: Float64Array.from(versions.values()),
    })
    await store.replace([id], { teamId, ...merged })
  }
}
