// Scores hits. A single source keeps its order; for several, a ranker trained on graded hits decides, and callers'
// votes on the same words lift a hit within bounds.

import { pageKeyOf } from '../../base/url-key.ts'
import { makeQueryWord, type SearchWord, tokenizeText } from '../../search/engine/tokenize-text.ts'
import type { FusedHit, RankedList } from './fuse-hits.ts'
import ranker from './ranker.json' with { type: 'json' }

type ScoreParts = { query: readonly string[]; lists: readonly RankedList[]; votes: ReadonlyMap<string, number> }

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

export const FEATURE_NAMES = [
  'title',
  'wholeTitle',
  'text',
  'hasText',
  'host',
  'nameIsHost',
  'path',
  'depth',
  'titleLength',
  'place',
  'agreement',
] as const
type Feature = (typeof FEATURE_NAMES)[number]
type Features = Record<Feature, number>

type HitToScore = { url: string; title: string; description: string }

export function pickSignificantWords(words: readonly string[]): SearchWord[] {
  const read = words.map((word) => makeQueryWord(word, ['en']))
  return read.some(({ stop }) => !stop) ? read.filter(({ stop }) => !stop) : read
}

/** `place`: best rank in any list, from 0; `sources`: number of lists that contain it. */
export function computeHitFeatures(
  words: readonly SearchWord[],
  hit: HitToScore,
  place: number,
  sources: number,
): Features {
  const { host, path, depth } = addressOf(hit.url)
  const share = (fulfils: (word: SearchWord) => boolean) =>
    words.length === 0 ? 0 : words.filter(fulfils).length / words.length
  const within = (text: string) => {
    const terms = new Set(tokenizeText(text, 'en').flatMap((word) => word.terms))
    return share((word) => word.terms.some((term) => terms.has(term)))
  }
  const title = within(hit.title)
  return {
    title,
    wholeTitle: title === 1 ? 1 : 0,
    text: within(hit.description),
    hasText: hit.description === '' ? 0 : 1,
    host: share(({ plain }) => host.includes(plain)),
    nameIsHost: host.split('.').slice(0, -1).join('') === words.map(({ plain }) => plain).join('') ? 1 : 0,
    path: within(path),
    depth: Math.min(depth, 6) / 6,
    titleLength: Math.min(hit.title.split(/\s+/).length, 20) / 20,
    place: 10 / (11 + place),
    agreement: sources > 1 ? 1 : 0,
  }
}

function addressOf(url: string): { host: string; path: string; depth: number } {
  if (!URL.canParse(url)) return { host: '', path: '', depth: 0 }
  const { hostname, pathname, search } = new URL(url)
  const parts = pathname.split('/').filter(Boolean)
  return {
    host: hostname.replace(/^www\./, '').toLowerCase(),
    path: pathname.replace(/%[0-9a-f]{2}/gi, ' ').replace(/[^\p{L}\p{N}]+/gu, ' '),
    depth: parts.length + (search ? 1 : 0),
  }
}
