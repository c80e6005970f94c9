// Pages before and after. A pair is a page and the edits made to its HTML, so that a reader sees what changed and
// nothing else did. It must not know how changes are found.
import { readCases, readPage } from '../cases.ts'

export interface Pair {
  id: string
  page: string
  /** Noise is what a person who watches the page does not want to hear of. */
  kind: 'noise' | 'edit'
  /** What was changed, for the one who reads a failure. */
  says: string
  /** Of an edit: what a diff must show. */
  seen?: string[]
  edits: [from: string, to: string][]
}

export interface PairOfPages extends Pair {
  url: string
  before: string
  after: string
}

/** `pairs`: the first set. `watched`: a later one, committed before the rules for it; its half by hash is sealed. */
export type PairSet = 'pairs' | 'watched'

/** Every pair with both pages. An edit that does not apply exactly once is a mistake of the set. */
export function pairs(set: PairSet = 'pairs'): PairOfPages[] {
  const folder = set === 'pairs' ? 'pages' : set
  return readCases<Pair>(new URL(`${set}.json`, import.meta.url)).map((pair) => {
    const before = readPage(new URL(`${folder}/${pair.page}.html`, import.meta.url))
    let after = before
    for (const [from, to] of pair.edits) {
      const parts = after.split(from)
      if (parts.length !== 2) throw new Error(`${pair.id}: "${from}" stands ${parts.length - 1} times on ${pair.page}`)
      after = parts.join(to)
    }
    return { ...pair, url: `https://watched.example/${pair.page}`, before, after }
  })
}
