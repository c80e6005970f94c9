// The searching thread. Caches segments up to a byte limit (LRU) and reports missing ones.
import { inflateRawSync } from 'node:zlib'
import { findBestPassage, findMissingWords } from './engine/best-passage.ts'
import { matchesQueryOperators, type ParsedQuery } from './engine/parse-query.ts'
import { type FoundPage, type SearchQuery, searchSegments } from './engine/run-query.ts'
import { Segment } from './engine/segment-read.ts'

export interface SearchThreadRequest {
  segments: readonly string[]
  asked: SearchQuery
  k: number
}

export type FindReply = { found: FoundPage[]; ms: number } | { missing: string[] }

const held = new Map<string, Segment>()

export function load({ id, bytes, memoryBytes }: { id: string; bytes: Uint8Array; memoryBytes: number }): void {
  held.set(id, new Segment(bytes))
  let sum = 0
  for (const segment of held.values()) sum += segment.bytes.byteLength
  for (const [old, segment] of held) {
    if (sum <= memoryBytes || old === id) break
    held.delete(old)
    sum -= segment.bytes.byteLength
  }
}

export function find({ segments, asked, k }: SearchThreadRequest): FindReply {
  const missing = segments.filter((id) => !held.has(id))
  if (missing.length > 0) return { missing }
  const began = performance.now()
  const used = segments.map((id) => {
    const segment = held.get(id)!
    held.delete(id)
    held.set(id, segment)
    return segment
  })
  return { found: searchSegments(used, asked, k), ms: performance.now() - began }
}

export interface CheckHitsRequest {
  query: ParsedQuery
  pages: readonly { url: string; title: string; language: string; links: string | null; text: Uint8Array | undefined }[]
  wants: { passages: boolean; links: boolean }
}

export interface CheckedHit {
  fits: boolean
  passage: string | undefined
  byLinks: string[]
}

export const judge = ({ query, pages, wants }: CheckHitsRequest): CheckedHit[] =>
  pages.map(({ url, title, language, links, text: packed }) => {
    const text = packed ? inflateRawSync(packed).toString() : ''
    const isFit = matchesQueryOperators(query, { url, title, text })
    return {
      fits: isFit,
      passage: isFit && wants.passages ? findBestPassage(text, query.words, language) : undefined,
      byLinks: isFit && wants.links && links !== null ? relevantLinks(links, `${title}\n${text}`, query, language) : [],
    }
  })

/** Anchor texts with query words that the page lacks. */
function relevantLinks(links: string, own: string, { words }: ParsedQuery, language: string): string[] {
  const missing = findMissingWords(own, words, language)
  if (missing.length === 0) return []
  const texts = (JSON.parse(links) as [text: string, from: string][]).map(([text]) => text)
  return texts.filter((text) => findMissingWords(text, missing, language).length < missing.length)
}
