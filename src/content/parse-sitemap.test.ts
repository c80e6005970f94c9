import { describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { openSitemapParser } from './parse-sitemap.ts'

/** Read in pieces of a given size: where a piece ends must not matter. */
function read(text: string, size = text.length || 1) {
  const reader = openSitemapParser()
  const entries = []
  for (let at = 0; at < text.length; at += size) entries.push(...reader.push(text.slice(at, at + size)))
  entries.push(...reader.end())
  return { entries, refused: reader.refused }
}
const urls = (text: string, size?: number) => read(text, size).entries.map(({ url }) => url)

const whole = `<?xml version="1.0" encoding="UTF-8"?>
<!-- a <url> in a comment --><?xml-stylesheet href="x.xsl"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc> https://example.com/a?x=1&amp;y=2 </loc><lastmod>2026-01-02</lastmod>
<image:image><image:loc>https://example.com/a.jpg</image:loc></image:image></url>
<url><loc><![CDATA[https://example.com/b?x=1&y=2]]></loc></url>
<sm:url xmlns:sm="x"><sm:loc>https://example.com/&#x63;&#100;</sm:loc></sm:url>
<url><changefreq>daily</changefreq></url><url/>
</urlset>`

it('takes the language of an entry from the alternate that is the entry itself', () => {
  const alternate = (language: string) =>
    `<xhtml:link rel="alternate" hreflang="${language}" href="https://example.com/${language}"/>`
  const entry = (language: string) =>
    `<url><loc>https://example.com/${language}</loc>${alternate('de')}${alternate('en')}</url>`
  const { entries } = read(`<urlset>${entry('de')}${entry('fr')}${entry('en')}</urlset>`, 7)
  expect(entries.map(({ language }) => language)).toEqual(['de', undefined, 'en'])
})

/** Processor time, not the clock: other tests run beside these. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

describe('sitemaps', () => {
  it('give addresses and dates, and nothing of images', () => {
    expect(read(whole).entries).toEqual([
      { kind: 'page', url: 'https://example.com/a?x=1&y=2', lastmod: '2026-01-02' },
      { kind: 'page', url: 'https://example.com/b?x=1&y=2' },
      { kind: 'page', url: 'https://example.com/cd' },
    ])
  })

  it.each([1, 2, 3, 7, 64, 1000])('read the same in pieces of %i characters', (size) => {
    expect(read(whole, size)).toEqual(read(whole))
  })

  it('tell indexes from pages', () => {
    const text = '<sitemapindex><sitemap><loc>https://example.com/1.xml.gz</loc></sitemap></sitemapindex>'
    expect(read(text).entries).toEqual([{ kind: 'sitemap', url: 'https://example.com/1.xml.gz' }])
  })

  it('may be feeds', () => {
    const rss =
      '<rss><channel><link>https://example.com/</link><item><link>https://example.com/1</link><pubDate>x</pubDate></item></channel></rss>'
    const atom =
      '<feed><link href="https://example.com/"/><entry><link rel="alternate" href="https://example.com/2?a=1&amp;b=2"/><updated>y</updated></entry></feed>'
    expect(read(rss).entries).toEqual([{ kind: 'page', url: 'https://example.com/1', lastmod: 'x' }])
    expect(read(atom).entries).toEqual([{ kind: 'page', url: 'https://example.com/2?a=1&b=2', lastmod: 'y' }])
  })

  it('may be plain lists', () => {
    const text = '\uFEFFhttps://example.com/1\r\nnot an address\nhttp://example.com/2\n\nhttps://example.com/3'
    expect(urls(text)).toEqual(['https://example.com/1', 'http://example.com/2', 'https://example.com/3'])
    expect(urls(text, 5)).toEqual(urls(text))
  })

  it.each([
    '<!DOCTYPE urlset [<!ENTITY a "https://example.com/">]><urlset><url><loc>&a;</loc></url></urlset>',
    '<?xml version="1.0"?><!doctype x SYSTEM "file:///etc/passwd"><urlset><url><loc>https://example.com/</loc></url></urlset>',
    '<!DOCTYPE html><html><body>Not found</body></html>',
  ])('a document type is refused: %s', (text) => {
    const { entries, refused } = read(text)
    expect(entries).toEqual([])
    expect(refused).toMatch(/document type/)
  })

  it('entities that XML does not know stay as they are', () => {
    expect(urls('<urlset><url><loc>https://example.com/&xxe;&nbsp;&constructor;</loc></url></urlset>')).toEqual([
      'https://example.com/&xxe;&nbsp;&constructor;',
    ])
  })

  it.each([
    ['an address without an end', `<urlset><url><loc>${'a'.repeat(10_000_000)}`],
    ['a mark without an end', `<urlset><url ${'a'.repeat(10_000_000)}`],
    ['a comment without an end', `<!--${'-'.repeat(10_000_000)}`],
    ['a hundred thousand open elements', `<urlset>${'<url><loc>'.repeat(100_000)}`],
    ['a line without an end', 'https://example.com/'.repeat(500_000)],
    ['nothing but ampersands', `<urlset><url><loc>${'&'.repeat(10_000_000)}</loc></url></urlset>`],
    ['nothing but brackets', '<'.repeat(10_000_000)],
    ['nothing but blanks', ' '.repeat(10_000_000)],
  ])('%s costs time in proportion and no memory', (_name, text) => {
    const started = cpuMs()
    const reader = openSitemapParser()
    let entries = 0
    for (let at = 0; at < text.length; at += 65_536) entries += reader.push(text.slice(at, at + 65_536)).length
    entries += reader.end().length
    expect(entries).toBe(0)
    expectCost(cpuMs() - started).toBeLessThan(3000)
  })

  it('fifty thousand addresses are read in a moment', () => {
    const text = `<urlset>${Array.from({ length: 50_000 }, (_, at) => `<url><loc>https://example.com/page/${at}</loc><lastmod>2026-01-01</lastmod></url>`).join('\n')}</urlset>`
    const started = cpuMs()
    expect(read(text, 65_536).entries).toHaveLength(50_000)
    expectCost(cpuMs() - started).toBeLessThan(3000)
  })
})
