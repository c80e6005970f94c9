// BM25F top-k search over segments with block-wise MaxScore pruning. Statistics cover all segments together.

import { FIELDS, makeFieldWeightTable, makeRankingConstants } from './field-weights.ts'
import { PageBitSet } from './page-bit-set.ts'
import { END_OF_POSTINGS, PostingCursor, type Segment } from './segment-read.ts'
import { averageLengths, makeTagTerm } from './segment-write.ts'
import type { RankedPage } from './top-pages.ts'
import { TopPages } from './top-pages.ts'

/** Alternative terms for one query word, scored with the document frequency of the commonest. */
export interface WantedTerms {
  terms: readonly string[]
  only?: ReadonlyMap<string, readonly string[]>
  weight: number
}

interface IndexQuestion {
  wanted: readonly WantedTerms[]
  allowed: readonly (PageBitSet | undefined)[]
  byDate?: boolean
}

interface Scorer {
  terms: readonly string[]
  only: ReadonlyMap<string, readonly string[]> | undefined
  worth: number
}

export function findBestPages(
  segments: readonly Segment[],
  { wanted, allowed, byDate = false }: IndexQuestion,
  k: number,
): RankedPage[] {
  const total = segments.reduce((sum, { pages }) => sum + pages, 0)
  const scorers = byDate ? [] : scorersOf(segments, wanted, total)
  if (scorers.length === 0) {
    if (wanted.length > 0 && !byDate) return []
    const latest = new TopPages(k)
    for (const [at, segment] of segments.entries()) findNewest(segment, at, allowed[at], latest, byDate ? wanted : [])
    return latest.list()
  }
  const { k1, listsIn } = listsFor(segments, scorers, total)
  const best = new TopPages(k)
  // Largest first: its results raise the threshold for the others.
  const order = segments.map((segment, at) => ({ segment, at })).sort((a, b) => b.segment.pages - a.segment.pages)
  for (const { segment, at } of order) {
    const bits = allowed[at]
    if (!bits?.isEmpty()) search(segment, at, listsIn(segment), bits, best, k1)
  }
  return best.list()
}

export function rescorePages(
  segments: readonly Segment[],
  wanted: readonly WantedTerms[],
  pages: readonly RankedPage[],
  k: number,
): RankedPage[] {
  const total = segments.reduce((sum, { pages: many }) => sum + many, 0)
  const { k1, listsIn } = listsFor(segments, scorersOf(segments, wanted, total), total)
  const best = new TopPages(k)
  for (const [at, segment] of segments.entries()) {
    const here = pages.filter(({ segment: of }) => of === at).map(({ page }) => page)
    if (here.length === 0) continue
    const lists = listsIn(segment)
    for (const page of here.sort((a, b) => a - b)) {
      let score = 0
      for (const { cursor, worth, only } of lists) {
        if (only !== undefined && !only.has(page)) continue
        cursor.seek(page)
        if (cursor.page === page) score += worth * saturate(cursor.count, k1)
      }
      best.add(at, page, Math.fround(score), segment.ties[page]!)
    }
  }
  return best.list()
}

function listsFor(segments: readonly Segment[], scorers: readonly Scorer[], total: number) {
  const averages = averageLengths(
    FIELDS.map((_, field) => segments.reduce((sum, { header }) => sum + header.lengths[field]!, 0)),
    total,
  )
  const tables = makeFieldWeightTable(averages)
  const { k1 } = makeRankingConstants(averages)
  return { k1, listsIn: (segment: Segment) => listsOf(segment, scorers, tables, k1) }
}

function scorersOf(segments: readonly Segment[], wanted: readonly WantedTerms[], total: number): Scorer[] {
  return wanted.flatMap(({ terms, weight, only }) => {
    let pages = 0
    const there: string[] = []
    for (const term of terms) {
      const codes = only?.get(term)
      const found = segments.reduce((sum, segment) => {
        const here = segment.find(term)?.pages ?? 0
        return sum + (codes ? Math.min(here, countPagesIn(segment, codes)) : here)
      }, 0)
      if (found > 0) there.push(term)
      pages = Math.max(pages, found)
    }
    if (there.length === 0) return []
    const rarity = Math.log(1 + (total - pages + 0.5) / (pages + 0.5))
    return [{ terms: there, only, worth: weight * rarity }]
  })
}

const countPagesIn = ({ header }: Segment, codes: readonly string[]): number =>
  codes.reduce((sum, code) => sum + (header.languages[code] ?? 0), 0)

function pagesIn(segment: Segment, codes: readonly string[]): PageBitSet {
  const bits = new PageBitSet(segment.pages)
  for (const code of codes) bits.addTerm(segment, makeTagTerm(`lang:${code}`))
  return bits
}

/** Block bounds use the segment's own averages; this factor keeps them valid with the global ones. */
function looseness({ ownTables }: Segment, tables: Float32Array): number {
  let most = 1
  for (let at = 0; at < tables.length; at++) most = Math.max(most, tables[at]! / ownTables[at]!)
  return most * 1.0001
}

