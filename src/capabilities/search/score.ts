// What a hit is worth among the hits of all sources. With our own index alone its order stands; opinions of callers on the
// same words lift a hit, within bounds.
import { pageKey } from '../../base/url-key.ts'
import { queryWord } from '../../search/engine/words.ts'
import type { Fused, RankedList } from './fuse.ts'

export interface ScoreParts {
  query: readonly string[]
  lists: readonly RankedList[]
  /** Votes by address. */
  votes: ReadonlyMap<string, number>
}

/** Opinions lift a hit by at most this share, however many there are. */
const MOST_LIFT = 1

export function scorerFor({ votes }: ScoreParts): (hit: Fused, places: ReadonlyMap<string, number>) => number {
  return (hit) => {
    const cast = votes.size === 0 ? 0 : (votes.get(pageKey(hit.url)) ?? 0)
    const lift = 1 + MOST_LIFT * (cast / (cast + 2))
    if (cast > 0) hit.why.votes = lift
    return hit.why.places! * lift
  }
}

/** Queries of the same words are one question, however they are put. */
export function wordsKey(words: readonly string[]): string {
  const read = words.map((word) => queryWord(word, ['en']))
  const telling = read.some(({ stop }) => !stop) ? read.filter(({ stop }) => !stop) : read
  return [...new Set(telling.map(({ terms }) => terms[0]!))].sort().join(' ').slice(0, 500)
}
