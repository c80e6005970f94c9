// What a hit is worth among the hits of all sources. With one source alone its order stands; with several, a small ranker
// that was trained on graded hits decides by features of each hit, so that a source of rubbish cannot push it up. Opinions
// of callers on the same words lift a hit, within bounds.
import { pageKey } from '../../base/url-key.ts'
import { FEATURES, featuresOf, tellingWords } from './features.ts'
import type { Fused, RankedList } from './fuse.ts'
import ranker from './ranker.json' with { type: 'json' }

export interface ScoreParts {
  query: readonly string[]
  lists: readonly RankedList[]
  /** Votes by address. */
  votes: ReadonlyMap<string, number>
}

/** Opinions lift a hit by at most this share, however many there are. */
const MOST_LIFT = 1

export function scorerFor({
  query,
  lists,
  votes,
}: ScoreParts): (hit: Fused, places: ReadonlyMap<string, number>) => number {
  const words = tellingWords(query)
  const isAlone = lists.filter(({ hits }) => hits.length > 0).length < 2
  return (hit, places) => {
    const cast = votes.size === 0 ? 0 : (votes.get(pageKey(hit.url)) ?? 0)
    const lift = 1 + MOST_LIFT * (cast / (cast + 2))
    if (cast > 0) hit.why.votes = lift
    if (isAlone) return hit.why.places! * lift
    const features = featuresOf(words, hit, Math.min(...places.values()), places.size)
    let sum = 0
    for (const name of FEATURES) sum += ranker.weights[name] * features[name]
    Object.assign(hit.why, features)
    return Math.exp(sum) * lift
  }
}

/** Queries of the same words are one question, however they are put. */
export const wordsKey = (words: readonly string[]): string =>
  [...new Set(tellingWords(words).map(({ terms }) => terms[0]!))].sort().join(' ').slice(0, 500)
