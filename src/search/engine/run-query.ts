// Runs a parsed query against a team's segments. Short queries get a second pass with terms common to the best pages
// (pseudo-relevance feedback).

import { findBestPages, rescorePages, type WantedTerms } from './find-best-pages.ts'
import { findPagesPassingFilter, type SegmentFilter } from './page-bit-set.ts'
import type { ParsedQuery } from './parse-query.ts'
import type { Segment } from './segment-read.ts'
import { makeTagTerm } from './segment-write.ts'
import { splitCompound } from './split-compounds.ts'
import { eachWord, makeQueryWord } from './tokenize-text.ts'
import type { RankedPage } from './top-pages.ts'

export interface SearchQuery {
  query: ParsedQuery
  /** The host must match one of the former and none of the latter. */
  includeDomains: readonly string[]
  excludeDomains: readonly string[]
  tags: readonly string[]
  from?: number | undefined
  until?: number | undefined
  newestFirst: boolean
  language?: string | undefined
}

export interface FoundPage {
  number: number
  version: number
  score: number
}

/** Longer queries and sentences are specific enough; expanding them lowers quality (SciFact −0.02). */
const MAX_WORDS_TO_EXPAND = 4
const EXPANSION_PAGES = 10
/** The added terms rerank only this many pages. */
const MAX_RERANKED_PAGES = 200
const EXPANSION_TERMS = 20
const OWN_SHARE = 0.5
/** Terms on more than this share of all pages are ignored. */
const MAX_SHARE_OF_PAGES = 0.1
const LANGUAGES = 6

export function searchSegments(segments: readonly Segment[], asked: SearchQuery, k: number): FoundPage[] {
  const { query } = asked
  const limits = limitsOf(asked, segments)
  const allowed = segments.map((segment) => findPagesPassingFilter(segment, limits))
  const related = query.related === undefined ? [] : likeThose(segments, query.related)
  const wanted = [...withParts(segments, query.words, languagesIn(segments, asked.language)), ...related]
  if (query.related !== undefined && wanted.length === 0) return []
  const question = { wanted, allowed, byDate: asked.newestFirst }
  const isShort = wanted.length > 0 && wanted.length <= MAX_WORDS_TO_EXPAND && !/[.。।]\s*$/.test(query.plain)
  const mayWiden = isShort && !asked.newestFirst && related.length === 0
  const first = findBestPages(segments, question, mayWiden ? Math.max(k, MAX_RERANKED_PAGES) : k)
  const wider = mayWiden ? widenTerms(segments, wanted, first) : undefined
  const best = wider ? rescorePages(segments, wider, first, k) : first
  return best.slice(0, k).map(({ segment, page, score }) => ({
    number: segments[segment]!.numbers[page]!,
    version: segments[segment]!.versions[page]!,
    score,
  }))
}

/** A compound that no page has is replaced by its parts. */
function withParts(
  segments: readonly Segment[],
  words: readonly string[],
  candidates: readonly string[],
): WantedTerms[] {
  const isKnown = (term: string) => segments.some((segment) => segment.find(term) !== undefined)
  const taken = words.flatMap((word) => {
    if (makeQueryWord(word, candidates).terms.some(isKnown)) return []
    const parts = splitCompound(word, candidates, isKnown)
    return parts ? parts.map((terms) => ({ terms, weight: 1 })) : []
  })
  return [...wantedOf(words, candidates), ...taken]
}

function wantedOf(words: readonly string[], candidates: readonly string[]): WantedTerms[] {
  const read = words.map((word) => makeQueryWord(word, candidates))
  const significant = read.some(({ stop }) => !stop) ? read.filter(({ stop }) => !stop) : read
  const byTerm = new Map<string, WantedTerms>()
  for (const { terms, only } of significant) {
    const same = byTerm.get(terms[0]!)
    if (same) same.weight += 1
    else byTerm.set(terms[0]!, { terms, weight: 1, only })
  }
  return [...byTerm.values()]
}

function languagesIn(segments: readonly Segment[], own: string | undefined): string[] {
  const counts = new Map<string, number>([['en', 0]])
  for (const { header } of segments)
    for (const [code, count] of Object.entries(header.languages))
      if (code !== '') counts.set(code, (counts.get(code) ?? 0) + count)
  const sorted = [...counts].sort((a, b) => b[1] - a[1]).map(([code]) => code)
  const preferred = own?.slice(0, 2).toLowerCase()
  const first = preferred && counts.has(preferred) ? [preferred] : []
  return [...new Set([...first, ...sorted])].slice(0, LANGUAGES)
}

