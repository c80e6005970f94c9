// Limits of plans: requests a minute, pages at once, pages waiting; one process on SQLite and two that share PostgreSQL.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newDatabase } from '../contract/open-store.ts'
import { type Site, startSite } from '../site/site.ts'
import { itInSoak } from '../soak.ts'
import { type Answer, type Json, type Service, startService } from './service.ts'
import { type Calls, callsWith, type Member, newKey, newTeam } from './team.ts'
import { until } from './waiting.ts'

const PATIENT_MS = 120_000

/** A page that counts who is in it at the same time, and keeps all there who come between `hold` and what that returns. */
function crowded() {
  const crowd = { now: 0, most: 0 }
  let open = Promise.resolve()
  const hold = (): (() => void) => {
    let release = () => {}
    open = new Promise((resolve) => {
      release = resolve
    })
    return () => release()
  }
  const page = async ({ response, url }: { response: Json; url: URL }) => {
    crowd.now += 1
    crowd.most = Math.max(crowd.most, crowd.now)
    await open
    await new Promise((resolve) => setTimeout(resolve, Number(url.searchParams.get('ms') ?? 0)))
    crowd.now -= 1
    response.setHeader('content-type', 'text/html')
    response.end(`<main><h1>Room</h1><p>${'Somebody was here before us. '.repeat(20)}</p></main>`)
  }
  return { crowd, hold, page }
}

/** The answers to requests that all fell into one minute, which is what limits count. */
async function withinAMinute(ask: (n: number) => Promise<Answer[]>): Promise<Answer[]> {
  const minute = () => Math.floor(Date.now() / 60_000)
  for (let n = 0; ; n++) {
    const began = minute()
    const answers = await ask(n)
    if (minute() === began) return answers
  }
}

/** How many scrapes of a team wait for a slot, in all processes. */
const waiting = async (calls: readonly Calls[]): Promise<number> => {
  const seen = await Promise.all(calls.map((call) => call('GET', '/v2/team/queue-status')))
  return seen.reduce((sum, { json }) => sum + json.waitingJobsInQueue, 0)
}
/** Limits hold for these looks as well. */
const SELDOM = { interval: 300 }

const statuses = (answers: readonly Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('one process', () => {
  const { crowd, hold, page } = crowded()
  let site: Site
  let service: Service
  beforeAll(async () => {
    site = await startSite({ '/room': page })
    service = await startService({ env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ORB_CONCURRENCY: '8' } })
  })
  afterAll(async () => {
    await service?.stop()
    await site?.close()
  })

  it('lets a team ask as often as its plan says, whichever of its keys it uses', async () => {
    let team = {} as Member
    const answers = await withinAMinute(async (n) => {
      team = await newTeam(service, `often ${n}`, { plan: 'free' })
      const other = await newKey(service, { team: team.teamId })
      return Promise.all(
        Array.from({ length: 14 }, (_, at) => (at % 2 ? team : other).call('POST', '/v2/scrape', { url: 'nope' })),
      )
    })
    expect(statuses(answers)).toEqual({ 400: 10, 429: 4 })
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.json.error).toMatch(/^Rate limit exceeded/)
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(60)
    const counted = answers.find(({ status }) => status === 400)!.headers
    expect(counted.get('x-ratelimit-limit')).toBe('10')
    expect(Number(counted.get('x-ratelimit-remaining'))).toBeLessThan(10)
    // Other buckets are not touched, and another team neither.
    expect((await team.call('POST', '/v2/map', {})).status).toBe(400)
    expect((await service.call('POST', '/v2/scrape', { url: 'nope' })).status).toBe(400)
  })

  it('works on as many pages of a team at once as its plan says, and tells who waited', async () => {
    const team = await newTeam(service, 'crowd', { plan: 'hobby' })
    const release = hold()
    const asked = Array.from({ length: 10 }, (_, at) =>
      team.call('POST', '/v2/scrape', { url: `${site.url}/room?${at}`, maxAge: 0, timeout: PATIENT_MS }),
    )
    await expect.poll(async () => [crowd.now, await waiting([team.call])], SELDOM).toEqual([5, 5])
    release()
    const scrapes = await Promise.all(asked)
    expect(statuses(scrapes)).toEqual({ 200: 10 })
    expect(crowd.most).toBe(5)
    const waits = scrapes.map(({ json }) => json.data.metadata)
    const limited = waits.filter((metadata: Json) => metadata.concurrencyLimited)
    expect(limited).toHaveLength(5)
    for (const metadata of limited) expect(metadata.concurrencyQueueDurationMs).toBeGreaterThan(0)
    for (const metadata of waits.filter((each: Json) => !each.concurrencyLimited))
      expect(metadata.concurrencyQueueDurationMs).toBeUndefined()
  })

  it('gives up waiting after two thirds of the timeout, with a code of its own', async () => {
    const team = await newTeam(service, 'impatient', { plan: 'free' })
    const post = (body: object) => team.call('POST', '/v2/scrape', { maxAge: 0, ...body })
    const release = hold()
    const holders = [1, 2].map((n) => post({ url: `${site.url}/room?h=${n}`, timeout: PATIENT_MS }))
    await until(() => crowd.now === 2)
    const late = await post({ url: `${site.url}/room?late`, timeout: 1500 })
    release()
    expect([late.status, late.json.code]).toEqual([408, 'CONCURRENCY_QUEUE_TIMEOUT'])
    expect(statuses(await Promise.all(holders))).toEqual({ 200: 2 })
    expect(site.visits()).not.toContain('/room?late')
  })
})

