// Faults C 28, C 30, D 36 and D 37: jobs whose pages all name the same addresses, a dead host among five hundred, a thousand
// requests at once, and what is left of a service when all of that is over.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectSqlite } from '../../src/store/sqlite-connection.ts'
import { closedPort, type Json, type Service, startService } from '../e2e/service.ts'
import { finished, until } from '../e2e/waiting.ts'
import { type Site, startSite } from '../site/site.ts'

const PAGES = 120
const ANCHORS = 1000

let site: Site
let service: Service
beforeAll(async () => {
  site = await startSite({
    // Every page names all pages, each by a thousand names that are one and the same.
    '/dense/*': ({ response, url }) => {
      const own = Number(url.pathname.split('/').at(-1))
      const links = Array.from({ length: ANCHORS }, (_, at) => `<a href="/dense/${at % PAGES}#part-${own}-${at}">x</a>`)
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>Dense ${own}</title><h1>Page ${own}</h1><p>Some words of its own.</p>${links.join('')}`)
    },
    '/one/*': ({ response, url }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>One</title><h1>${url.pathname}</h1><p>A page among many others, with words of its own.</p>`)
    },
    '/slow/*': async ({ response, url }) => {
      await sleep(150)
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        `<title>Slow</title><h1>${url.pathname}</h1><p>A page that takes its time, with words of its own.</p>`,
      )
    },
  })
  service = await startService({ env: { ORB_ALLOW_PRIVATE: '127.0.0.1', ORB_LOG_LEVEL: 'warn' } })
})
afterAll(async () => {
  await service.stop()
  await site.close()
})

describe('jobs', () => {
  it('keep one row for an address that a hundred pages name a thousand times, and visit it once (C 28)', async () => {
    const started = await service.call('POST', '/v2/crawl', {
      ...{
        url: `${site.url}/dense/0`,
        limit: PAGES + 50,
        sitemap: 'skip',
        maxDiscoveryDepth: 10,
        crawlEntireDomain: true,
      },
      scrapeOptions: { formats: ['links'] },
    })
    const done = await finished(service, `${service.url}/v2/crawl/${started.json.id}`, 90_000)
    expect(done).toMatchObject({ status: 'completed', total: PAGES, completed: PAGES })
    for (let at = 0; at < PAGES; at++) expect(site.hits(`/dense/${at}`)).toBe(1)
    const database = connectSqlite(join(service.dataDir, 'orb.db'))
    try {
      const rows = Number(database.value(`select count(*) from frontier where job_id = '${started.json.id}'`))
      expect(rows).toBe(PAGES)
    } finally {
      database.close()
    }
  })

  it('finish though one host of five hundred pages is dead, which tells its own error (C 30)', async () => {
    const dead = `http://127.0.0.1:${await closedPort()}/gone`
    const urls = Array.from({ length: 500 }, (_, at) => (at === 250 ? dead : `${site.url}/one/${at}`))
    const started = await service.call('POST', '/v2/batch/scrape', { urls, formats: ['links'] })
    const done = await finished(service, `${service.url}/v2/batch/scrape/${started.json.id}`, 90_000)
    expect(done).toMatchObject({ status: 'completed', total: 500, completed: 499 })
    const { json } = await service.call('GET', `/v2/batch/scrape/${started.json.id}/errors`)
    expect(json.errors).toHaveLength(1)
    expect(json.errors[0].url).toBe(dead)
    expect(json.errors[0].error).toMatch(/could not be read|refused/i)
  })
})

describe('a thousand scrapes at once (D 36)', () => {
  it('are answered or told when to come again, and the service stays well meanwhile', async () => {
    const { json: team } = await service.call('POST', '/v2/admin/teams', { name: 'busy', plan: 'free' })
    const ask = async (at: number) => {
      const response = await fetch(`${service.url}/v2/scrape`, {
        method: 'POST',
        headers: { authorization: `Bearer ${at % 2 ? service.key : team.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: `${site.url}/slow/${at}`, maxAge: 0, timeout: 60_000, formats: ['links'] }),
      })
      await response.arrayBuffer()
      return { status: response.status, retryAfter: response.headers.get('retry-after') }
    }
    let isOver = false
    const asked = Promise.all(Array.from({ length: 1000 }, (_, at) => ask(at))).finally(() => {
      isOver = true
    })
    const healths: number[] = []
    while (!isOver) {
      healths.push((await service.call('GET', '/health')).status)
      await sleep(100)
    }
    const answers = await asked
    const statuses = new Set(answers.map(({ status }) => status))
    for (const status of statuses) expect([200, 408, 429]).toContain(status)
    expect(statuses).toContain(200)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ retryAfter }) => Number(retryAfter) >= 1)).toBe(true)
    expect(new Set(healths)).toEqual(new Set([200]))
    expect(residentMb('VmHWM')).toBeLessThan(900)
  })
})

const residentMb = (field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024
const threads = (): number => readdirSync(`/proc/${service.pid}/task`).length
const children = (): string[] =>
  spawnSync('ps', ['-o', 'args=', '--ppid', String(service.pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.trim() !== '')
/** Hundredths of a second of CPU, of the service alone. */
const ticks = (): number => {
  const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}

describe('idle after load (D 37)', () => {
  it('a service has no browser, no child and no thread too many, and hardly works', async () => {
    const scrape = (path: string, more = {}) =>
      service.call('POST', '/v2/scrape', { url: site.url + path, maxAge: 0, timeout: 120_000, ...more })
    // The most of all: on a slow machine some threads are given back before the last page is done.
    const most = { threads: 0, residentMb: 0 }
    const watch = setInterval(() => {
      most.threads = Math.max(most.threads, threads())
      most.residentMb = Math.max(most.residentMb, residentMb('VmRSS'))
    }, 100)
    const visits = await Promise.all(
      Array.from({ length: 8 }, (_, at) => scrape(`/one/${at}`, at % 2 ? { formats: ['screenshot'] } : { waitFor: 1 })),
    )
    expect(visits.map(({ status }: Json) => status)).toEqual(visits.map(() => 200))
    expect((await scrape('/paper.pdf')).status).toBe(200)
    clearInterval(watch)
    expect(children().length).toBeGreaterThan(0)
    await until(() => children().length === 0)
    await until(() => threads() < most.threads)
    const health = await service.call('GET', '/v2/admin/health')
    if (health.status === 200) expect(health.json.data.browsers.running).toBe(0)
    // A hundredth of one core, and what the look at it cost; sweeps and threads that end come first.
    await until(async () => {
      const from = ticks()
      await sleep(5000)
      return ticks() - from < 25
    })
    expect(residentMb('VmRSS')).toBeLessThan(Math.max(400, most.residentMb))
  })
})
