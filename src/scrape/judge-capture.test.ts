import { describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import type { Capture } from '../base/visit-and-capture-types.ts'
import { judgeCapture } from './judge-capture.ts'

const capture = (html: string, facts: Partial<Capture> = {}): Capture => ({
  engine: 'http',
  url: 'https://example.com/',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: new TextEncoder().encode(html),
  truncated: false,
  hops: [],
  proxyUsed: 'basic',
  timings: { totalMs: 1 },
  fetchedAt: 0,
  warnings: [],
  ...facts,
})

describe('block pages', () => {
  it('knows a guard by a header that only its own answers carry', async () => {
    const headers = { 'content-type': 'text/html', 'x-vercel-mitigated': 'challenge' }
    expect(await judgeCapture(capture('<p>Checking your browser</p>', { headers, status: 429 }))).toMatchObject({
      because: 'blocked',
      want: 'rendered',
    })
  })

  it('does not take the marks for a block on a page too large to be one', async () => {
    const html = `<title>Just a moment</title><script>window._cf_chl_opt={}</script>${'<p>Words and words.</p>'.repeat(5000)}`
    expect(await judgeCapture(capture(html))).toEqual({ ok: true })
  })

  it('lets a real page with a captcha in its contact form pass', async () => {
    const html = `<h1>Write to us</h1>${'<p>We answer every letter that a human sends, within a week or two.</p>'.repeat(10)}<form><div class="g-recaptcha"></div></form>`
    expect(await judgeCapture(capture(html))).toEqual({ ok: true })
  })

  it('takes an ordinary 403 or 503 page for what it is', async () => {
    for (const status of [403, 503])
      expect(await judgeCapture(capture('<h1>Closed</h1><p>Come back tomorrow, please.</p>', { status }))).toEqual({
        ok: true,
      })
  })
})

describe('shells', () => {
  it('knows a page that is drawn by JavaScript', async () => {
    const html =
      '<html><head><title>App</title></head><body><div id="root">Loading…</div><script src="/app.js"></script></body></html>'
    expect(await judgeCapture(capture(html))).toMatchObject({ ok: false, because: 'shell', want: 'rendered' })
  })

  it('knows a page that hides itself, however much it says', async () => {
    const html = `<body class="a" style="visibility: hidden"><script src="/a.js"></script><p>${'many words '.repeat(200)}</p></body>`
    expect(await judgeCapture(capture(html))).toMatchObject({ ok: false, because: 'shell', want: 'rendered' })
  })

  it('lets a short page without scripts pass', async () => {
    expect(await judgeCapture(capture('<h1>Gone fishing</h1>'))).toEqual({ ok: true })
  })

  it('lets a short page with scripts and words pass', async () => {
    const html = '<script>1</script><p>Our shop is closed until the first of May because of the flood.</p>'
    expect(await judgeCapture(capture(html))).toEqual({ ok: true })
  })

  it('does not look for shells in other kinds of files', async () => {
    expect(
      await judgeCapture(capture('{"html":"<script>"}', { headers: { 'content-type': 'application/json' } })),
    ).toEqual({
      ok: true,
    })
  })

  it('lets a server-rendered page with all the scripts of an application pass', async () => {
    const words = '<p>The water came in slowly and went out again before breakfast.</p>'.repeat(4)
    const html = `<script src="/_next/a.js"></script><div id="__next"><main>${words}</main></div><script id="__NEXT_DATA__" type="application/json">{}</script>`
    expect(await judgeCapture(capture(html))).toEqual({ ok: true })
  })

  it.each([
    [
      'an empty mount',
      '<nav>Home Shop Help</nav><h1>Nine words that say very little about it all</h1><div id="app"></div><script src="/app.js"></script>',
    ],
    [
      'an empty list',
      `<p>${'Reports of all gauges along the coast. '.repeat(10)}</p><ul id="reports"></ul><script>fetch('/x').then(x=>document.getElementById('reports').innerHTML=x)</script>`,
    ],
    [
      'a custom element',
      '<h1>Nine words that say very little about it all</h1><app-root></app-root><script src="/app.js"></script>',
    ],
    [
      'a noscript wall',
      '<h1>Nine words that say very little about it all</h1><noscript>Please enable JavaScript</noscript><script src="/app.js"></script>',
    ],
    [
      'a skeleton',
      '<h1>Nine words that say very little about it all</h1><div class="card skeleton"><i></i></div><script src="/app.js"></script>',
    ],
    ['a meta refresh', '<meta http-equiv="refresh" content="0; url=/next"><p>Moved.</p>'],
  ])('knows %s', async (_name, html) => {
    expect(await judgeCapture(capture(html))).toMatchObject({ ok: false, because: 'shell', want: 'rendered' })
  })

  it.each([
    [
      'a short page with an advertisement slot',
      '<p>Our shop is closed until the first of May because of the flood.</p><div id="ad-top"></div><script src="/app.js"></script>',
    ],
    [
      'an article with an empty comment list',
      `<article>${'<p>Some words of an article that goes on and on.</p>'.repeat(30)}</article><ul id="comments"></ul><script src="/app.js"></script>`,
    ],
    [
      'a short page with a tracker',
      '<p>Gone fishing.</p><script src="https://www.googletagmanager.com/gtag/js"></script>',
    ],
    [
      'a refresh of a long page',
      `<meta http-equiv="refresh" content="5; url=/next">${'<p>Some words of a page that goes on and on.</p>'.repeat(30)}`,
    ],
  ])('lets %s pass', async (_name, html) => {
    expect(await judgeCapture(capture(html))).toEqual({ ok: true })
  })

  it('is not slowed down by a hostile page', async () => {
    const started = performance.now()
    await judgeCapture(capture('<script'.repeat(4500)))
    await judgeCapture(capture('<'.repeat(30_000)))
    await judgeCapture(capture(`<title>${'captcha '.repeat(3000)}`))
    await judgeCapture(capture(`<div id="${'a'.repeat(300_000)}`))
    await judgeCapture(capture('<div class=list></div>'.repeat(18_000)))
    await judgeCapture(capture('<script>x</script>'.repeat(20_000)))
    await judgeCapture(capture(`<p ${'class = '.repeat(50_000)}>`))
    expectCost(performance.now() - started).toBeLessThan(1500)
  })
})
