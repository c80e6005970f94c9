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
          datePublished: 'p',
          dateModified: 'm',
          author: [{ name: 'x' }, 'y'],
        },
      ],
    }
    const script = `<script type="application/ld+json">${JSON.stringify(ld)}</script>`
    expect(metadata(script)).toEqual({
      title: 'h',
      description: 'ld',
      publishedTime: 'p',
      modifiedTime: 'm',
      author: 'x, y',
    })
    expect(metadata(`<meta property="og:title" content="o">${script}`).title).toBe('o')
    expect(metadata('<meta property="og:locale" content="pt_BR">').language).toBe('pt')
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
