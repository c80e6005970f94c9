// Pages made to break a reader. Each must come through in seconds, the same way each time; most sizes are those of the
// list of faults the service is held to, where costs are judged.
import { describe, expect, it } from 'vitest'
import { expectCost, expectLinear, sized } from '../../test/cost.ts'
import { MAX_DEPTH, parseTree } from './parse-tree.ts'
import { type ParsedPage, parsePage } from './parsed-page.ts'

function open(text: string, contentType = 'text/html; charset=utf-8'): ParsedPage {
  const choices = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
  return parsePage({ bytes: new TextEncoder().encode(text), contentType, url: 'https://e.com/a/b' }, choices)
}

/** Makes everything a page can give, within the time. */
function all(page: ParsedPage, withinMs = 10_000): string {
  const started = process.cpuUsage()
  const made = [page.markdown, page.html, page.links, page.images, page.metadata, page.cuts, page.warnings]
  const { user, system } = process.cpuUsage(started)
  expectCost((user + system) / 1000).toBeLessThan(withinMs)
  expect(() => JSON.parse(JSON.stringify(made))).not.toThrow()
  return page.markdown
}

describe('a hostile page', () => {
  it.each([
    'div',
    'b',
    'blockquote',
    'a href=/x',
    'table',
    'ul><li',
    'svg',
    'math><mi',
    'template shadowrootmode=open',
    'summary',
    'h1',
    'x-y',
  ])('may nest 100 000 <%s>', (tag) => {
    // Deep enough to overflow the stack of a reader that recurses.
    const levels = Math.max(sized(100_000), 20_000)
    const markdown = all(open(`${`<${tag}>`.repeat(levels)}deep${'</div>'.repeat(1000)}`))
    expect(tag === 'svg' || markdown.includes('deep')).toBe(true)
  })

  it('has no level deeper than a browser would build', () => {
    const { tree } = parseTree('<i>'.repeat(5000))
    let depth = 0
    for (let node = tree.children[0]; node && 'children' in node; node = node.children[0]) depth++
    expect(depth).toBeLessThanOrEqual(MAX_DEPTH + 1)
  })

  it('may close what was never opened', () => {
    expect(all(open(`${'<div>'.repeat(sized(50_000))}a${'</span></p></b>'.repeat(sized(50_000))}b`))).toMatch(
      /a[\s\S]*b/,
    )
  })

  it('may have a million nodes, and says what was left out beyond', () => {
    const { warnings } = open('<p>a</p><i></i>'.repeat(340_000))
    expect(warnings).toEqual(['The page has more than 1000000 nodes; the rest was left out.'])
    all(open('<p>a</p><i></i>'.repeat(sized(340_000))), 30_000)
  })

  it('may nest tables 500 deep', () => {
    const layout = '<table><tr><td>x<td>'.repeat(500)
    expect(all(open(`${layout}in`))).toContain('in')
    expect(all(open(`${layout.replaceAll('td', 'th')}in`))).toContain('in')
  })

  it('may have 100 000 attributes', () => {
    const attributes = Array.from({ length: sized(100_000) }, (_, at) => `a${at}=b`).join(' ')
    expect(all(open(`<p ${attributes}>x</p>`))).toBe('x')
  })

  it('cannot multiply itself by spans', () => {
    const spans = `<table><tr>${`<th rowspan=65000>${'x'.repeat(200)}</th>`.repeat(100)}</tr>${'<tr><td>y'.repeat(sized(60_000))}</table>`
    expect(all(open(spans)).length).toBeLessThan(spans.length * 4)
    const wide = `<table><tr>${'<td colspan=1000>x<td>z'.repeat(sized(3000))}${'<tr><td>y<td>z'.repeat(sized(50_000))}</table>`
    expect(all(open(wide)).length).toBeLessThan(wide.length * 4)
  })

  it.each([
    ['stars', '*a '],
    ['underscores', '_'],
    ['backticks', '`'],
    ['brackets', '[['],
    ['open TeX', '\\('],
    ['entities', '&amp;amp'],
    ['angles', '&lt;'],
    ['breaks', 'a<br>'],
    ['marks', '<b>:</b>a'],
    ['blanks', ' \n'],
    ['spans in code', '<code>`'],
    ['pixels', '<noscript><img src=/a.png></noscript>'],
    ['notes', '<sup><a href="#fn1">1</a></sup>'],
    ['styles', '<p style="url(url(">'],
  ])('may repeat %s 200 000 times', (_, piece) => {
    expectLinear(sized(100_000), (n) => all(open(`<p>${piece.repeat(n)}`)))
  })

  it('may hide a long list of sources in one attribute', () => {
    expectLinear(sized(5_000), (n) => all(open(`<img srcset="${'a'.repeat(n)} b">`.repeat(100))))
    expectLinear(sized(50_000), (n) => all(open(`<img srcset="${'a, '.repeat(n)}">`)))
  })

  it('may end in the middle of anything', () => {
    for (const cut of ['<p', '<p a="', '<!--', '<script>', '<![CDATA[', '&am', '<table><tr><td', '<textarea>', '</']) {
      expect(all(open(`<p>before</p>${cut}${'x'.repeat(sized(100_000))}`))).toContain('before')
    }
  })

  it('may contain NULs and lone surrogates', () => {
    const markdown = all(open('<p>a\0b &#xD800; &#0; c</p>'))
    expect(markdown).toContain('a\uFFFDb')
    expect(markdown).not.toMatch(/\p{Surrogate}/u)
  })

  it('may be a feed of nothing but openings', () => {
    for (const opening of ['<item>', '<link>'])
      expectLinear(
        sized(25_000),
        (n) => all(open(`<rss><channel>${opening.repeat(n)}`, 'application/rss+xml')),
        opening,
      )
  })
})
