import { describe, expect, it } from 'vitest'
import type { Capture } from '../base/page.ts'
import { judge } from './judge.ts'

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
  it('knows a guard by a header that only its own answers carry', () => {
    const headers = { 'content-type': 'text/html', 'x-vercel-mitigated': 'challenge' }
    expect(judge(capture('<p>Checking your browser</p>', { headers, status: 429 }))).toMatchObject({
      because: 'blocked',
      want: 'rendered',
    })
  })

  it('does not take the marks for a block on a page too large to be one', () => {
    const html = `<title>Just a moment</title><script>window._cf_chl_opt={}</script>${'<p>Words and words.</p>'.repeat(5000)}`
    expect(judge(capture(html))).toEqual({ ok: true })
  })

  it('lets a real page with a captcha in its contact form pass', () => {
    const html = `<h1>Write to us</h1>${'<p>We answer every letter that a human sends, within a week or two.</p>'.repeat(10)}<form><div class="g-recaptcha"></div></form>`
    expect(judge(capture(html))).toEqual({ ok: true })
  })

  it('takes an ordinary 403 or 503 page for what it is', () => {
    for (const status of [403, 503])
      expect(judge(capture('<h1>Closed</h1><p>Come back tomorrow, please.</p>', { status }))).toEqual({ ok: true })
  })
})

describe('shells', () => {
  it('knows a page that is drawn by JavaScript', () => {
    const html =
      '<html><head><title>App</title></head><body><div id="root">Loading…</div><script src="/app.js"></script></body></html>'
    expect(judge(capture(html))).toMatchObject({ ok: false, because: 'shell', want: 'rendered' })
  })

  it('lets a short page without scripts pass', () => {
    expect(judge(capture('<h1>Gone fishing</h1>'))).toEqual({ ok: true })
  })

  it('lets a short page with scripts and words pass', () => {
    const html = '<script>1</script><p>Our shop is closed until the first of May because of the flood.</p>'
    expect(judge(capture(html))).toEqual({ ok: true })
  })

  it('does not look for shells in other kinds of files', () => {
    expect(judge(capture('{"html":"<script>"}', { headers: { 'content-type': 'application/json' } }))).toEqual({
      ok: true,
    })
  })

  it('is not slowed down by a hostile page', () => {
    const started = performance.now()
    judge(capture('<script'.repeat(4500)))
    judge(capture('<'.repeat(30_000)))
    judge(capture(`<title>${'captcha '.repeat(3000)}`))
    expect(performance.now() - started).toBeLessThan(500)
  })
})
