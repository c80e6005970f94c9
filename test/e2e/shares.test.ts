// Who gets how much: fair turns between teams and jobs, credits that run out, slots of a plan.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, expect, it } from 'vitest'
import { linkedPages } from '../site/linked.ts'
import type { Page } from '../site/site.ts'
import { type Json, request, runToEnd } from './service.ts'
import { pageContext } from './test-context.ts'
import { until } from './waiting.ts'

/** Pages come once this is settled. */
let opened = Promise.resolve()
const linked: Page = async (scene) => {
  await opened
  await linkedPages['/linked/*']?.(scene)
}
const { site, service } = pageContext({ ...linkedPages, '/linked/*': linked }, { ORB_CONCURRENCY: '4' })

async function newTeam(name: string, ...options: string[]) {
  const { out } = await runToEnd({ ORB_DATA_DIR: service.dataDir }, ['teams', 'create', name, ...options])
  const key = /fc-[0-9a-f]{32}/.exec(out)![0]
  return (method: string, path: string, body?: unknown) =>
    request(service.url + path, method, body, { authorization: `Bearer ${key}` })
}
type Caller = Awaited<ReturnType<typeof newTeam>>

/** `mark`: stands in the addresses of all its pages. */
const crawl = async (call: Caller, from: number, limit = 20, mark = ''): Promise<Json> =>
  (
    await call('POST', '/v2/crawl', {
      url: `${site.url}/linked/${from}?ms=30${mark}`,
      limit,
      crawlEntireDomain: true,
      sitemap: 'skip',
      scrapeOptions: { maxAge: 0 },
    })
  ).json
const sums = async (call: Caller, id: string) => (await call('GET', `/v2/crawl/${id}?skip=999`)).json

/** None of a thread that has just ended. */
function belowOf(task: number, first: number): number[] {
  try {
    return [getPriority(task) - first]
  } catch {
    return []
  }
}

describe.skipIf(process.platform !== 'linux')('when cores are short', () => {
  it('the event loop comes before threads that read pages, and those before browsers', async () => {
    const options = { url: `${site.url}/linked/1`, maxAge: 0, waitFor: 1, timeout: 200_000 }
    expect((await service.call('POST', '/v2/scrape', options)).status).toBe(200)
    const first = getPriority(service.pid)
    const threads = readdirSync(`/proc/${service.pid}/task`).flatMap((task) => belowOf(Number(task), first))
    expect(Math.min(...threads)).toBe(0)
    expect(threads.filter((below) => below === 5).length).toBeGreaterThan(0)
    const { stdout } = spawnSync('ps', ['-L', '-o', 'ni=,args=', '--ppid', String(service.pid)], { encoding: 'utf8' })
    const browsers = stdout.split('\n').filter((line) => line.includes('--orb-mark='))
    const children = browsers.map((line) => Number.parseInt(line, 10))
    expect(children.length).toBeGreaterThan(3)
    expect(Math.min(...children) - first, stdout).toBeGreaterThanOrEqual(Math.min(10, 19 - first))
  })
})

describe('teams that crawl at the same time', () => {
  it('get their share, however many crawls another has started', async () => {
    const [greedy, modest] = [await newTeam('greedy'), await newTeam('modest')]
    const many: string[] = []
    // None gets ahead while others are still being started.
    let open = () => {}
    opened = new Promise((resolve) => {
      open = resolve
    })
    for (let n = 0; n < 8; n += 1) many.push((await crawl(greedy, n, 20, `&by=greedy-${n}`)).id)
    const { id } = await crawl(modest, 20, 20, '&by=modest')
    open()
    await until(async () => (await sums(modest, id)).status === 'completed', 30_000)
    // In the order of visits: what goes on until somebody asks is not counted.
    const visits = site.visits()
    const before = visits.slice(
      0,
      visits.findLastIndex((path) => path.includes('by=modest')),
    )
    const counts = many.map((_, n) => before.filter((path) => path.includes(`by=greedy-${n}`)).length)
    // The modest team's 20 pages came through while the greedy one, with eight times the work, had hardly more.
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(80)
    // And the greedy team's own crawls took turns.
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(4)
    await until(
      async () =>
        (await Promise.all(many.map((each) => sums(greedy, each)))).every(({ status }) => status === 'completed'),
      40_000,
    )
  })

  it('cannot see, cancel or add to each other', async () => {
    const [one, other] = [await newTeam('one'), await newTeam('other')]
    const { json } = await one('POST', '/v2/batch/scrape', { urls: [`${site.url}/linked/1`] })
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/errors'],
    ] as const)
      expect((await other(method, `/v2/batch/scrape/${json.id}${path}`)).status).toBe(404)
    const added = await other('POST', '/v2/batch/scrape', { urls: [`${site.url}/linked/1`], appendToId: json.id })
    expect(added.status).toBe(404)
  })
})

describe('a team with few credits', () => {
  it('is refused a batch it cannot pay, and crawls as far as its credits go', async () => {
    const poor = await newTeam('poor', '--credits', '5')
    const urls = Array.from({ length: 6 }, (_, n) => `${site.url}/linked/${n}`)
    expect((await poor('POST', '/v2/batch/scrape', { urls })).status).toBe(402)
    const started = await crawl(poor, 0, 50)
    expect(started.warning).toMatch(/lowered to 5/)
    await until(async () => (await sums(poor, started.id)).status === 'completed')
    expect(await sums(poor, started.id)).toMatchObject({ total: 5, completed: 5, creditsUsed: 5 })
    expect((await poor('POST', '/v2/crawl', { url: `${site.url}/linked/0` })).status).toBe(402)
  })

  it('ends a job early, with what is done, when two jobs spend the same credits', async () => {
    const poor = await newTeam('poorer', '--credits', '8')
    const first = await crawl(poor, 0, 8)
    const second = await crawl(poor, 30, 8)
    const both = () => Promise.all([first, second].map(({ id }) => sums(poor, id)))
    await until(async () => (await both()).every(({ status }) => status === 'completed'), 30_000)
    const [one, two] = await both()
    expect(one.creditsUsed + two.creditsUsed).toBe(8)
    expect(one.completed + two.completed).toBe(8)
    expect(`${one.warning} ${two.warning}`).toMatch(/Insufficient credits/)
  })
})

describe('zero data retention', () => {
  it('keeps the results of a job for an hour only, and nothing for the cache', async () => {
    const urls = [`${site.url}/linked/55`]
    const { json } = await service.call('POST', '/v2/batch/scrape', { urls, zeroDataRetention: true })
    const status = async () => (await service.call('GET', `/v2/batch/scrape/${json.id}`)).json
    await until(async () => (await status()).status === 'completed')
    const done = await status()
    expect(done.data[0].markdown).toMatch(/Page 55/)
    expect(done.creditsUsed).toBe(2)
    expect(Date.parse(done.expiresAt) - Date.parse(done.completedAt)).toBe(3_600_000)
    const hits = site.hits('/linked/55')
    await service.call('POST', '/v2/scrape', { url: urls[0] })
    expect(site.hits('/linked/55')).toBe(hits + 1)
  })
})
