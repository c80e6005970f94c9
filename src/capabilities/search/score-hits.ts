// Scores hits. A single source keeps its order; for several, a ranker trained on graded hits decides, and callers'
// votes on the same words lift a hit within bounds.
import { pageKeyOf } from '../../base/url-key.ts'
import type { FusedHit, RankedList } from './fuse-hits.ts'
import { computeHitFeatures, FEATURE_NAMES, pickSignificantWords } from './hit-features.ts'
import ranker from './ranker.json' with { type: 'json' }

interface ScoreParts {
  query: readonly string[]
  lists: readonly RankedList[]
  votes: ReadonlyMap<string, number>
}

const MOST_LIFT = 1

export function makeHitScorer({
  query,
  lists,
  votes,
}: ScoreParts): (hit: FusedHit, places: ReadonlyMap<string, number>) => number {
  const words = pickSignificantWords(query)
  const isAlone = lists.filter(({ hits }) => hits.length > 0).length < 2
  return (hit, places) => {
    const cast = votes.size === 0 ? 0 : (votes.get(pageKeyOf(hit.url)) ?? 0)
    const lift = 1 + MOST_LIFT * (cast / (cast + 2))
    if (cast > 0) hit.why.votes = lift
    if (isAlone) return hit.why.places! * lift
    const features = computeHitFeatures(words, hit, Math.min(...places.values()), places.size)
    let sum = 0
    for (const name of FEATURE_NAMES) sum += ranker.weights[name] * features[name]
    Object.assign(hit.why, features)
    return Math.exp(sum) * lift
  }
}

/** Queries with the same words share votes. */
export const queryWordsKey = (words: readonly string[]): string =>
  [...new Set(pickSignificantWords(words).map(({ terms }) => terms[0]!))].sort().join(' ').slice(0, 500)
