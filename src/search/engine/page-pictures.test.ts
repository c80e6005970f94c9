// Pictures with the sizes that something says of them.
import { describe, expect, it } from 'vitest'
import { readPageContent } from './read-page-content.ts'

const base = 'https://example.com/a/'
const picturesOf = (document: object) => readPageContent({ metadata: {}, ...document }, base, 1).pictures

describe('the pictures of a page', () => {
  it('have the sizes of the markup, of a srcset in proportion', () => {
    const html =
      '<img src="/one.jpg" width="640" height=480 alt="a > b"><img height=\'10px\' width=\'20px\' src=two.jpg srcset="two-2.jpg 400w, /x.jpg?a=1&amp;b=2 800w">'
    const markdown = '![One](/one.jpg)\n\n![Two](two-2.jpg) ![Three](/x.jpg?a=1&b=2) ![Four](four.jpg)'
    expect(picturesOf({ html, markdown })).toMatchObject([
      { url: 'https://example.com/one.jpg', width: 640, height: 480 },
      { url: 'https://example.com/a/two-2.jpg', width: 400, height: 200 },
      { url: 'https://example.com/x.jpg?a=1&b=2', width: 800, height: 400 },
      { url: 'https://example.com/a/four.jpg', alt: 'Four' },
    ])
    expect(picturesOf({ markdown })[0]).not.toHaveProperty('width')
  })

  it('include the one that the page shows of itself, once, with what it says about it', () => {
    const metadata = {
      title: 'Tides',
      description: 'When the sea comes',
      ogImage: '/sea.png',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'The sea',
    }
    const own = { url: 'https://example.com/sea.png', alt: 'The sea', width: 1200, height: 630 }
    expect(picturesOf({ metadata, markdown: 'Words.' })).toEqual([{ ...own, near: 'Tides · When the sea comes' }])
    expect(picturesOf({ metadata, markdown: '![Waves](/sea.png)' })).toHaveLength(1)
    expect(picturesOf({ metadata: { ogImage: 'javascript:x' }, markdown: '' })).toEqual([])
  })

  it('are bounded, and hostile markup costs no time', () => {
    const markdown = Array.from({ length: 100 }, (_, n) => `![p](/${n}.png)`).join(' ')
    expect(picturesOf({ markdown, html: `${'<img '.repeat(100_000)}"` })).toHaveLength(40)
  })
})
