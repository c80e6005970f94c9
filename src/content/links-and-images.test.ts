import { describe, expect, it } from 'vitest'
import { parseSrcset } from './find-image-source.ts'
import { type ParsedPage, parsePage } from './parsed-page.ts'

function open(source: string): ParsedPage {
  const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  const bytes = new TextEncoder().encode(source)
  return parsePage({ bytes, contentType: 'text/html; charset=utf-8', url: 'https://e.com/a/b' }, choices)
}

describe('links', () => {
  it('are absolute, each once, in document order, of the whole page', () => {
    const page = open(
      '<nav><a href=/n>n</a></nav><a href=x>x</a><a href="/n">again</a><map><area href="//o.com/p"></map>',
    )
    expect(page.links).toEqual(['https://e.com/n', 'https://e.com/a/x', 'https://o.com/p'])
  })

  it('lead somewhere else: no fragments of the page, mail, telephones or scripts', () => {
    const page = open(
      '<a href="#f">f</a><a href="b#g">g</a><a href="mailto:x@e.com">m</a><a href="tel:1">t</a><a href="javascript:1">j</a><a href="http://[">bad</a><a href="/c#h">h</a>',
    )
    expect(page.links).toEqual(['https://e.com/c#h'])
  })

  it('follow <base>, unless it is no web address', () => {
    expect(open('<base href="//b.org/d/"><a href=x>x</a>').links).toEqual(['https://b.org/d/x'])
    expect(open('<base href="javascript:alert(1)"><a href=x>x</a>').links).toEqual(['https://e.com/a/x'])
    expect(open('<base href="data:text/html,x"><a href=x>x</a>').base).toBe('https://e.com/a/b')
  })
})

describe('images', () => {
  it('come from everywhere a page keeps them', () => {
    const page = open(
      '<head><meta property="og:image" content="/og.png"><link rel="shortcut icon" href="/f.ico"></head>' +
        '<img src=a.png><img src="data:image/gif;base64,R0" data-src=/lazy.jpg><img data-src="/c_{width}.jpg" data-widths="[180,720,360]"><picture><source srcset="/w.webp 2x"><img src=a.png></picture>' +
        '<div style="background: url(\'/bg.png\')"></div><video poster=/p.jpg></video>',
    )
    expect(page.images).toEqual(
      ['og.png', 'f.ico', 'a/a.png', 'lazy.jpg', 'c_720.jpg', 'w.webp', 'bg.png', 'p.jpg'].map(
        (path) => `https://e.com/${path}`,
      ),
    )
  })
})

describe('a srcset', () => {
  it('is read as the standard says', () => {
    expect(parseSrcset('a.jpg 1x, b.jpg 2x')).toEqual([
      { url: 'a.jpg', size: 1 },
      { url: 'b.jpg', size: 2 },
    ])
    expect(parseSrcset('a,b.jpg 300w,c.jpg')).toEqual([
      { url: 'a,b.jpg', size: 300 },
      { url: 'c.jpg', size: 1 },
    ])
    expect(parseSrcset(' , a.jpg, ')).toEqual([{ url: 'a.jpg', size: 1 }])
    expect(parseSrcset(undefined)).toEqual([])
  })
})
