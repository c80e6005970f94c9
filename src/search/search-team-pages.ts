// Searches a team's pages: segments rank, rows confirm currency, page texts decide operators, and duplicates become one
// hit.

import { pageKeyOf } from '../base/url-key.ts'
import { COMMON_TEAM_ID } from '../store/search-tables.ts'
import { needsPageText } from './engine/parse-query.ts'
import type { FoundPage, SearchQuery } from './engine/run-query.ts'
import type { SearchThreads } from './search-threads.ts'
import type { IndexedPageRow, SearchIndexStore } from './store/search-segments-and-outbox.ts'

export interface IndexHit {
  page: IndexedPageRow
  score: number
  /** Absent when not requested or not found. */
  passage: string | undefined
  /** Anchor texts with query words that the page lacks; only on request. */
  byLinks: readonly string[]
  alike: string[]
}

interface SearchHitOptions {
  passages: boolean
  links: boolean
}

export interface TeamPageSearch {
  find(
    teamId: string,
    asked: SearchQuery,
    limit: number,
    wants: SearchHitOptions,
    signal: AbortSignal,
  ): Promise<IndexHit[]>
  isEmpty(teamId: string): Promise<boolean>
}

interface TeamIndexParts {
  store: SearchIndexStore
  threads: SearchThreads
}

/** Search depth limit for operators that hardly any page satisfies. */
const MAX_PAGES_EXAMINED = 20_000

export function openTeamPageSearch({ store, threads }: TeamIndexParts): TeamPageSearch {
  async function lookUp(
    found: readonly FoundPage[],
    asked: SearchQuery,
    wants: SearchHitOptions,
    signal: AbortSignal,
  ): Promise<IndexHit[]> {
    const numbers = found.map(({ number }) => number)
    const withText = wants.passages || wants.links || needsPageText(asked.query)
    const rows = new Map((await store.pages(numbers, withText)).map((row) => [row.number, row]))
    const current = found.flatMap(({ number, version, score }) => {
      const page = rows.get(number)
      return page && page.version === version ? [{ page, score }] : []
    })
    const judged = withText
      ? await threads.judge({ query: asked.query, pages: current.map(({ page }) => page), wants }, signal)
      : undefined
    return current.flatMap(({ page, score }, at) => {
      const verdict = judged?.[at]
      if (verdict && !verdict.fits) return []
      return [
        {
          page: { ...page, text: undefined },
          score,
          passage: verdict?.passage,
          byLinks: verdict?.byLinks ?? [],
          alike: [],
        },
      ]
    })
  }

  return {
    async find(teamId, asked, limit, wants, signal) {
      const exact = needsPageText(asked.query)
      const folded = new Folded()
      let seen = 0
      for (let k = exact ? limit * 4 + 20 : limit + 5; ; k = Math.min(MAX_PAGES_EXAMINED, k * 4)) {
        const found = await findRankedPages({ store, threads }, [teamId, COMMON_TEAM_ID], asked, k, signal)
        const fresh = found.slice(seen)
        seen = found.length
        for (const hit of await lookUp(fresh, asked, wants, signal)) folded.add(hit)
        if (folded.hits.length >= limit || found.length < k || k >= MAX_PAGES_EXAMINED) break
      }
      return folded.hits.slice(0, limit)
    },
    isEmpty: async (teamId) => (await store.segments([teamId, COMMON_TEAM_ID])).length === 0,
  }
}

/** Pages with the same canonical URL or the same words become one hit, the first. */
class Folded {
  readonly hits: IndexHit[] = []
  readonly #known = new Map<string, IndexHit>()

  add(hit: IndexHit): void {
    const { url, canonical, print } = hit.page
    const names = [`key ${pageKeyOf(canonical ?? url)}`, ...(print === '' ? [] : [`print ${print}`])]
    const same = names.map((name) => this.#known.get(name)).find((known) => known !== undefined)
    for (const name of names) if (!this.#known.has(name)) this.#known.set(name, same ?? hit)
    if (!same) this.hits.push(hit)
    else if (same.page.url !== url) same.alike.push(url)
  }
}

const TRIES = 4

/** Loads segments that the search thread lacks. Best first; fewer than k: no more exist. */
async function findRankedPages(
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
