// Merges segments, dropping outdated pages. Terms arrive sorted, and only one term's postings are in memory.

import { ANCHORS, byteLengths, FIELDS } from './fields.ts'
import { Postings } from './packed-counts.ts'
import type { IndexTerm, Segment } from './segment-read.ts'
import { type IndexedPage, SegmentWriter, tagTerm } from './segment-write.ts'

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
      if (lengths[ANCHORS]! > 0 && !isLinked(number)) {
        lengths[ANCHORS] = 0
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
  const sums = FIELDS.map((_, field) => pages.reduce((sum, { lengths }) => sum + byteLengths[lengths[field]!]!, 0))
  const writer = new SegmentWriter(pages, sums)
  const renumbered = segments.map(({ header }) => new Int32Array(header.terms).fill(-1))
  const postings = new Postings()
  for (const [term, having] of inOrder(segments)) {
    postings.clear()
    for (const [at, found] of having) segments[at]!.postingsOf(found, postings, places[at], bare[at])
    if (postings.length === 0) continue
    const number = writer.add(term, postings)
    for (const [at, found] of having) renumbered[at]![found.number] = number
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
    const found = segment.find(tagTerm(`lang:${code}`))
    if (found) for (const page of segment.pagesOf(found)) codes[page] = code
  }
  return codes
}

/** Each term once, sorted, with the segments that contain it. */
function* inOrder(segments: readonly Segment[]): Generator<[string, [number, IndexTerm][]]> {
  const walks = segments.map((segment) => segment.terms())
  const heads = walks.map((walk) => walk.next().value as IndexTerm | undefined)
  for (;;) {
    let least: string | undefined
    for (const head of heads) if (head && (least === undefined || head.term < least)) least = head.term
    if (least === undefined) return
    const having: [number, IndexTerm][] = []
    for (const [at, head] of heads.entries()) {
      if (head?.term !== least) continue
      having.push([at, head])
      heads[at] = walks[at]!.next().value as IndexTerm | undefined
    }
    yield [least, having]
  }
}
