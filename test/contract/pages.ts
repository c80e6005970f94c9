// What every store must do with captures, documents and scrapes, and what its sweep must remove and keep.
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Capture } from '../../src/base/visit-and-capture-types.ts'
import type { NewScrapeRecord } from '../../src/store/new-scrape-record.ts'
import type { Tx } from '../../src/store/tables.ts'
import { teamStore } from '../../src/teams/store/index.ts'
import type { OpenTestStore, TestStore } from './open-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HELLO = Buffer.from('{"markdown":"hello","metadata":{}}')

export function pagesContract(open: OpenTestStore): void {
  let test: TestStore
  let teamId: string
  const start = async (options?: Parameters<OpenTestStore>[0]) => {
    test = await open(options)
    teamId = (await test.store.teams.create({ name: 'web' })).id
  }
  afterEach(() => test.end())

  const capture = (body: Uint8Array = new TextEncoder().encode('<p>hello')): Capture => ({
    engine: 'http',
    url: 'https://example.com/final',
    status: 200,
    headers: { 'content-type': 'text/html', 'x-odd': 'ÿ\u0000 "quoted"' },
    body,
    truncated: false,
    hops: [{ url: 'https://example.com/', status: 301, location: '/final' }],
    proxyUsed: 'basic',
    timings: { dnsMs: 1, totalMs: 20 },
    fetchedAt: test.clock.now(),
    warnings: ['slow'],
  })
  const scrape = (id: string = randomUUID()): NewScrapeRecord['scrape'] => ({
    id,
    teamId,
    keyId: null,
    url: 'https://example.com/',
    options: { formats: ['markdown'] },
    overlay: JSON.stringify({ scrapeId: id }),
    explain: '{"steps":[]}',
    credits: 1,
  })
  const record = (options: NewScrapeRecord) => test.store.transaction((tx) => test.store.pages.record(tx, options))
  /** A fresh visit: the page, a document of it and the scrape that asked. */
  async function visit(cacheKey: string, bytes: Uint8Array = new Uint8Array(10), documentBody: Uint8Array = HELLO) {
    const asked = scrape()
    const fresh = { cacheKey, capture: capture(bytes), body: await test.store.pages.keepBody(bytes) }
    const ids = await record({ scrape: asked, document: { digestKey: 'md', body: documentBody }, capture: fresh })
    return { scrapeId: asked.id, documentId: ids.documentId, captureId: ids.captureId! }
  }
  const blobFiles = async () =>
    (await readdir(join(test.dataDir, 'blobs'), { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)

  describe('pages', () => {
    beforeEach(() => start())

    it('brings a capture back as it was, with the row it came from', async () => {
      const body = Uint8Array.from({ length: 256 }, (_, at) => at)
      const { captureId } = await visit('key', body)
      const found = await test.store.pages.findCapture('key')
      expect({ ...found, body: [...found!.body] }).toEqual({ ...capture(body), body: [...body], cacheId: captureId })
      expect(await test.store.pages.findHead('key')).toEqual({
        id: captureId,
        url: 'https://example.com/final',
        fetchedAt: test.clock.now(),
      })
      expect(await test.store.pages.findCapture('other')).toBeUndefined()
      expect(await test.store.pages.findHead('other')).toBeUndefined()
    })

    it('brings back the capture that a scrape was made of, while the cache has it', async () => {
      const { scrapeId, captureId } = await visit('key', new Uint8Array([1, 2, 3]))
      const found = await test.store.pages.captureOf(scrapeId)
      expect({ ...found, body: [...found!.body] }).toMatchObject({ cacheId: captureId, body: [1, 2, 3], status: 200 })
      await visit('key')
      expect(await test.store.pages.captureOf(scrapeId)).toBeUndefined()
      expect(await test.store.pages.captureOf(randomUUID())).toBeUndefined()
    })

    it('keeps an empty body, and a large one in a file of its own', async () => {
      await visit('empty', new Uint8Array(0))
      expect((await test.store.pages.findCapture('empty'))!.body.byteLength).toBe(0)
      expect(await blobFiles()).toHaveLength(0)
      const large = new Uint8Array(1024 * 1024 + 1).fill(7)
      await visit('large', large)
      expect(await blobFiles()).toHaveLength(1)
      test.clock.wind(2 * HOUR_MS)
      await test.store.sweep()
      expect(Buffer.compare((await test.store.pages.findCapture('large'))!.body, large)).toBe(0)
    })

    it('gives a scrape back to its own team only', async () => {
      const { scrapeId } = await visit('key')
      expect(await test.store.pages.getScrape(teamId, scrapeId)).toEqual({
        id: scrapeId,
        url: 'https://example.com/',
        documentBody: HELLO,
        overlay: { scrapeId },
        explain: { steps: [] },
        options: { formats: ['markdown'] },
        credits: 1,
        createdAt: test.clock.now(),
        expiresAt: test.clock.now() + DAY_MS,
      })
      const stranger = await test.store.teams.create({ name: 'stranger' })
      expect(await test.store.pages.getScrape(stranger.id, scrapeId)).toBeUndefined()
      expect(await test.store.pages.getScrape(teamId, randomUUID())).toBeUndefined()
    })

    it('forgets a scrape after a day to the millisecond, swept or not', async () => {
      const { scrapeId } = await visit('key')
      test.clock.wind(DAY_MS - 1)
      expect(await test.store.pages.getScrape(teamId, scrapeId)).toBeDefined()
      test.clock.wind(1)
      expect(await test.store.pages.getScrape(teamId, scrapeId)).toBeUndefined()
    })

    it('stores a cache hit as a reference to the document', async () => {
      const first = await visit('key')
      const found = await test.store.pages.findAnswer('key', 'md')
      expect(found).toMatchObject({ documentId: first.documentId, captureId: first.captureId, body: HELLO })
      const hit = scrape()
      const ids = await record({ scrape: hit, document: { id: found!.documentId }, capture: { id: first.captureId } })
      expect(ids).toEqual({ documentId: first.documentId, captureId: first.captureId })
      expect((await test.store.pages.getScrape(teamId, hit.id))!.documentBody).toEqual(HELLO)
      expect(await test.store.pages.findAnswer('key', 'html')).toBeUndefined()
    })

    it('refers to a document that is kept long enough without reading it, and never to one that is gone', async () => {
      const { captureId } = await visit('key')
      const { documentId: id, keepUntil } = (await test.store.pages.findAnswer('key', 'md'))!
      const hit = scrape()
      const ids = await record({ scrape: hit, document: { id, keepUntil }, capture: { id: captureId } })
      expect(ids).toEqual({ documentId: id, captureId })
      expect((await test.store.pages.getScrape(teamId, hit.id))!.documentBody).toEqual(HELLO)
      const lost = scrape()
      const gone = { scrape: lost, document: { id: randomUUID(), keepUntil }, capture: undefined }
      await expect(record(gone)).rejects.toThrow(/foreign key/i)
      expect(await test.store.pages.getScrape(teamId, lost.id)).toBeUndefined()
    })

    it('finds the bytes of a document that was written again, before and after a sweep', async () => {
      const { captureId } = await visit('key')
      expect((await test.store.pages.findAnswer('key', 'md'))!.body).toEqual(HELLO)
      test.clock.wind(1)
      const again = Buffer.from(HELLO.toString().replace('hello', 'HELLO'))
      await record({ scrape: scrape(), document: { digestKey: 'md', body: again }, capture: { id: captureId } })
      expect((await test.store.pages.findAnswer('key', 'md'))!.body).toEqual(again)
      await test.store.sweep()
      expect((await test.store.pages.findAnswer('key', 'md'))!.body).toEqual(again)
    })

    it('never puts an encrypted document where other teams look for theirs', async () => {
      const { captureId } = await visit('key')
      const asked = scrape()
      const document = { digestKey: 'html', body: Buffer.from('{"html":"<p>","metadata":{}}'), sealed: true }
      const ids = await record({ scrape: asked, document, capture: { id: captureId } })
      expect(ids.captureId).toBeUndefined()
      expect(await test.store.pages.findAnswer('key', 'html')).toBeUndefined()
      expect((await test.store.pages.getScrape(teamId, asked.id))!.documentBody).toEqual(document.body)
    })

    it('skips a document that cannot be read, until the next scrape writes it again', async () => {
      const { captureId } = await visit('key', undefined, Buffer.from('{"metadata":{"title":"Hello"}}'))
      const known = [{ url: 'https://example.com/final', title: 'Hello' }]
      for (const damaged of ['orbseal1 not a document', '{"markdown":"hel', '', '{"metadata":{"title":'])
        await record({
          scrape: scrape(),
          document: { digestKey: `html ${damaged}`, body: Buffer.from(damaged) },
          capture: { id: captureId },
        })
      expect(await test.store.pages.findAnswer('key', 'html orbseal1 not a document')).toBeUndefined()
      expect(await test.store.pages.knownPages(['https://example.com'], 10)).toEqual(known)
      test.clock.wind(1)
      const document = { digestKey: 'html ', body: HELLO }
      await record({ scrape: scrape(), document, capture: { id: captureId } })
      expect((await test.store.pages.findAnswer('key', 'html '))!.body).toEqual(HELLO)
    })

    it('skips a damaged capture, until the next visit writes it again', async () => {
      await visit('key')
      const damage = (tx: Tx) => tx.updateTable('captures').set({ head: '{"status":2' }).execute()
      await test.store.transaction(damage)
      expect(await test.store.pages.findCapture('key')).toBeUndefined()
      test.clock.wind(1)
      await visit('key')
      expect(await test.store.pages.findCapture('key')).toMatchObject({ status: 200 })
    })

    it('makes another document of a cached capture for other options', async () => {
      const { captureId } = await visit('key')
      const html = { digestKey: 'html', body: Buffer.from('{"html":"<p>hello","metadata":{}}') }
      const ids = await record({ scrape: scrape(), document: html, capture: { id: captureId } })
      expect((await test.store.pages.findAnswer('key', 'html'))!.documentId).toBe(ids.documentId)
      expect(await test.store.pages.findAnswer('key', 'md')).toBeDefined()
    })

    it('never finds a document of old bytes for a newer capture, but still for the scrape that got it', async () => {
      const old = await visit('key')
      test.clock.wind(1000)
      const asked = scrape()
      const bytes = new Uint8Array(5)
      await record({
        scrape: asked,
        document: { digestKey: 'html', body: Buffer.from('{}') },
        capture: { cacheKey: 'key', capture: capture(bytes), body: { inline: bytes } },
      })
      const head = await test.store.pages.findHead('key')
      expect(head!.id).not.toBe(old.captureId)
      expect(await test.store.pages.findAnswer('key', 'md')).toBeUndefined()
      await test.store.sweep()
      expect((await test.store.pages.getScrape(teamId, old.scrapeId))!.documentBody).toEqual(HELLO)
    })

    it('stores the result of a scrape whose capture was replaced meanwhile', async () => {
      const old = await visit('key')
      const found = await test.store.pages.findAnswer('key', 'md')
      await visit('key')
      await test.store.sweep()
      const late = scrape()
      const ids = await record({ scrape: late, document: { id: found!.documentId }, capture: { id: old.captureId } })
      expect(ids.captureId).toBeUndefined()
      const other = await record({
        scrape: scrape(),
        document: { digestKey: 'links', body: Buffer.from('{}') },
        capture: { id: old.captureId },
      })
      expect(other.captureId).toBeUndefined()
      expect((await test.store.pages.getScrape(teamId, late.id))!.documentBody).toEqual(HELLO)
    })

    it('lets two scrapes that made the same document share one row', async () => {
      const { captureId, documentId } = await visit('key')
      const same = { digestKey: 'md', body: HELLO }
      expect((await record({ scrape: scrape(), document: same, capture: { id: captureId } })).documentId).toBe(
        documentId,
      )
    })

    it('counts pages and credits by host', async () => {
      const urls = ['https://a.example', 'https://a.example/x?of=//c.example', 'http://b.example:8080/y']
      for (const [at, url] of urls.entries())
        await record({
          scrape: { ...scrape(), url, credits: 2 },
          document: { digestKey: `${at}`, body: HELLO },
          capture: undefined,
        })
      const hosts = (sinceMs: number) => teamStore(test.store).usage.hosts({ teamId, sinceMs, limit: 10 })
      expect(await hosts(test.clock.now())).toEqual([
        { host: 'a.example', pages: 2, credits: 4 },
        { host: 'b.example:8080', pages: 1, credits: 2 },
      ])
      expect(await hosts(test.clock.now() + 1)).toEqual([])
    })

    it('survives many visits to one page at once', async () => {
      const visits = await Promise.allSettled(Array.from({ length: 20 }, () => visit('same')))
      expect(visits.filter(({ status }) => status === 'rejected')).toEqual([])
      expect(await test.store.pages.findCapture('same')).toBeDefined()
    })

    it('stores nothing of a record when the transaction fails', async () => {
      const asked = scrape()
      const work = test.store.transaction(async (tx) => {
        const fresh = { cacheKey: 'key', capture: capture(), body: { inline: capture().body } }
        await test.store.pages.record(tx, {
          scrape: asked,
          document: { digestKey: 'md', body: Buffer.from('{}') },
          capture: fresh,
        })
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await test.store.pages.findHead('key')).toBeUndefined()
      expect(await test.store.pages.getScrape(teamId, asked.id)).toBeUndefined()
    })

    it('knows the pages of an origin, with titles, and none of another or with a query', async () => {
      const at = async (url: string, body = '{"metadata":{}}') =>
        record({
          scrape: scrape(),
          document: { digestKey: url, body: Buffer.from(body) },
          capture: { cacheKey: url, capture: { ...capture(), url }, body: { inline: new Uint8Array(1) } },
        })
      await at('https://example.com/b')
      await at('https://example.com/a', '{"metadata":{"title":"A","description":["two","texts"]}}')
      for (const other of [
        'https://example.com.evil.org/',
        'https://example.com:8443/',
        'https://exampleXcom/',
        'http://example.com/c',
      ])
        await at(other)
      await at('https://example.com/secret?token=1')
      const { knownPages } = test.store.pages
      expect(await knownPages(['https://example.com'], 10)).toEqual([
        { url: 'https://example.com/a', title: 'A' },
        { url: 'https://example.com/b' },
      ])
      expect(await knownPages(['https://example.com', 'http://example.com'], 10)).toHaveLength(3)
      expect(await knownPages(['https://example.com', 'http://example.com'], 1)).toHaveLength(1)
      expect(await knownPages(['https://%', 'https://example_com', ''], 10)).toEqual([])
      expect(await knownPages([], 10)).toEqual([])
      const { keepFile, findCapture } = test.store.pages
      const file = { ...capture(), url: 'https://example.com/sitemap.xml' }
      await keepFile('file of a site', file)
      expect(await findCapture('file of a site')).toMatchObject({ url: file.url, status: 200 })
      expect(await knownPages(['https://example.com'], 10)).toHaveLength(2)
    })

    it('keeps hostile text in documents, options and metadata as it is', async () => {
      const odd = `'); drop table scrapes; -- \u0000 \ud800 ${'"'.repeat(50)} 🕸`
      const asked = { ...scrape(), options: { odd }, overlay: JSON.stringify({ [odd]: odd }) }
      const body = Buffer.from(JSON.stringify({ markdown: odd }))
      await record({
        scrape: asked,
        document: { digestKey: JSON.stringify(odd), body },
        capture: undefined,
      })
      const found = await test.store.pages.getScrape(teamId, asked.id)
      expect(found).toMatchObject({ documentBody: body, options: { odd }, overlay: { [odd]: odd } })
    })
  })

  describe('the sweep', () => {
    it('removes expired scrapes and documents that nothing leads to, and keeps the cache', async () => {
      await start()
      const cached = await visit('key')
      const uncached = scrape()
      await record({ scrape: uncached, document: { digestKey: 'x', body: Buffer.from('{}') }, capture: undefined })
      test.clock.wind(DAY_MS)
      expect(await test.store.sweep()).toMatchObject({ scrapes: 2, documents: 0, captures: 0 })
      test.clock.wind(HOUR_MS)
      expect(await test.store.sweep()).toMatchObject({ scrapes: 0, documents: 1, captures: 0 })
      expect((await test.store.pages.findAnswer('key', 'md'))!.documentId).toBe(cached.documentId)
    })

    it('keeps a document as long as any scrape refers to it', async () => {
      await start({ cacheMaxAgeMs: HOUR_MS })
      const { captureId, documentId } = await visit('key')
      test.clock.wind(HOUR_MS / 2)
      const late = scrape()
      await record({
        scrape: { ...late, lifeMs: 3 * DAY_MS },
        document: { id: documentId },
        capture: { id: captureId },
      })
      test.clock.wind(2 * DAY_MS)
      expect(await test.store.sweep()).toMatchObject({ scrapes: 1, captures: 1, documents: 0 })
      expect(await test.store.pages.getScrape(teamId, late.id)).toBeDefined()
      test.clock.wind(2 * DAY_MS)
      expect(await test.store.sweep()).toMatchObject({ scrapes: 1, documents: 1 })
    })

    it('drops captures that are too old, with their files and documents', async () => {
      await start({ cacheMaxAgeMs: 2 * DAY_MS })
      await visit('small')
      await visit('large', new Uint8Array(2_000_000))
      test.clock.wind(2 * DAY_MS)
      expect((await test.store.sweep()).captures).toBe(0)
      test.clock.wind(1)
      expect(await test.store.sweep()).toMatchObject({ captures: 2, blobs: 1 })
      expect(await test.store.pages.findHead('small')).toBeUndefined()
      expect(await blobFiles()).toEqual([])
      test.clock.wind(HOUR_MS)
      expect((await test.store.sweep()).documents).toBe(2)
    })

    it('holds the cache to its size, least recently used first, documents counted', async () => {
      await start({ cacheMaxBytes: 3_000 })
      const document = Buffer.from(JSON.stringify({ markdown: 'x'.repeat(500) }))
      for (const key of ['a', 'b', 'c', 'd']) {
        await visit(key, new Uint8Array(400), document)
        test.clock.wind(2 * HOUR_MS)
      }
      await test.store.pages.findCapture('a')
      expect((await test.store.sweep()).captures).toBe(1)
      const left = await Promise.all(['a', 'b', 'c', 'd'].map((key) => test.store.pages.findHead(key)))
      expect(left.map((head) => head !== undefined)).toEqual([true, false, true, true])
    })

    it('removes thousands of rows in batches and says when it is next due', async () => {
      await start()
      const body = { digestKey: 'x', body: Buffer.from('{}') }
      const { documentId } = await record({ scrape: scrape(), document: body, capture: undefined })
      await test.store.transaction(async (tx) => {
        for (let at = 0; at < 1200; at += 1)
          await test.store.pages.record(tx, { scrape: scrape(), document: { id: documentId }, capture: undefined })
      })
      const first = await test.store.sweep()
      expect(first).toMatchObject({ scrapes: 0, nextDueAt: test.clock.now() + DAY_MS })
      test.clock.wind(DAY_MS)
      expect((await test.store.sweep()).scrapes).toBe(1201)
      test.clock.wind(2 * HOUR_MS)
      expect(await test.store.sweep()).toMatchObject({ documents: 1, nextDueAt: null })
    })

    it('runs once for all who ask while it runs', async () => {
      await start()
      await visit('key')
      test.clock.wind(DAY_MS)
      const [first, second] = await Promise.all([test.store.sweep(), test.store.sweep()])
      expect(first.scrapes).toBe(1)
      expect(second).toBe(first)
    })

    it('lets requests go on while it works', async () => {
      await start()
      for (let at = 0; at < 20; at += 1) await visit(`key ${at}`)
      test.clock.wind(8 * DAY_MS)
      const sweep = test.store.sweep()
      await Promise.all(Array.from({ length: 20 }, (_, at) => visit(`new ${at}`)))
      expect((await sweep).scrapes).toBe(20)
      expect(await test.store.pages.findHead('new 19')).toBeDefined()
    })
  })
}
