// Merges the hits of several sources into one list.
import { pageKeyOf } from '../../base/url-key.ts'

export interface SearchCandidate {
  url: string
  title: string
  description: string
  date?: number | undefined
  imageUrl?: string | undefined
  imageWidth?: number | undefined
  imageHeight?: number | undefined
  /** Link texts with query words that the page itself lacks. */
  byLinks?: readonly string[] | undefined
  /** Content fingerprint: equal for pages with the same words. */
  print?: string | undefined
}

export type RankedList = { name: string; hits: readonly SearchCandidate[]; trust?: number }

export interface FusedHit extends SearchCandidate {
  from: string[]
  score: number
  why: Record<string, number>
}

/** Constant of reciprocal rank fusion: rank ten still counts, and rank one does not dominate. */
const RANK_FUSION_CONSTANT = 10

export function fuseRankedLists(
  lists: readonly RankedList[],
  score: (fused: FusedHit, places: ReadonlyMap<string, number>) => number,
): FusedHit[] {
  const byKey = new Map<string, { fused: FusedHit; places: Map<string, number> }>()
  for (const { name, hits, trust = 1 } of lists) {
    for (const [at, hit] of hits.entries()) {
      const names = [pageKeyOf(hit.url), ...(hit.print ? [`print ${hit.print}`] : [])]
      const known = names.map((key) => byKey.get(key)).find((entry) => entry !== undefined)
      const share = trust / (RANK_FUSION_CONSTANT + at + 1)
      if (!known) {
        const { print: _, ...shown } = hit
        const entry = {
          fused: { ...shown, from: [name], score: 0, why: { places: share } },
          places: new Map([[name, at]]),
        }
        for (const key of names) byKey.set(key, entry)
        continue
      }
      for (const key of names) if (!byKey.has(key)) byKey.set(key, known)
      if (known.places.has(name)) continue
      known.places.set(name, at)
      known.fused.from.push(name)
      known.fused.why.places = known.fused.why.places! + share
      complete(known.fused, hit)
    }
  }
  const entries = new Set(byKey.values())
  const all = [...entries].map(({ fused, places }) => ({ ...fused, score: score(fused, places) }))
  return all.sort((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1))
}

function complete(fused: FusedHit, hit: SearchCandidate): void {
  if (hit.description.length > fused.description.length && fused.from[0] !== 'index')
    fused.description = hit.description
  fused.title ||= hit.title
  fused.date ??= hit.date
  fused.imageUrl ??= hit.imageUrl
  fused.byLinks ??= hit.byLinks
}
