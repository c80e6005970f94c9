// The index against a search that looks at everything: the same pages in the same order, whatever was skipped, merged or
// filtered on the way.
import { describe, expect, it } from 'vitest'
import { BODY_FIELD, decodedLengths, encodeLength, FIELDS, makeRankingConstants } from './field-weights.ts'
import { findBestPages, rescorePages, type WantedTerms } from './find-best-pages.ts'
import { mergeSegments } from './merge-segments.ts'
import { countInField, PACKED_ONE_PER_FIELD } from './packed-term-counts.ts'
import { findPagesPassingFilter } from './page-bit-set.ts'
import { addPage } from './page-terms.ts'
import { parseQuery } from './parse-query.ts'
import { readPageContent } from './read-page-content.ts'
import { searchSegments } from './run-query.ts'
import { SegmentBuilder, type SegmentPage } from './segment-build.ts'
import { Segment } from './segment-read.ts'
import { averageLengths } from './segment-write.ts'

/** The same numbers at every run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const VOCABULARY = Array.from({ length: 400 }, (_, n) => `w${n.toString(36)}`)

type TestPage = SegmentPage & { terms: ReadonlyMap<string, number> }

function somePages(count: number, seed: number, first = 0): TestPage[] {
  const roll = dice(seed)
  // A few words are everywhere, most are rare.
  const word = () => VOCABULARY[Math.floor(VOCABULARY.length * roll() ** 3)]!
  return Array.from({ length: count }, (_, n) => {
    const terms = new Map<string, number>()
    const lengths = FIELDS.map(() => 0)
    for (let field = 0; field < FIELDS.length; field++) {
      const many = field === BODY_FIELD ? 5 + Math.floor(roll() ** 2 * 300) : Math.floor(roll() * 6)
      for (let at = 0; at < many; at++) {
        const term = word()
        terms.set(term, (terms.get(term) ?? 0) + PACKED_ONE_PER_FIELD[field]!)
        lengths[field] = lengths[field]! + 1
      }
    }
    const tags = [`site:s${n % 7}.com`, roll() < 0.3 ? 'type:pdf' : 'type:html']
    const minutes = 1 + Math.floor(roll() * 1000)
    return {
      number: first + n,
      version: 1,
      terms,
      lengths,
      tags,
      minutes,
      tie: Math.floor(roll() * 2 ** 32),
      language: 'en',
    }
  })
}

function writeSegment(pages: readonly TestPage[]): Uint8Array {
  const builder = new SegmentBuilder()
  for (const { terms, ...page } of pages) {
    for (const [term, counts] of terms) builder.countTerm(term, counts)
    builder.add(page)
  }
  return builder.finish()
}

/** Every page, scored as the ranking says. */
function slowly(pages: readonly TestPage[], wanted: readonly WantedTerms[], k: number): [number, number][] {
  const sums = FIELDS.map((_, field) =>
    pages.reduce((sum, { lengths }) => sum + decodedLengths[encodeLength(lengths[field]!)]!, 0),
  )
  const averages = averageLengths(sums, pages.length)
  const { k1, weights, lengthiness } = makeRankingConstants(averages)
  const spread = new Map(
    wanted.map(({ terms: [term] }) => [term!, pages.filter((page) => page.terms.has(term!)).length]),
  )
  const scored = pages.map(({ terms, lengths, number, tie }) => {
    let score = 0
    for (const {
      terms: [term],
      weight,
    } of wanted) {
      const packed = terms.get(term!)
      if (!packed) continue
      const counts = FIELDS.map((_, field) => countInField(packed, field))
      const having = spread.get(term!)!
      const rarity = Math.log(1 + (pages.length - having + 0.5) / (having + 0.5))
      const count = counts.reduce((sum, times, field) => {
        const length = decodedLengths[encodeLength(lengths[field]!)]!
        const norm = 1 - lengthiness[field]! + (lengthiness[field]! * length) / averages[field]!
        return sum + (weights[field]! * times) / norm
      }, 0)
      score += (weight * rarity * (k1 + 1) * count) / (k1 + count)
    }
    return { number, score, tie }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.tie - b.tie)
    .slice(0, k)
    .map(({ number, score }) => [number, score])
}

const ask = (...words: string[]): WantedTerms[] => words.map((term) => ({ terms: [term], weight: 1 }))
const all = (segments: readonly Segment[]) => segments.map(() => undefined)

describe('a search of segments', () => {
  const pages = somePages(3000, 7)
  const parts = [pages.slice(0, 1700), pages.slice(1700, 1800), pages.slice(1800)].map(
    (part) => new Segment(writeSegment(part)),
  )
  const merged = new Segment(mergeSegments(parts, () => true))
  const roll = dice(99)
  const questions = Array.from({ length: 60 }, () =>
    ask(
      ...new Set(Array.from({ length: 1 + Math.floor(roll() * 6) }, () => VOCABULARY[Math.floor(400 * roll() ** 2)]!)),
    ),
  )
  const numbersOf = (segments: readonly Segment[], wanted: WantedTerms[], k: number) =>
    findBestPages(segments, { wanted, allowed: all(segments) }, k).map(({ segment, page, score }): [number, number] => [
      segments[segment]!.numbers[page]!,
      score,
    ])

  it('finds what looking at every page finds: the first, the first 10 and the first 100', () => {
    for (const wanted of questions) {
      const best = slowly(pages, wanted, 100)
      for (const k of [1, 10, 100]) {
        const slow = best.slice(0, k)
        const fast = numbersOf([merged], wanted, k)
        expect(fast.length).toBe(slow.length)
        for (const [at, [, score]] of slow.entries()) expect(fast[at]![1]).toBeCloseTo(score, 2)
      }
    }
  })

  it('does not depend on how pages came to lie in segments', () => {
    for (const wanted of questions) {
      const together = numbersOf([merged], wanted, 20)
      const apart = numbersOf(parts, wanted, 20)
      for (const [at, [, score]] of together.entries()) expect(apart[at]![1]).toBeCloseTo(score, 1)
    }
  })

  it.each([1, 10, 40])('scores pages that were found anew as a search for the other words would: the first %i', (k) => {
    for (const [at, wanted] of questions.entries()) {
      const added = questions[(at + 1) % questions.length]!.map((one) => ({ ...one, weight: 0.4 }))
      const having = [
        findPagesPassingFilter(merged, { tags: [], withoutTags: [], terms: [wanted.flatMap(({ terms }) => terms)] }),
      ]
      const right = findBestPages([merged], { wanted: [...wanted, ...added], allowed: having }, k)
      const found = findBestPages([merged], { wanted, allowed: [undefined] }, pages.length)
      expect(rescorePages([merged], [...wanted, ...added], found, k)).toEqual(right)
    }
  })

  it('keeps to what is allowed', () => {
    const limits = {
      tags: [['site:s3.com', 'site:s5.com'], ['type:pdf']],
      withoutTags: ['site:s5.com'],
      terms: [],
      from: 200,
      until: 800,
    }
    const allowed = [findPagesPassingFilter(merged, limits)]
    const found = findBestPages([merged], { wanted: ask('w1', 'w2', 'w3'), allowed }, 3000)
    const right = pages.filter(
      ({ number, tags, minutes, terms }) =>
        number % 7 === 3 &&
        tags.includes('type:pdf') &&
        minutes >= 200 &&
        minutes <= 800 &&
        ['w1', 'w2', 'w3'].some((term) => terms.has(term)),
    )
    expect(right.length).toBeGreaterThan(10)
    expect(new Set(found.map(({ page }) => merged.numbers[page]))).toEqual(new Set(right.map(({ number }) => number)))
  })

  it('loses in merging what is not there any more, and nothing else', () => {
    const smaller = new Segment(mergeSegments(parts, (number) => number % 3 !== 0))
    expect(smaller.pages).toBe(pages.filter(({ number }) => number % 3 !== 0).length)
    for (const wanted of questions.slice(0, 10)) {
      const left = pages.filter(({ number }) => number % 3 !== 0)
      const slow = slowly(left, wanted, 10)
      const fast = numbersOf([smaller], wanted, 10)
      expect(fast.length).toBe(slow.length)
      for (const [at, [, score]] of slow.entries()) expect(Math.abs(fast[at]![1] - score) / score).toBeLessThan(0.02)
    }
  })

  it('knows every term and none besides', () => {
    const terms = new Set(pages.flatMap((page) => [...page.terms.keys()]))
    for (const term of terms) expect(merged.find(term)?.pages).toBe(pages.filter((page) => page.terms.has(term)).length)
    expect(merged.find('nothing')).toBeUndefined()
    expect(merged.find('')).toBeUndefined()
    const written = Array.from({ length: merged.header.terms }, (_, number) => merged.term(number).term)
    expect(written).toEqual([...written].sort())
  })

  it('keeps terms of all scripts through a merge', () => {
    // In UTF-8 the last comes after the one before it, in JavaScript strings before.
    const terms = ['tide', 'tidé', 'tidà', 'über', 'überall', 'море', '海', '海岸', '𠮷', '𠮷野', '𡈽', '\uf900']
    const pagesWith = terms.map((term, number) => ({
      ...{
        number,
        version: 1,
        lengths: [0, 0, 1, 0, 0],
        tags: ['lang:ja', `site:${term}`],
        minutes: 1,
        tie: number,
        language: 'ja',
      },
      terms: new Map([[term, 1]]),
    }))
    const one = writeSegment(pagesWith)
    const halves = [pagesWith.slice(0, 5), pagesWith.slice(5)].map((half) => new Segment(writeSegment(half)))
    const again = new Segment(mergeSegments(halves, () => true))
    expect(Buffer.from(again.bytes).equals(Buffer.from(one))).toBe(true)
    for (const [number, term] of terms.entries()) expect([...again.pagesOf(again.find(term)!)]).toEqual([number])
    const written = Array.from({ length: again.header.terms }, (_, number) => again.term(number).term)
    expect(written).toEqual([...written].sort())
  })

  it('of nothing finds nothing', () => {
    const empty = new Segment(writeSegment([]))
    expect(findBestPages([empty], { wanted: ask('w1'), allowed: [undefined] }, 10)).toEqual([])
    expect(findBestPages([], { wanted: ask('w1'), allowed: [] }, 10)).toEqual([])
  })
})

describe('a query', () => {
  const now = Date.UTC(2026, 10, 1)
  const texts = [
    ['https://a.com/storm', 'Storm on the coast', 'The storm broke windows on the coast. Rain fell for days.', 'en'],
    ['https://b.com/regen', 'Regen in Bayern', 'In Bayern regnet es seit Tagen. Die Überschwemmungen nehmen zu.', 'de'],
    ['https://docs.c.org/北京', '北京天气', '北京今天下雨，明天晴。', 'zh'],
    ['https://d.ru/dozhd', 'Дождь в Москве', 'В Москве идут дожди. Улицы затоплены.', 'ru'],
  ] as const
  const builder = new SegmentBuilder()
  for (const [number, [url, title, markdown, language]] of texts.entries()) {
    const document = { metadata: { url, title, language, contentType: 'text/html' }, markdown }
    const numbered = { number, version: 1, seenAt: now - number * 86_400_000 }
    addPage(builder, readPageContent(document, url, now), numbered)
  }
  const segment = new Segment(builder.finish())
  const found = (text: string, more: object = {}) =>
    searchSegments(
      [segment],
      { query: parseQuery(text), includeDomains: [], excludeDomains: [], tags: [], newestFirst: false, ...more },
      10,
    ).map(({ number }) => number)

  it.each([
    ['storms', [0]],
    ['überschwemmung', [1]],
    ['uberschwemmungen', [1]],
    ['天气', [2]],
    ['北京', [2]],
    ['дождя', [3]],
    ['site:c.org', [2]],
    ['site:docs.c.org', [2]],
    ['site:org', [2]],
    ['-site:a.com', [1, 2, 3]],
    ['', [0, 1, 2, 3]],
    ['nowhere', []],
  ])('%s', (text, numbers) => {
    expect(found(text)).toEqual(numbers)
  })

  it('goes by date when asked', () => {
    expect(found('storm bayern москва', { newestFirst: true })).toEqual([0, 1, 3])
    expect(found('', { from: now - 1.5 * 86_400_000 })).toEqual([0, 1])
    expect(found('', { until: now - 1.5 * 86_400_000 })).toEqual([2, 3])
  })

  it('is like a site when it is related to one', () => {
    expect(found('related:a.com')).not.toContain(0)
  })
})
