// Merges segments, dropping outdated pages. Terms arrive sorted, and only one term's postings are in memory.

import { ANCHORS_FIELD, decodedLengths, FIELDS } from './field-weights.ts'
import { Postings } from './packed-term-counts.ts'
import type { Segment } from './segment-read.ts'
import { type IndexedPage, makeTagTerm, SegmentWriter } from './segment-write.ts'

/** `stays`: whether this version is current; `isLinked`: whether its anchor texts are. */
export function mergeSegments(
  segments: readonly Segment[],
  stays: (number: number, version: number) => boolean,
  isLinked: (number: number) => boolean = () => true,
): Uint8Array {
  const pages: IndexedPage[] = []
  const bare = segments.map(({ pages: many }) => new Uint8Array(many))
  const places = segments.map((segment, at) => {
    const languageOf = languagesOf(segment)
    const place = new Int32Array(segment.pages).fill(-1)
    for (let page = 0; page < segment.pages; page++) {
      const number = segment.numbers[page]!
      const version = segment.versions[page]!
      if (!stays(number, version)) continue
      const lengths = segment.lengths.slice(page * FIELDS.length, (page + 1) * FIELDS.length)
      if (lengths[ANCHORS_FIELD]! > 0 && !isLinked(number)) {
        lengths[ANCHORS_FIELD] = 0
        bare[at]![page] = 1
      }
      place[page] = pages.length
      pages.push({
        number,
        version,
        minutes: segment.minutes[page]!,
        tie: segment.ties[page]!,
        language: languageOf[page]!,
        lengths,
      })
    }
    return place
  })
  const sums = FIELDS.map((_, field) => pages.reduce((sum, { lengths }) => sum + decodedLengths[lengths[field]!]!, 0))
  const writer = new SegmentWriter(pages, sums)
  const renumbered = segments.map(({ header }) => new Int32Array(header.terms).fill(-1))
  const postings = new Postings()
  const having: number[] = []
  const cursors = segments.map((segment) => segment.terms())
  for (;;) {
    let least = cursors[0]
    for (const cursor of cursors) if (cursor.compare(least!) < 0) least = cursor
    if (!least || least.head === Number.POSITIVE_INFINITY) break
    postings.clear()
    having.length = 0
    for (let at = 0; at < cursors.length; at++) {
      const cursor = cursors[at]!
      if (cursor !== least && cursor.compare(least) !== 0) continue
      having.push(at)
      segments[at]!.postingsOf(cursor, postings, places[at], bare[at])
    }
    const number = postings.length === 0 ? -1 : writer.add(least.bytes, least.size, postings)
    for (const at of having) {
      renumbered[at]![cursors[at]!.number] = number
      cursors[at]!.next()
    }
  }
  const keys: [number, number][][] = []
  for (const [at, segment] of segments.entries())
    for (let page = 0; page < segment.pages; page++) {
      if (places[at]![page]! < 0) continue
      keys.push(segment.keys(page).map(([term, count]) => [renumbered[at]![term]!, count]))
    }
  return writer.finish(keys)
}

function languagesOf(segment: Segment): string[] {
  const codes = new Array<string>(segment.pages).fill('')
  for (const code of Object.keys(segment.header.languages)) {
    const found = segment.find(makeTagTerm(`lang:${code}`))
    if (found) for (const page of segment.pagesOf(found)) codes[page] = code
  }
  return codes
}
