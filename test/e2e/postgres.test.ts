// The same service on PostgreSQL: only the setting differs. Two of them share what one has scraped.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Site, startSite } from '../site/site.ts'
import { understoodPages } from '../site/understood.ts'
import { type Json, type Service, startService } from './service.ts'

const server = inject('postgresUrl')

describe.skipIf(!server)('on PostgreSQL (skipped when none could be started)', () => {
  const name = `orb_e2e_${process.pid}`
  let site: Site
  let first: Service
  let second: Service

  beforeAll(async () => {
    const admin = new pg.Client({ connectionString: server })
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    site = await startSite(understoodPages)
    const url = new URL(server as string)
    url.pathname = `/${name}`
    const env = {
      ORB_DATABASE_URL: url.href,
      ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      ORB_DIFF_FORMAT: 'object',
    }
    // Both at once: the schema is made by one of them, and the other waits.
    ;[first, second] = await Promise.all([startService({ env }), startService({ env })])
  })
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop()])
    await site?.close()
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

  it('is healthy', async () => {
    expect((await first.call('GET', '/health')).json).toMatchObject({ ready: true })
  })
})
