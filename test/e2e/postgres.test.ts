// The same service on PostgreSQL: only the setting differs. Two of them share what one has scraped, through a database and a
// bucket: each has a data folder of its own.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
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
  let bucket: S3rver
  const objects = mkdtempSync(join(tmpdir(), 'orb-bucket-'))

  beforeAll(async () => {
    const admin = new pg.Client({ connectionString: server })
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    site = await startSite(understoodPages)
    const url = new URL(server as string)
    url.pathname = `/${name}`
    const buckets = [{ name: 'orb' }]
    bucket = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: objects, configureBuckets: buckets })
    const env = {
      ORB_S3_ENDPOINT: `http://127.0.0.1:${(await bucket.run()).port}`,
      ORB_S3_BUCKET: 'orb',
      ORB_S3_ACCESS_KEY: 'S3RVER',
      ORB_S3_SECRET_KEY: 'S3RVER',
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
    await bucket?.close()
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
    const picture = await fetch(link)
    expect(picture.status).toBe(200)
    expect(Buffer.from(await picture.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG')
    expect(readdirSync(join(objects, 'orb')).length).toBeGreaterThan(0)
    await second.call('POST', '/v2/admin/forget', { url })
    expect((await fetch(link)).status).toBe(404)
    expect(readdirSync(join(objects, 'orb'))).toEqual([])
  })

  it('is healthy', async () => {
    expect((await first.call('GET', '/health')).json).toMatchObject({ ready: true })
  })
})