interface List {
  cursor: PostingCursor
  /** Weight times IDF. */
  worth: number
  most: number
  only: PageBitSet | undefined
}

const saturate = (count: number, k1: number): number => ((k1 + 1) * count) / (k1 + count)

function listsOf(segment: Segment, scorers: readonly Scorer[], tables: Float32Array, k1: number): List[] {
  const loose = looseness(segment, tables)
  const lists: List[] = []
  for (const { terms, only, worth } of scorers)
    for (const term of terms) {
      const found = segment.find(term)
      const codes = only?.get(term)
      if (!found || (codes && countPagesIn(segment, codes) === 0)) continue
      const cursor = new PostingCursor(segment, found, tables, loose, lists.length)
      const most = worth * saturate(cursor.most, k1)
      lists.push({ cursor, worth, most, only: codes ? pagesIn(segment, codes) : undefined })
    }
  return lists
}

/**
 * By page ranges in which every list stays within one block, so a range's maximum score is known and ranges below the
 * threshold are skipped.
 */
function search(
  segment: Segment,
  at: number,
  found: readonly List[],
  allowed: PageBitSet | undefined,
  best: TopPages,
  k1: number,
): void {
  const lists = found.toSorted((a, b) => a.most - b.most)
  // Prefix sums of maximum contributions: overall, and within the range.
  const upTo = new Float64Array(lists.length + 1)
  const here = new Float64Array(lists.length + 1)
  for (let n = 0; n < lists.length; n++) upTo[n + 1] = upTo[n]! + lists[n]!.most
  let first = 0
  for (let from = 0; from < END_OF_POSTINGS; ) {
    let bar = best.bar()
    while (first < lists.length && upTo[first + 1]! <= bar) first++
    if (first === lists.length) return
    const until = rangeFrom(from, lists, first, here, k1)
    if (here[lists.length]! > bar) {
      let driving = first
      while (here[driving + 1]! <= bar) driving++
      for (let n = driving; n < lists.length; n++) lists[n]!.cursor.seek(from)
      while (driving < lists.length) {
        const page = nextPage(lists, driving)
        if (page > until) break
        const score = scoreOf(page, lists, driving, here, bar, k1, allowed === undefined || allowed.has(page))
        if (score <= bar) continue
        // Rounding removes differences caused by summation order between equal pages.
        best.add(at, page, Math.fround(score), segment.ties[page]!)
        bar = best.bar()
        while (driving < lists.length && here[driving + 1]! <= bar) driving++
      }
    }
    from = until + 1
  }
}

function rangeFrom(from: number, lists: readonly List[], first: number, here: Float64Array, k1: number): number {
  let until = END_OF_POSTINGS - 1
  for (let n = first; n < lists.length; n++) until = Math.min(until, lists[n]!.cursor.blockEnd(from))
  for (let n = 0; n < lists.length; n++) {
    const { cursor, worth } = lists[n]!
    here[n + 1] = here[n]! + worth * saturate(cursor.boundIn(from, until), k1)
  }
  return until
}

function nextPage(lists: readonly List[], driving: number): number {
  let page = END_OF_POSTINGS
  for (let n = driving; n < lists.length; n++) {
    const there = lists[n]!.cursor.page
    if (there < page) page = there
  }
  return page
}

/** The page's score, or 0 once it cannot reach the threshold. Advances the essential lists. */
function scoreOf(
  page: number,
  lists: readonly List[],
  driving: number,
  here: Float64Array,
  bar: number,
  k1: number,
  may: boolean,
): number {
  let score = 0
  for (let n = driving; n < lists.length; n++) {
    const { cursor, worth, only } = lists[n]!
    if (cursor.page !== page) continue
    if (may && (only === undefined || only.has(page))) score += worth * saturate(cursor.count, k1)
    cursor.next()
  }
  if (!may) return 0
  for (let n = driving - 1; n >= 0; n--) {
    if (score + here[n + 1]! <= bar) return 0
    const { cursor, worth, only } = lists[n]!
    if (only !== undefined && !only.has(page)) continue
    cursor.seek(page)
    if (cursor.page === page) score += worth * saturate(cursor.count, k1)
  }
  return score
}

function findNewest(
  segment: Segment,
  at: number,
  allowed: PageBitSet | undefined,
  best: TopPages,
  wanted: readonly WantedTerms[],
): void {
  const having = wanted.length === 0 ? undefined : withAny(segment, wanted)
  for (let page = 0; page < segment.pages; page++) {
    if (allowed && !allowed.has(page)) continue
    if (having && !having.has(page)) continue
    best.add(at, page, segment.minutes[page]! + 1, segment.ties[page]!)
  }
}

function withAny(segment: Segment, wanted: readonly WantedTerms[]): PageBitSet {
  const bits = new PageBitSet(segment.pages)
  for (const { terms } of wanted) for (const term of terms) bits.addTerm(segment, term)
  return bits
}