function limitsOf(asked: SearchQuery, segments: readonly Segment[]): SegmentFilter {
  const { query, from, until } = asked
  const candidates = languagesIn(segments, asked.language)
  return {
    ...makeTagFilter(asked),
    // Requires every word of a phrase; adjacency is checked on the page text.
    terms: [...query.phrases, ...query.inTitle].flatMap((phrase) => phraseGroups(phrase, candidates)),
    ...(from === undefined ? {} : { from: Math.ceil(from / 60_000) }),
    ...(until === undefined ? {} : { until: Math.floor(until / 60_000) }),
  }
}

/** Each group requires one tag; excluded tags require none. */
function makeTagFilter({
  query,
  includeDomains,
  excludeDomains,
  tags,
}: SearchQuery): Pick<SegmentFilter, 'tags' | 'withoutTags'> {
  const sites = (hosts: readonly string[]) => hosts.map((host) => `site:${host.toLowerCase().replace(/^www\./, '')}`)
  const own = query.sites.map(({ host }) => host)
  const related = query.related === undefined ? [] : [hostIn(query.related)]
  return {
    tags: [
      ...(own.length > 0 ? [sites(own)] : []),
      ...(includeDomains.length > 0 ? [sites(includeDomains)] : []),
      ...(query.types.length > 0 ? [query.types.map((type) => `type:${type}`)] : []),
      ...tags.map((tag) => [tag]),
    ],
    withoutTags: [
      ...sites([...excludeDomains, ...query.withoutSites.filter(({ path }) => path === '').map(({ host }) => host)]),
      ...query.withoutTypes.map((type) => `type:${type}`),
      ...sites(related),
    ],
  }
}

function phraseGroups(phrase: string, candidates: readonly string[]): string[][] {
  const groups: string[][] = []
  for (const { terms } of wantedOf(wordsIn(phrase), candidates)) groups.push([...terms])
  return groups
}

function wordsIn(text: string): string[] {
  const words: string[] = []
  eachWord(text, (word) => words.push(word))
  return words
}

const hostIn = (text: string): string => /^(?:https?:\/\/)?([^/?#]+)/i.exec(text)?.[1]?.toLowerCase() ?? text

/** For `related:`: the terms common to a site's pages. */
function likeThose(segments: readonly Segment[], text: string): WantedTerms[] {
  const tag = makeTagTerm(`site:${hostIn(text).replace(/^www\./, '')}`)
  const pages = segments.flatMap((segment, at) => {
    const found = segment.find(tag)
    if (!found) return []
    return Array.from(segment.pagesOf(found).subarray(0, 50), (page) => ({ segment: at, page, score: 1 }))
  })
  return commonTerms(segments, pages).map(([term, weight]) => ({ terms: [term], weight }))
}

function widenTerms(
  segments: readonly Segment[],
  wanted: readonly WantedTerms[],
  first: readonly RankedPage[],
): WantedTerms[] | undefined {
  const top = first.slice(0, EXPANSION_PAGES)
  // Two or three pages are too few to tell common terms from chance.
  if (top.length < 4) return undefined
  const more = commonTerms(segments, top)
  if (more.length === 0) return undefined
  const whole = wanted.reduce((sum, { weight }) => sum + weight, 0)
  return [
    ...wanted.map((one) => ({ ...one, weight: (OWN_SHARE * one.weight) / whole })),
    ...more.map(([term, share]) => ({ terms: [term], weight: (1 - OWN_SHARE) * share })),
  ]
}

/** Terms frequent on these pages and rare elsewhere, with weights that sum to one. */
function commonTerms(segments: readonly Segment[], pages: readonly RankedPage[]): [string, number][] {
  const total = segments.reduce((sum, { pages: many }) => sum + many, 0)
  const scores = pages.reduce((sum, { score }) => sum + score, 0)
  const sums = new Map<string, number>()
  for (const { segment, page, score } of pages) {
    const keys = segments[segment]!.keys(page)
    const length = keys.reduce((sum, [, count]) => sum + count, 0)
    for (const [number, count] of keys) {
      const { term } = segments[segment]!.term(number)
      sums.set(term, (sums.get(term) ?? 0) + ((score / scores) * count) / length)
    }
  }
  const significant = [...sums]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, EXPANSION_TERMS * 2)
    .filter(([term]) => {
      const having = segments.reduce((sum, segment) => sum + (segment.find(term)?.pages ?? 0), 0)
      return having <= Math.max(MAX_SHARE_OF_PAGES * total, 20)
    })
    .slice(0, EXPANSION_TERMS)
  const whole = significant.reduce((sum, [, weight]) => sum + weight, 0)
  // Includes query terms, which gain weight as intended.
  return significant.map(([term, weight]) => [term, weight / whole])
}
