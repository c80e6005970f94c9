import { describe, expect, it } from 'vitest'
import type { PageMetadata } from './metadata.ts'
import { parsePage } from './parsed-page.ts'

function metadata(source: string): PageMetadata {
  const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  const bytes = new TextEncoder().encode(source)
  return parsePage({ bytes, contentType: 'text/html; charset=utf-8', url: 'https://e.com/a/b' }, choices).metadata
}

describe('metadata', () => {
  it('has the names clients read, and every raw name beside them', () => {
    const page = metadata(
      '<html lang="en-GB"><head><title> A\n title </title><meta name="description" content="d"><meta name="Keywords" content="a, b">' +
        '<meta name="robots" content="noindex"><meta name="author" content="me"><link rel="canonical" href="/c"><link rel="icon" href="/f.ico">' +
        '<meta property="og:title" content="ot"><meta property="og:site_name" content="sn"><meta property="article:published_time" content="2026-01-01">' +
        '<meta name="dcterms.created" content="2025"><meta name="viewport" content="width=1">',
    )
    expect(page).toMatchObject({
      title: 'A title',
      description: 'd',
      language: 'en-GB',
      keywords: 'a, b',
      robots: 'noindex',
      author: 'me',
      canonical: 'https://e.com/c',
      favicon: 'https://e.com/f.ico',
      ogTitle: 'ot',
      'og:title': 'ot',
      ogSiteName: 'sn',
      publishedTime: '2026-01-01',
      dcTermsCreated: '2025',
      viewport: 'width=1',
    })
  })

  it('gives repeated names as arrays, and alternative locales always', () => {
    const one = metadata(
      '<meta property="og:locale:alternate" content="de_DE"><meta name=x content=1><meta name=x content=2>',
    )
    expect(one.ogLocaleAlternate).toEqual(['de_DE'])
    expect(one.x).toEqual(['1', '2'])
  })

  it('falls back from the head to Open Graph to JSON-LD', () => {
    const ld = {
      '@graph': [
        {
          '@type': 'NewsArticle',
          headline: 'h',
          description: 'ld',
          datePublished: '2024-05-03',
          dateModified: 'tomorrow',
          author: [{ name: 'x' }, 'y'],
        },
      ],
    }
    const script = `<script type="application/ld+json">${JSON.stringify(ld)}</script>`
    expect(metadata(script)).toEqual({
      title: 'h',
      description: 'ld',
      publishedTime: '2024-05-03',
      author: 'x, y',
    })
    expect(metadata(`<meta property="og:title" content="o">${script}`).title).toBe('o')
    expect(metadata('<meta property="og:locale" content="pt_BR">').language).toBe('pt')
  })

  it.each([
    ['<meta name="datePublished" content="Tue, Sep 15 2020 10:01:41 EDT">', '2020-09-15T10:01:41-04:00'],
    ['<meta name="DC.Date.Issued" content="20200516T145153Z">', '2020-05-16T14:51:53Z'],
    ['<div itemscope><span itemprop="datePublished" content="2020-04-15"></span></div>', '2020-04-15'],
    ['<script>state = {"publishedAt":"2020-04-13T10:00:00Z"}</script>', '2020-04-13T10:00:00Z'],
    ['<h1>A</h1><time datetime="2022-01-31T09:41:00+01:00">31.01.2022</time>', '2022-01-31T09:41:00+01:00'],
    ['<h1>A</h1><p class="byline">By Ann Lee | 28 April, 2017</p>', '2017-04-28'],
    ['<h1>A</h1><p>(18.01.2018) Farmers fear for their animals.</p>', '2018-01-18'],
    ['<html lang="ru"><h1>A</h1><p>3 марта 2021, 14:05</p>', '2021-03-03T14:05:00'],
    ['<html lang="ar"><h1>A</h1><p>٣ مارس ٢٠٢١</p>', '2021-03-03'],
    ['<html lang="hi"><h1>A</h1><p>3 मार्च 2021</p>', '2021-03-03'],
    ['<html lang="th"><h1>A</h1><p>3 กุมภาพันธ์ 2563</p>', '2020-02-03'],
    ['<html lang="ja"><h1>A</h1><p>2021年3月5日</p>', '2021-03-05'],
    ['<html lang="lt"><h1>A</h1><p>2021 m. kovo 5 d.</p>', '2021-03-05'],
    // A UTC stamp gives the day of the site: the same moment in its zone, or only the day.
    [
      '<meta property="article:published_time" content="2020-02-25T02:25:54+00:00"><h1>A</h1><p>February 24, 2020</p>' +
        '<script>{"publish_date":"2020-02-24T21:25:54-05:00"}</script>',
      '2020-02-24T21:25:54-05:00',
    ],
    ['<meta name="date" content="2020-12-05T23:15:00Z"><h1>A</h1><p>6 dicembre 2020</p>', '2020-12-06'],
    // Not about the page: another page's card, a comment after it, what is still to come.
    ['<h1>News</h1><h2><a href="/x">One</a></h2><p>3 May 2021</p><h2><a href="/y">Two</a></h2><p>4 May 2021</p>'],
    ['<h1>A</h1><nav>3 May 2021</nav><p>Entries until 3 May 2199</p>'],
    [
      '<h1>A</h1><p>In the spring of the year 2020 the three of them met on 3 May 2021 for the first time in years.</p>',
    ],
  ])('finds when it was published: %s', (source: string, publishedTime?: string) => {
    expect(metadata(source).publishedTime).toBe(publishedTime)
  })

  it('tells changes from publication', () => {
    const page = metadata('<h1>A</h1><p>3 May 2021</p><p>Last updated: 5 May 2021</p>')
    expect(page).toMatchObject({ publishedTime: '2021-05-03', modifiedTime: '2021-05-05' })
    expect(metadata('<h1>A</h1><p>Last updated: 5 May 2021</p>').publishedTime).toBeUndefined()
  })

  it('does not take the title of a drawing for the title of the page', () => {
    expect(metadata('<svg><title>icon</title></svg>').title).toBeUndefined()
  })

  it('cannot set what only the service may say', () => {
    const names = [
      'sourceURL',
      'url',
      'statusCode',
      'scrapeId',
      'contentType',
      'error',
      'creditsUsed',
      'cacheState',
      'proxyUsed',
      '__proto__',
      'constructor',
    ]
    const page = metadata(names.map((name) => `<meta name="${name}" content="forged">`).join(''))
    expect(page).toEqual({})
    expect(Object.getPrototypeOf(page)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>).forged).toBeUndefined()
  })

  it('is bounded in names, values and repeats', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `<meta name="k${at}" content="v">`).join('')
    expect(Object.keys(metadata(many)).length).toBeLessThanOrEqual(200)
    expect(metadata(`<meta name=a content="${'x'.repeat(50_000)}">`).a).toHaveLength(10_000)
    const repeated = Array.from({ length: 5000 }, (_, at) => `<meta name=a content="v${at}">`).join('')
    expect(metadata(repeated).a).toHaveLength(100)
  })

  it('overlooks broken JSON-LD', () => {
    expect(metadata('<title>t</title><script type="application/ld+json">{"@type": </script>')).toEqual({ title: 't' })
  })
})