const server = inject('postgresUrl')

describe.skipIf(!server)('two processes on one PostgreSQL (skipped when none could be started)', () => {
  const { crowd, hold, page } = crowded()
  let site: Site
  let services: Service[] = []
  beforeAll(async () => {
    site = await startSite({ '/room': page })
    const env = {
      ORB_DATABASE_URL: await newDatabase(server as string),
      ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      ORB_CONCURRENCY: '8',
    }
    services = await Promise.all([startService({ env }), startService({ env })])
  })
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()))
    await site?.close()
  })
  const calls = (key: string) => services.map((service) => callsWith(service, key))

  it('count a team’s minute together, to the last request and not one further', async () => {
    const answers = await withinAMinute(async (n) => {
      const { key } = await newTeam(services[0]!, `often ${n}`, { plan: 'free' })
      const both = calls(key)
      const asked = Array.from({ length: 24 }, (_, at) => both[at % 2]!('POST', '/v2/scrape', { url: 'nope' }))
      return [...(await Promise.all(asked)), await both[1]!('GET', '/v2/admin/limits')]
    })
    const limits = answers.pop()!
    expect(statuses(answers)).toEqual({ 400: 10, 429: 14 })
    expect(limits.json.data.now.rates.scrape).toBe(10)
  })

  it('work on no more pages of a team at once than its plan says', async () => {
    crowd.most = 0
    const { key } = await newTeam(services[0]!, 'crowd', { plan: 'hobby' })
    const both = calls(key)
    const release = hold()
    const scrapes = Array.from({ length: 16 }, (_, at) =>
      both[at % 2]!('POST', '/v2/scrape', { url: `${site.url}/room?pg=${at}`, maxAge: 0, timeout: PATIENT_MS }),
    )
    await expect.poll(async () => [crowd.now, await waiting(both)], SELDOM).toEqual([5, 11])
    const seen = await Promise.all(both.map((call) => call('GET', '/v2/concurrency-check')))
    for (const { json } of seen) expect(json.concurrency).toBeLessThanOrEqual(5)
    release()
    const answers = await Promise.all(scrapes)
    expect(statuses(answers)).toEqual({ 200: 16 })
    expect(crowd.most).toBe(5)
    expect(answers.filter(({ json }) => json.data.metadata.concurrencyLimited)).toHaveLength(11)
    await expect
      .poll(async () => (await both[0]!('GET', '/v2/concurrency-check')).json)
      .toMatchObject({ concurrency: 0, maxConcurrency: 5 })
  })

  it('never let a team spend more than it has, whichever process it asks', async () => {
    const { key } = await newTeam(services[0]!, 'thrifty', { credits: 9 })
    const both = calls(key)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        both[at % 2]!('POST', '/v2/scrape', {
          url: `${site.url}/room?ms=30&credit=${at}`,
          maxAge: 0,
          timeout: PATIENT_MS,
        }),
      ),
    )
    expect(statuses(answers)).toEqual({ 200: 9, 402: 11 })
    expect((await both[1]!('GET', '/v2/team/credit-usage')).json.data.remainingCredits).toBe(0)
  })

  itInSoak('give back what a killed process held', async () => {
    const { key } = await newTeam(services[0]!, 'left', { plan: 'free' })
    const [first, second] = calls(key)
    const lost = [1, 2].map((n) =>
      second!('POST', '/v2/scrape', { url: `${site.url}/room?ms=100000&k=${n}`, maxAge: 0, timeout: PATIENT_MS }).catch(
        () => undefined,
      ),
    )
    await expect.poll(async () => (await first!('GET', '/v2/concurrency-check')).json.concurrency).toBe(2)
    await services[1]!.end('SIGKILL')
    await Promise.all(lost)
    const next = await first!('POST', '/v2/scrape', { url: `${site.url}/room?after`, maxAge: 0, timeout: PATIENT_MS })
    expect(next.status).toBe(200)
    expect(next.json.data.metadata.concurrencyLimited).toBe(true)
  })
})
