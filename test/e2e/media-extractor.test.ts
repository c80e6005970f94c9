// The operator's own extractor on the real service: asked when the page itself tells nothing, and believed no more than a page.
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { mediaPages } from '../site/media.ts'
import type { Pages } from '../site/site.ts'
import { pageContext } from './test-context.ts'

const script = fileURLToPath(new URL('../site/extractor.mjs', import.meta.url))
const pages: Pages = {
  ...mediaPages,
  '/x/*': ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>A page</title><h1>A page</h1><p>That tells nothing of what it plays.</p>'),
}
const { site, service } = pageContext(pages, { ORB_MEDIA_EXTRACTOR: `${process.execPath} ${script} -J` })
const video = (path: string, options: object = {}) =>
  service.call('POST', '/v2/scrape', {
    url: site.url + path,
    formats: ['video'],
    maxAge: 0,
    fastMode: true,
    ...options,
  })

describe('a page that tells nothing', () => {
  it.each(['right', 'stream'])('has its video from the extractor: %s', async (name) => {
    const { json, status } = await video(`/x/${name}`)
    expect(status, JSON.stringify(json)).toBe(200)
    expect(Math.abs(json.data.videoDetails.duration - 3)).toBeLessThan(0.06)
    expect((await fetch(json.data.video)).status).toBe(200)
  })

  it.each([
    ['rubbish', /extractor of this service failed: it did not respond in JSON/],
    ['fails', /extractor of this service failed: it ended with 3/],
    ['huge', /extractor of this service failed: it printed more than/],
    ['nothing', /extractor of this service found nothing either/],
  ])('is refused with the reason: %s', async (name, why) => {
    const { json, status } = await video(`/x/${name}`)
    expect([status, json.code]).toEqual([422, 'SCRAPE_VIDEO_UNSUPPORTED_URL'])
    expect(json.error).toMatch(why)
    expect(json.error).not.toMatch(/secret/)
  })

  it('does not lead to a private address, nor to one that the policy refuses', async () => {
    expect((await video('/x/private')).json.error).toMatch(/169\.254|not allowed|private|refused/i)
    const threatProtection = { mode: 'manual-only', blacklist: ['bad.example.com'] }
    expect((await video('/x/elsewhere', { threatProtection })).json.error).toMatch(/blacklist has bad\.example\.com/)
  })

  it('is given up when the time of the request is over', async () => {
    const { json } = await video('/x/hangs', { timeout: 4000 })
    expect(json.code).toBe('SCRAPE_TIMEOUT')
  })

  it('is not asked of a page that names its video', async () => {
    const { json } = await video('/m/mp4')
    expect(json.data.videoDetails.source).toContain(site.url)
  })
})
