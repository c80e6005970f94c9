import { describe, expect, it } from 'vitest'
import { hasRenderingLostText, textLengthOfHtml } from './compare-with-server-html.ts'

const text = 'The gauge at the upper weir was read by hand. '.repeat(20)
const page = (body: string, head = '') => `<!doctype html><head><title>Gauges</title>${head}</head><body>${body}</body>`

describe('a rendered page beside the document that was sent', () => {
  it('counts text only', () => {
    expect(
      textLengthOfHtml('<p>a b</p><script>long()</script><!-- no > --><noscript>x</noscript><SVG>y</SVG>c<br'),
    ).toBe(3)
    expect(textLengthOfHtml('<style>p{} ')).toBe(0)
  })

  it.each([
    ['is empty', '', true],
    ['has a notice only', '<p>Something went wrong</p>', true],
    ['has lost its heading and a third of its text', `<p>${text.slice(0, text.length * 0.65)}</p>`, true],
    ['has lost a third of its text', `<h1>Gauges &amp; weirs</h1><p>${text.slice(0, text.length * 0.65)}</p>`, false],
    ['has another heading and more text', `<h1>Readings</h1><p>${text + text}</p>`, false],
    ['has the same text', `<div><h1>Gauges &amp; weirs</h1>${text}</div>`, false],
  ])('cut short: %s', (_what, body, cut) => {
    expect(
      hasRenderingLostText(page(body), page(`<main><h1>Gauges <i>&amp; weirs</i></h1><p>${text}</p></main>`)),
    ).toBe(cut)
  })

  it('a placeholder, data for scripts and a notice for visitors without scripts may go', () => {
    const data = `<script type="application/json">"${text}"</script><noscript>${text}</noscript><template>${text}</template>`
    expect(
      hasRenderingLostText(page('<p>Hello</p>'), page(`<div id="app"><p>Loading your page</p></div>${data}`)),
    ).toBe(false)
  })
})
