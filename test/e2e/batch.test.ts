// Batch scrape through the released SDK, on the real service, against our own web.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { heldPage } from '../site/held.ts'
import { linkedPages } from '../site/linked.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { failure } from './team.ts'
import { finished, until } from './waiting.ts'

const { page: held, hold } = heldPage()
const { site, service } = shared({ ...linkedPages, '/held': held })

const pages = (...numbers: number[]) => numbers.map((n) => `${site.url}/linked/${n}`)
const post = (body: object, headers = {}) => service.call('POST', '/v2/batch/scrape', body, headers)
const status = (id: string, query = '') => service.call('GET', `/v2/batch/scrape/${id}${query}`)
/** An address as callers may write it. */
const spellings = (url: string) => [`${url}#part`, `${url}?q=a b`, url.replace('http://', 'HTTP://')]
const sources = (documents: Json[]) => documents.map((document) => document.metadata.sourceURL).sort()

describe('a batch', () => {
  it('returns every page through the SDK', async () => {
    const job = await service.sdk.batchScrape(pages(1, 2, 3), { options: { formats: ['markdown'] }, pollInterval: 1 })
    expect(job).toMatchObject({ status: 'completed', total: 3, completed: 3, creditsUsed: 3 })
    expect(sources(job.data)).toEqual(pages(1, 2, 3))
    expect(job.data[0]!.markdown).toMatch(/^# Page \d/)
  })

  it('answers its start with an id, where to ask, and what was not valid', async () => {
    const { status: code, json } = await post({ urls: [...pages(1), 'ftp://x.org/', 'not a url at all'] })
    expect(code).toBe(200)
    expect(json).toEqual({
      success: true,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: `${service.url}/v2/batch/scrape/${json.id}`,
      invalidURLs: ['ftp://x.org/', 'not a url at all'],
    })
    const done = await finished(service, json.url)
    expect(done).toMatchObject({ success: true, status: 'completed', total: 1, completed: 1 })
    expect(Date.parse(done.expiresAt) - Date.parse(done.completedAt)).toBe(86_400_000)
  })

  it('names each page byte for byte as it was asked for, as a scrape does', async () => {
    const urls = spellings(pages(4)[0]!)
    const { json } = await post({ urls })
    expect(sources((await finished(service, json.url)).data)).toEqual([...urls].sort())
    for (const url of urls)
      for (const maxAge of [0, 3_600_000]) {
        const { json: scraped } = await service.call('POST', '/v2/scrape', { url, maxAge })
        expect(scraped.data.metadata.sourceURL).toBe(url)
      }
  })

  it('with ignoreInvalidURLs off refuses a bad address, and none at all either way', async () => {
    const refused = await post({ urls: [...pages(1), 'ftp://x.org/'], ignoreInvalidURLs: false })
    expect(refused.status).toBe(400)
    const none = await post({ urls: ['ftp://x.org/'] })
    expect(none.status).toBe(400)
    expect(none.json.error).toBe('No valid URLs provided')
    expect((await post({ urls: [] })).status).toBe(400)
    const { json } = await post({ urls: pages(1), ignoreInvalidURLs: false })
    expect(json.invalidURLs).toBeUndefined()
  })

  it('takes a start once: the same idempotency key is a 409, and so is one that is no UUID', async () => {
    const key = randomUUID()
    expect((await post({ urls: pages(4) }, { 'x-idempotency-key': key })).status).toBe(200)
    const again = await post({ urls: pages(4) }, { 'x-idempotency-key': key })
    expect(again.status).toBe(409)
    expect(again.json.error).toBe('Idempotency key already used')
    expect((await post({ urls: pages(4) }, { 'x-idempotency-key': 'mine' })).status).toBe(409)
    // A start that failed has not used its key.
    const other = randomUUID()
    expect((await post({ urls: ['nope'] }, { 'x-idempotency-key': other })).status).toBe(400)
    expect((await post({ urls: pages(4) }, { 'x-idempotency-key': other })).status).toBe(200)
  })

  it('pages through results in the order of completion, each exactly once', async () => {
    const { json } = await post({ urls: pages(10, 11, 12, 13, 14) })
    await finished(service, json.url)
    const seen: string[] = []
    let next: string | undefined = `${json.url}?limit=2`
    let calls = 0
    while (next) {
      const body: Json = (await service.call('GET', next.replace(service.url, ''))).json
      seen.push(...body.data.map((document: Json) => document.metadata.sourceURL))
      next = body.next
      calls += 1
    }
    expect(calls).toBe(3)
    expect([...seen].sort()).toEqual(pages(10, 11, 12, 13, 14))
    const all = (await status(json.id)).json.data.map((document: Json) => document.metadata.sourceURL)
    expect(all).toEqual(seen)
    const beyond = (await status(json.id, '?skip=5')).json
    expect(beyond.data).toEqual([])
    expect(beyond.next).toBeUndefined()
  })

  it('refuses paging that makes no sense, ids that are none, and jobs of others', async () => {
    const bad = await status(randomUUID(), '?skip=-1')
    expect(bad.status).toBe(400)
    expect(bad.json.error).toMatch(/^Invalid pagination: /)
    expect((await status('nope')).status).toBe(400)
    const unknown = await status(randomUUID())
    expect(unknown.status).toBe(404)
    expect(unknown.json.error).toBe('Job not found')
    const { json } = await post({ urls: pages(1) })
    expect((await service.call('GET', `/v2/crawl/${json.id}`)).status).toBe(404)
  })

  it('gives no next while it runs unless the page was full', async () => {
    const release = hold()
    const { json } = await post({ urls: [...pages(20), `${site.url}/held`], maxAge: 0 })
    await until(async () => (await status(json.id)).json.completed === 1)
    const running = (await status(json.id)).json
    expect(running).toMatchObject({ status: 'scraping', total: 2, completed: 1 })
    expect(running.next).toBeUndefined()
    expect((await status(json.id, '?skip=1')).json.next).toBeUndefined()
    expect((await status(json.id, '?limit=1')).json.next).toBe(`${json.url}?skip=1&limit=1`)
    release()
  })

  it('says of a dead page what was wrong, and finishes the others', async () => {
    const dead = `${site.url}/moods/broken`
    const { json } = await post({ urls: [...pages(30, 31), dead, 'http://no-such-host.invalid/'] })
    const done = await finished(service, json.url, 30_000)
    expect(done).toMatchObject({ status: 'completed', total: 4, completed: 2, creditsUsed: 2 })
    const errors = await service.sdk.getBatchScrapeErrors(json.id)
    expect(errors.robotsBlocked).toEqual([])
    expect(errors.errors.map(({ url, code }) => ({ url, code })).sort((a, b) => (a.url < b.url ? -1 : 1))).toEqual(
      [
        { url: dead, code: 'SCRAPE_SITE_ERROR' },
        { url: 'http://no-such-host.invalid/', code: 'SCRAPE_DNS_RESOLUTION_ERROR' },
      ].sort((a, b) => (a.url < b.url ? -1 : 1)),
    )
    // Three tries; a kept-alive connection that was hung up on is used once more on its own account.
    expect(site.hits('/moods/broken')).toBeGreaterThanOrEqual(3)
    expect(site.hits('/moods/broken')).toBeLessThanOrEqual(6)
  })

  it('tries again what hung up once, and waits for a site that is busy as long as it asks', async () => {
    const { json } = await post({ urls: [`${site.url}/moods/flaky`, `${site.url}/moods/busy`], maxAge: 0 })
    const done = await finished(service, json.url, 30_000)
    expect(done).toMatchObject({ completed: 2 })
    const titles = done.data.map((document: Json) => document.metadata.title).sort()
    expect(titles).toEqual(['Mended', 'Rested'])
    expect(site.hits('/moods/busy')).toBe(3)
    expect(done.duration).toBeGreaterThan(2)
  })

  it('grows by appendToId while it runs, with the options of the addition', async () => {
    const release = hold()
    const { json } = await post({ urls: [`${site.url}/held`], maxAge: 0 })
    const more = await post({ urls: pages(40), appendToId: json.id, formats: ['links'], maxAge: 0 })
    expect(more.json).toMatchObject({ success: true, id: json.id })
    expect((await status(json.id)).json.total).toBe(2)
    release()
    const done = await finished(service, json.url)
    expect(done).toMatchObject({ total: 2, completed: 2 })
    const added = done.data.find((document: Json) => document.metadata.sourceURL === pages(40)[0])
    expect(added.links).toHaveLength(10)
    expect(added.markdown).toBeUndefined()
  })

  it('does not open again: appending to a finished batch is a 409, to an unknown one a 404', async () => {
    const { json } = await post({ urls: pages(41) })
    const done = await finished(service, json.url)
    const late = await post({ urls: pages(42), appendToId: json.id })
    expect(late.status).toBe(409)
    expect(late.json.error).toMatch(/new batch/)
    expect((await finished(service, json.url)).total).toBe(done.total)
    expect((await post({ urls: pages(42), appendToId: randomUUID() })).status).toBe(404)
  })

  it('works on no more pages at once than maxConcurrency', async () => {
    const urls = Array.from({ length: 6 }, (_, at) => `${site.url}/linked/${at}?ms=150`)
    const { json } = await post({ urls, maxConcurrency: 1, maxAge: 0 })
    const done = await finished(service, json.url)
    expect(done.duration).toBeGreaterThan(0.9)
  })

  it('keeps the same address twice as two pages', async () => {
    const { json } = await post({ urls: pages(50, 50) })
    expect(await finished(service, json.url)).toMatchObject({ total: 2, completed: 2 })
  })

  it('refuses unknown keys and says where', async () => {
    const { status: code, json } = await post({ urls: pages(1), depth: 3 })
    expect(code).toBe(400)
    expect(json.details[0].code).toBe('unrecognized_keys')
  })
})

describe('cancelling a batch', () => {
  it('aborts what is under way, starts nothing more, and keeps what is done', async () => {
    const urls = [...pages(51), ...Array.from({ length: 60 }, (_, at) => `${site.url}/slow?ms=100000&n=${at}`)]
    const { json } = await post({ urls, maxAge: 0 })
    await until(async () => (await status(json.id)).json.completed === 1 && site.hits('/slow') > 10)
    expect(await service.sdk.cancelBatchScrape(json.id)).toBe(true)
    const over = (await status(json.id)).json
    expect(over).toMatchObject({ status: 'cancelled', completed: 1 })
    expect(over.data).toHaveLength(1)
    await until(async () => /orb_pages_in_work 0/.test((await service.call('GET', '/metrics')).text), 2_000)
    // Requests that were on the wire at the moment of the cancel arrive first.
    let hits = -1
    await until(async () => {
      const before = hits
      hits = site.hits('/slow')
      await sleep(500)
      return before === hits && site.hits('/slow') === hits
    })
    // A job that has ended keeps its state.
    const again = await failure(service.sdk.cancelBatchScrape(json.id))
    expect([again.status, again.message]).toEqual([
      409,
      expect.stringMatching(/^Conflict: this batch is cancelled already/),
    ])
    expect((await status(json.id)).json.status).toBe('cancelled')
    const other = await post({ urls: pages(52) })
    await finished(service, other.json.url)
    const ended = await failure(service.sdk.cancelBatchScrape(other.json.id))
    expect([ended.status, ended.message]).toEqual([409, expect.stringMatching(/completed already/)])
    expect((await status(other.json.id)).json.status).toBe('completed')
    expect(site.hits('/slow')).toBe(hits)
    expect((await service.call('DELETE', `/v2/batch/scrape/${randomUUID()}`)).status).toBe(404)
  })
})

describe('a batch', () => {
  it('is paused with nothing under way, and resumed where it was', async () => {
    const release = hold()
    const before = site.hits('/held')
    const { json } = await post({ urls: [`${site.url}/held`, ...pages(56, 57)], maxConcurrency: 1, maxAge: 0 })
    await until(() => site.hits('/held') > before)
    const control = (verb: string) => service.call('POST', `/v2/batch/scrape/${json.id}/${verb}`)
    expect((await control('pause')).json).toEqual({ success: true, status: 'scraping', paused: true })
    expect((await control('pause')).status).toBe(200)
    expect((await status(json.id)).json).toMatchObject({ status: 'scraping', paused: true, completed: 0 })
    const shown = (await service.call('GET', `/v2/jobs/${json.id}`)).json.data
    expect(shown).toMatchObject({ paused: true, queued: 3, active: 0 })
    release()
    // Another batch of the team has its turn meanwhile.
    await finished(service, (await post({ urls: pages(55), maxAge: 0 })).json.url)
    expect(site.hits('/linked/56')).toBe(0)
    expect((await service.call('POST', `/v2/jobs/${json.id}/resume`)).json).toMatchObject({ paused: false })
    const done = await finished(service, json.url)
    expect(done).toMatchObject({ status: 'completed', completed: 3, creditsUsed: 3 })
    expect(done.paused).toBeUndefined()
    expect(site.hits('/linked/56')).toBe(1)
    expect((await control('resume')).status).toBe(409)
    expect((await control('retry')).json.error).toMatch(/no page of this batch failed/)
  })

  it('retries only what failed, and its stream goes on after the last document', async () => {
    const scrape = (n: number) => service.call('POST', '/v2/scrape', { url: pages(n)[0] })
    await scrape(58)
    const { json } = await post({ urls: pages(58, 59), lockdown: true })
    expect(await finished(service, json.url)).toMatchObject({ completed: 1, total: 2, creditsUsed: 6 })
    await scrape(59)
    const { json: retried } = await service.call('POST', `/v2/batch/scrape/${json.id}/retry`)
    expect(retried).toEqual({ success: true, status: 'scraping', retried: 1 })
    expect(await finished(service, json.url)).toMatchObject({ status: 'completed', completed: 2, creditsUsed: 11 })
    expect((await service.call('GET', `/v2/batch/scrape/${json.id}/errors`)).json.errors).toEqual([])
    const headers = { authorization: `Bearer ${service.key}`, 'last-event-id': '1' }
    const events = await (await fetch(`${service.url}/v2/batch/scrape/${json.id}/events`, { headers })).text()
    const { data } = JSON.parse(events.split('data: ')[1]!)
    expect(sources(data)).toEqual(pages(59))
  })
})
