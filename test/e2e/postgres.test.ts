// The same service on PostgreSQL: only the setting differs. Two of them are two machines: each has a data folder of its own,
// and they share a database and a bucket, which fails for a while.
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { linkedPages } from '../site/linked.ts'
import { mediaPages } from '../site/media.ts'
import { type Page, type Site, startSite } from '../site/site.ts'
import { understoodPages } from '../site/understood.ts'
import { closedPort, type Json, type Service, startService } from './service.ts'
import { finished, until } from './waiting.ts'

const server = inject('postgresUrl')

describe.skipIf(!server)('on PostgreSQL (skipped when none could be started)', () => {
  const name = `orb_e2e_${process.pid}`
  let site: Site
  let first: Service
  let second: Service
  let bucket: S3rver
  let bucketPort = 0
  const objects = mkdtempSync(join(tmpdir(), 'orb-bucket-'))
  const stored = () => readdirSync(join(objects, 'orb'))
  const startBucket = async () => {
    bucketPort ||= await closedPort()
    const buckets = [{ name: 'orb' }]
    const at = { address: '127.0.0.1', port: bucketPort, directory: objects }
    bucket = new S3rver({ ...at, silent: true, configureBuckets: buckets })
    await bucket.run()
  }
  /** What the collector of OpenTelemetry received. */
  const spans: Json[] = []
  const collector = createServer(async (request, response) => {
    const body = (await json(request)) as Json
    spans.push(...body.resourceSpans[0].scopeSpans[0].spans)
    response.end('{}')
  })
  /** When the pages below /paced/ were asked for. */
  const visits: number[] = []
  const paced: Page = ({ response, url }) => {
    visits.push(Date.now())
    const [, , group, n] = url.pathname.split('/')
    const links = [1, 2, 3].map((more) => `<a href="/paced/${group}/${Number(n) * 3 + more}">More</a>`).join(' ')
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<title>${url.pathname}</title><main><h1>Page ${n}</h1><p>Of the group ${group}.</p>${links}</main>`)
  }

  beforeAll(async () => {
    const admin = new pg.Client({ connectionString: server })
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    site = await startSite({
      ...understoodPages,
      ...mediaPages,
      ...linkedPages,
      '/paced/a/*': paced,
      '/paced/b/*': paced,
    })
    const url = new URL(server as string)
    url.pathname = `/${name}`
    await startBucket()
    collector.listen(0, '127.0.0.1')
    await once(collector, 'listening')
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      ORB_S3_ENDPOINT: `http://127.0.0.1:${bucketPort}`,
      ORB_S3_BUCKET: 'orb',
      ORB_S3_ACCESS_KEY: 'S3RVER',
      ORB_S3_SECRET_KEY: 'S3RVER',
      ORB_DATABASE_URL: url.href,
      ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      ORB_DIFF_FORMAT: 'object',
    }
    // Both at once: the schema is made by one of them, and the other waits.
    ;[first, second] = await Promise.all([
      startService({ env }),
      startService({ env: { ...env, ORB_S3_DIRECT_LINKS: 'on' } }),
    ])
  })
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop()])
    await site?.close()
    await bucket?.close()
    collector.closeAllConnections()
    collector.close()
    rmSync(objects, { recursive: true, force: true })
  })

  it('what one service saw of a page the other compares with: same, changed, removed, by tag', async () => {
    const track = async (on: Service, tag: string | null): Promise<Json> => {
      const formats: Json = ['markdown', { type: 'changeTracking', modes: ['git-diff'], tag }]
      return ((await on.sdk.scrape(`${site.url}/ferry/pg`, { formats, maxAge: 0 })) as Json).changeTracking
    }
    expect((await track(first, 'a')).changeStatus).toBe('new')
    expect((await track(second, 'a')).changeStatus).toBe('same')
    const { changeStatus, diff } = await track(first, 'a')
    expect(changeStatus).toBe('changed')
    expect(diff.text).toMatch(/^\+The ferry .* 14 pounds/m)
    expect(diff.json.files[0].chunks[0].changes.length).toBeGreaterThan(1)
    expect((await track(second, 'a')).changeStatus).toBe('removed')
    expect(await track(first, 'b')).toBeNull()
  })

  it('a page scraped by one service is in the cache of the other', async () => {
    const fresh = await first.call('POST', '/v2/scrape', { url: `${site.url}/article` })
    expect(fresh.json.data.metadata.cacheState).toBe('miss')
    const again = await second.call('POST', '/v2/scrape', { url: `${site.url}/article` })
    expect(again.json.data.metadata.cacheState).toBe('hit')
    expect(again.json.data.markdown).toBe(fresh.json.data.markdown)
    expect(site.hits('/article')).toBe(1)
  })

  it('a finished scrape can be read from either', async () => {
    const { json } = await second.call('POST', '/v2/scrape', {
      url: `${site.url}/docs`,
      formats: ['markdown', 'links'],
    })
    const read = await first.call('GET', `/v2/scrape/${json.scrape_id}?explain=true`)
    expect(read.json.data).toEqual(json.data)
    expect(read.json.explain.engine).toBe('http')
  })

  it('a screenshot made by one service is read from the other, and forgotten by it', async () => {
    const url = `${site.url}/docs`
    const { json } = await first.call('POST', '/v2/scrape', { url, formats: ['screenshot'], maxAge: 0 })
    const link = json.data.screenshot.replace(first.url, second.url)
    const there = await fetch(link, { redirect: 'manual' })
    expect(there.status).toBe(302)
    expect(there.headers.get('location')).toMatch(`http://127.0.0.1:${bucketPort}/orb/`)
    for (const path of [json.data.screenshot, link]) {
      const picture = await fetch(path)
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(Buffer.from(await picture.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG')
    }
    expect(stored().length).toBeGreaterThan(0)
    await second.call('POST', '/v2/admin/forget', { url })
    expect((await fetch(link)).status).toBe(404)
    expect((await fetch(json.data.screenshot)).status).toBe(404)
    expect(stored()).toEqual([])
  })

  it('an upload, sound, a recording and the WARC of a crawl made on one are read on the other', async () => {
    const { json: announced } = await first.call('POST', '/v2/parse/upload-url', { filename: 'a.html' })
    const { uploadUrl, uploadRef } = announced.data
    const put = await fetch(uploadUrl.replace(first.url, second.url), {
      method: 'PUT',
      body: '<h1>Sent elsewhere</h1>',
    })
    expect(put.status).toBe(200)
    const { json: parsed } = await first.call('POST', '/v2/parse', { uploadRef, formats: ['markdown'] })
    expect(parsed.data.markdown).toContain('Sent elsewhere')

    const { json: sound } = await first.call('POST', '/v2/scrape', { url: `${site.url}/m/m4a`, formats: ['audio'] })
    const audio = await fetch(sound.data.audio.replace(first.url, second.url))
    expect([audio.status, (await audio.arrayBuffer()).byteLength > 1000]).toEqual([200, true])

    const { json: session } = await first.call('POST', '/v2/interact', { recordSession: true })
    const code = `await page.goto(${JSON.stringify(`${site.url}/docs`)}); await page.title()`
    await first.call('POST', `/v2/interact/${session.id}/execute`, { code })
    await first.call('DELETE', `/v2/interact/${session.id}`)
    const film = async () => (await second.call('GET', `/v2/interact/${session.id}`)).json.recordingUrl
    await until(async () => (await film()) !== undefined)
    expect((await fetch((await film()).replace(first.url, second.url))).status).toBe(200)

    const { json: crawl } = await first.call('POST', '/v2/crawl', {
      url: `${site.url}/linked/0`,
      limit: 3,
      sitemap: 'skip',
      crawlEntireDomain: true,
    })
    await finished(second, crawl.url)
    const warc = await second.call('GET', `/v2/jobs/${crawl.id}/download?format=warc`)
    expect(warc.text.match(/^WARC-Type: response/gm)).toHaveLength(3)

    expect(stored().length).toBeGreaterThan(1)
    await second.call('POST', '/v2/admin/forget', { host: '127.0.0.1' })
    expect(await film()).toBeUndefined()
    expect((await fetch(sound.data.audio)).status).toBe(404)
    expect(stored()).toEqual([])
  })

  it('while the bucket is down what needs it is a 503, a job waits, and nothing is lost', async () => {
    await bucket.close()
    const body = { url: `${site.url}/linked/1`, formats: ['screenshot'], maxAge: 0 }
    const refused = await first.call('POST', '/v2/scrape', body)
    expect(refused.status).toBe(503)
    expect(refused.json.error).toMatch(/bucket orb at 127\.0\.0\.1:\d+ cannot be reached/)
    expect((await second.call('POST', '/v2/scrape', { ...body, formats: ['markdown'] })).status).toBe(200)
    const urls = [2, 3, 4].map((n) => `${site.url}/linked/${n}`)
    const { json: batch } = await first.call('POST', '/v2/batch/scrape', { urls, formats: ['screenshot'], maxAge: 0 })
    await until(() => urls.every((url) => site.hits(new URL(url).pathname) > 0))
    await startBucket()
    const done = await finished(second, batch.url)
    expect(done).toMatchObject({ status: 'completed', total: 3, completed: 3, creditsUsed: 3 })
    // Whichever process drew it, its link leads to the one that was asked.
    for (const { screenshot } of done.data) {
      expect(screenshot).toMatch(`${first.url}/`)
      expect((await fetch(screenshot)).status).toBe(200)
    }
    expect((await first.call('POST', '/v2/scrape', body)).status).toBe(200)
  })

  it('two crawls of one site on two machines are as polite as one, and read its robots.txt once', async () => {
    const robots = site.hits('/robots.txt')
    const crawl = (on: Service, group: string) =>
      on.call('POST', '/v2/crawl', {
        url: `${site.url}/paced/${group}/0`,
        sitemap: 'skip',
        crawlEntireDomain: true,
        delay: 1,
        limit: 3,
        scrapeOptions: { maxAge: 0 },
      })
    const began = Date.now()
    const [{ json: one }, { json: two }] = await Promise.all([crawl(first, 'a'), crawl(second, 'b')])
    expect(await finished(first, one.url)).toMatchObject({ completed: 3 })
    expect(await finished(first, two.url)).toMatchObject({ completed: 3 })
    expect(visits).toHaveLength(6)
    // Turns are a second apart; a machine that is busy may be late for one, and never early.
    for (const [n, at] of visits.entries()) expect(at - began).toBeGreaterThan(n * 1000 - 50)
    expect(site.hits('/robots.txt') - robots).toBeLessThanOrEqual(1)
  })

  it('sends the pages of a job to the collector under the trace of the request, whichever machine visits them', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`
    const body = { urls: [5, 6, 7].map((n) => `${site.url}/linked/${n}`), maxAge: 0 }
    const { json: batch } = await first.call('POST', '/v2/batch/scrape', body, { traceparent })
    await finished(first, batch.url)
    const named = (name: string) => spans.filter((span) => span.traceId === traceId && span.name === name)
    await until(() => named('batch page').length >= 3 && named('POST /v2/batch/scrape').length === 1)
    const [request] = named('POST /v2/batch/scrape')
    expect(request?.parentSpanId).toBe('b7ad6b7169203331')
    for (const page of named('batch page')) expect(page.parentSpanId).toBe(request?.spanId)
    const pages = new Set(named('batch page').map(({ spanId }) => spanId))
    const done = named('scrape').filter(({ status }) => status === undefined)
    expect(done).toHaveLength(3)
    for (const { spanId, parentSpanId } of done) {
      expect(pages.has(parentSpanId)).toBe(true)
      const below = spans.filter((span) => span.parentSpanId === spanId).map(({ name }) => name)
      expect(below).toEqual(expect.arrayContaining(['fetch http', 'digest']))
    }
  })

  it('is healthy', async () => {
    expect((await first.call('GET', '/health')).json).toMatchObject({ ready: true })
  })
})
