// Fault D 32: a disk that fills up under the service, a real one of a few megabytes. What must be written is refused with
// the reason, what is only read goes on, and all is well again when there is room, without a restart.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyFolder, type Service, startService } from '../e2e/service.ts'
import { type Site, startSite } from '../site/site.ts'

const SIZE_MB = 48
const dataDir = emptyFolder()
const filler = join(dataDir, 'filler')

/** A file system of its own, where this machine lets us make one. */
function mountSmall(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', dataDir], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Takes all that is left. */
function fill(): void {
  for (const bytes of [1 << 20, 1 << 16, 1 << 12])
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' })
    } catch {
      // Nothing of this size fits any longer.
    }
}

describe.skipIf(!mountSmall())('a disk that is full (skipped where none can be mounted)', () => {
  let site: Site
  let service: Service
  beforeAll(async () => {
    site = await startSite()
    service = await startService({ dataDir, env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
  })
  afterAll(async () => {
    await service.end('SIGKILL')
    execFileSync('umount', [dataDir])
    rmSync(dataDir, { recursive: true, force: true })
    await site.close()
  })

  it('refuses what must be written, says why, reads on, and recovers by itself', async () => {
    const scrape = (path: string) => service.call('POST', '/v2/scrape', { url: site.url + path })
    const kept = await scrape('/article')
    expect(kept.status).toBe(200)
    const { scrapeId } = kept.json.data.metadata
    const crawl = await service.call('POST', '/v2/crawl', { url: `${site.url}/article`, limit: 1 })
    await expect
      .poll(async () => (await service.call('GET', `/v2/crawl/${crawl.json.id}`)).json.status)
      .toBe('completed')
    expect((await service.call('GET', '/health')).status).toBe(200)

    fill()
    for (const [path, body] of [
      ['/v2/scrape', { url: `${site.url}/article`, maxAge: 0 }],
      ['/v2/crawl', { url: `${site.url}/article` }],
      ['/v2/batch/scrape', { urls: [`${site.url}/article`] }],
      ['/v2/admin/forget', { host: '127.0.0.1' }],
    ] as const) {
      const { status, json } = await service.call('POST', path, body)
      expect([path, status, json.error]).toEqual([path, 503, expect.stringMatching(/disk is full/)])
    }
    const health = await service.call('GET', '/health')
    expect(health.status).toBe(503)
    expect(health.json.ready).toBe(false)
    expect(health.json.why.join()).toMatch(/disk is full/)
    expect((await service.call('GET', `/v2/scrape/${scrapeId}`)).status).toBe(200)
    expect((await service.call('GET', `/v2/crawl/${crawl.json.id}`)).json.data).toHaveLength(1)
    expect(service.logged().join()).not.toMatch(/cannot rollback/)

    rmSync(filler)
    await expect.poll(async () => (await service.call('GET', '/health')).status).toBe(200)
    expect((await scrape('/article?again')).status).toBe(200)
  })
})
