// Links as names: which texts count for which addresses, what is told to whom, and that the words leave a segment again.
import { describe, expect, it } from 'vitest'
import { pageKeyOf } from '../../base/url-key.ts'
import { AnchorTextsOfBatch } from './anchor-texts.ts'
import { hashLinkTarget } from './extract-links.ts'
import { mergeSegments } from './merge-segments.ts'
import { addPage } from './page-terms.ts'
import { parseQuery } from './parse-query.ts'
import { readPageContent } from './read-page-content.ts'
import { searchSegments } from './run-query.ts'
import { SegmentBuilder } from './segment-build.ts'
import { Segment } from './segment-read.ts'

const base = 'https://list.test/docs/start'
const contentAt = (markdown: string, url = base) => readPageContent({ metadata: { language: 'en' }, markdown }, url, 1)
/** Texts by the address they lead to, as far as it is one of these. */
const linksOf = (markdown: string, ...addresses: string[]) => {
  const { links } = contentAt(markdown)
  const named = addresses.map((address) => links.filter(({ target }) => target === hashLinkTarget(pageKeyOf(address))))
  return { many: links.length, named: named.map((found) => found.map(({ text }) => text)) }
}

describe('the links of a page', () => {
  it.each([
    ['a plain one', 'See [Tide tables of Holm](https://sea.test/17) now', ['Tide tables of Holm']],
    ['whatever its address looks like', '[Tides](http://www.sea.test/17/?utm_source=x#top)', ['Tides']],
    ['with marks and escapes', '[**Tide** \\[1\\] `tables`](https://sea.test/17 "Title")', ['Tide [1] tables']],
    ['the longest of several', '[Tides](https://sea.test/17) [Tide tables](https://sea.test/17)', ['Tide tables']],
    ['with brackets in its address', '[Tides](https://sea.test/17?a=(b)) x', []],
    ['a picture alone', '![Tides](https://sea.test/17) [![Alt](https://sea.test/p.png)](https://sea.test/17)', []],
    ['an address as text', '[https://sea.test/17](https://sea.test/17) [www.sea.test](https://sea.test/17)', []],
    ['nothing but small words', '[this and that](https://sea.test/17) [or](https://sea.test/17)', []],
    ['a number', '[17](https://sea.test/17)', []],
    ['too long', `[${'word '.repeat(30)}](https://sea.test/17)`, []],
    ['over two lines', '[Tide\ntables](https://sea.test/17)', []],
  ])('%s', (_what, markdown, texts) => {
    expect(linksOf(markdown, 'https://sea.test/17').named[0]).toEqual(texts)
  })

  it('leave out the page itself, other schemes, files for the eye, and what leads everywhere', () => {
    const more = ['a', 'b', 'c'].map((name) => `[Weiterlesen](https://sea.test/${name})`).join(' ')
    const rest = '[Top](#top) [Here](/docs/start) [Mail](mailto:a@b.test) [Chart](https://sea.test/c.png)'
    expect(linksOf(`${more} ${rest}`).many).toBe(0)
    expect(linksOf('[Next](next)', 'https://list.test/docs/next').named[0]).toEqual(['Next'])
  })

  it('are at most sixty, and a page of nothing but brackets has none', () => {
    const some = Array.from({ length: 200 }, (_, n) => `[Page ${n} x](https://sea.test/${n})`).join(' ')
    expect(linksOf(some).many).toBe(60)
    expect(linksOf('['.repeat(200_000) + ']('.repeat(100_000)).many).toBe(0)
  })
})

describe('what is told to a page', () => {
  const link = (source: number, text: string, seenAt = source) => ({
    source,
    text,
    from: `list.test/${source}`,
    seenAt,
  })
  const texts = (indexedLinks: AnchorTextsOfBatch, stored: ReturnType<typeof link>[]) =>
    indexedLinks.of('team', 5, stored).map(({ text }) => text)

  it('is each text once, what most say first, then the newest', () => {
    const stored = [link(1, 'Old'), link(2, 'Both'), link(3, 'both'), link(4, 'New')]
    expect(texts(new AnchorTextsOfBatch(), stored)).toEqual(['both', 'New', 'Old'])
  })

  it('is of its own team, and what a page said before it was read again does not count', () => {
    const indexedLinks = new AnchorTextsOfBatch()
    indexedLinks.add('team', [{ target: 5, text: 'Now' }], link(1, ''))
    indexedLinks.add('team', [], link(2, ''))
    indexedLinks.add('others', [{ target: 5, text: 'Theirs' }], link(3, ''))
    expect(texts(indexedLinks, [link(1, 'Before'), link(2, 'Dropped'), link(4, 'Stays')])).toEqual(['Stays', 'Now'])
  })
})

describe('the words of links in a segment', () => {
  const numbered = (number: number) => ({ number, version: 1, seenAt: 1 })
  const builder = new SegmentBuilder()
  addPage(builder, contentAt('Tide tables of another place, and more.'), numbered(1))
  addPage(builder, contentAt('Nothing but figures.'), numbered(2), ['Tide tables of Holm', 'Zanzibar'])
  addPage(builder, contentAt('Nothing but sums.'), numbered(3), ['Tide tables of Holm'])
  const segment = new Segment(builder.finish())
  const found = (text: string, ...segments: Segment[]) =>
    searchSegments(
      segments,
      { query: parseQuery(text), includeDomains: [], excludeDomains: [], tags: [], newestFirst: false },
      10,
    )
      .map(({ number }) => number)
      .sort()

  it('find a page, and stay through a merge', () => {
    expect(found('holm', segment)).toEqual([2, 3])
    expect(found('tide', segment)).toEqual([1, 2, 3])
    const merged = new Segment(mergeSegments([segment], () => true))
    expect(found('holm', merged)).toEqual([2, 3])
    expect(Buffer.from(merged.bytes).equals(Buffer.from(segment.bytes))).toBe(true)
  })

  it('are gone after a merge for pages that lost them, and their own words are not', () => {
    const merged = new Segment(
      mergeSegments(
        [segment],
        () => true,
        (number) => number === 3,
      ),
    )
    expect(found('holm', merged)).toEqual([3])
    expect(found('figures', merged)).toEqual([2])
    expect(merged.find('zanzibar')).toBeUndefined()
    expect(Buffer.from(merged.bytes).includes('anzibar')).toBe(false)
    expect(merged.header.lengths[4]).toBe(3)
  })
})
