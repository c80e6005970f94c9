// Wire contract §17–19: a team's account, feedback and what is not offered, through the released SDK.
import { FirecrawlAppV1 } from 'firecrawl'
import { beforeAll, describe, expect, it } from 'vitest'
import { heldPage } from '../site/held.ts'
import type { Json } from './service.ts'
import { failure, type Member, newKey, newTeam } from './team.ts'
import { pageContext } from './test-context.ts'
import { until } from './waiting.ts'

let team: Member
const { page: held, hold } = heldPage()
const { site, service } = pageContext({ '/held': held }, { ORB_CONCURRENCY: '6' })
beforeAll(async () => {
  team = await newTeam(service, 'web', { credits: 100, plan: 'hobby' })
})

const MONTH = 86_400_000 * 27
const began = Date.now()

describe('credits and tokens', () => {
  it('are what is left of what was granted', async () => {
    expect(await team.sdk.getCreditUsage()).toEqual({
      remainingCredits: 100,
      planCredits: 100,
      billingPeriodStart: null,
      billingPeriodEnd: null,
    })
    await team.sdk.scrape(`${site.url}/article`)
    expect(await team.sdk.getCreditUsage()).toMatchObject({ remainingCredits: 99, planCredits: 100 })
    expect(await team.sdk.getTokenUsage()).toMatchObject({ remainingTokens: 99 * 15, planTokens: 1500 })
  })

  it('are a large whole number for a team without limit', async () => {
    expect(await service.sdk.getCreditUsage()).toMatchObject({
      remainingCredits: 999_999_999,
      planCredits: 999_999_999,
    })
  })

  it('are refused with 402 when none are left, and the work is not done', async () => {
    const poor = await newTeam(service, 'poor', { credits: 1 })
    await poor.sdk.scrape(`${site.url}/docs`)
    const refused = await failure(poor.sdk.scrape(`${site.url}/article?2`))
    expect(refused.status).toBe(402)
    expect(refused.message).toMatch(/^Payment Required: Insufficient credits/)
    expect(site.visits()).not.toContain('/article?2')
    expect((await poor.sdk.getCreditUsage()).remainingCredits).toBe(0)
  })

  it('are told by month and by key', async () => {
    const laptop = await newKey(service, { team: team.teamId, name: 'laptop' })
    await laptop.sdk.scrape(`${site.url}/docs`)
    await laptop.sdk.scrape(`${site.url}/docs`)
    const whole: Json = await team.sdk.getCreditUsageHistorical()
    expect(whole.success).toBe(true)
    expect(whole.periods).toHaveLength(1)
    expect(whole.periods[0]).toMatchObject({ apiKey: null, creditsUsed: 3, totalCredits: 3 })
    const { startDate, endDate } = whole.periods[0]
    expect(Date.parse(endDate) - Date.parse(startDate)).toBeGreaterThan(MONTH)
    const byKey: Json = await team.sdk.getCreditUsageHistorical(true)
    const sums = Object.fromEntries(byKey.periods.map((period: Json) => [period.apiKey, period.creditsUsed]))
    expect(sums).toEqual({ 'first key': 1, laptop: 2 })
    const tokens: Json = await team.sdk.getTokenUsageHistorical(true)
    expect(tokens.periods.find((period: Json) => period.apiKey === 'laptop')).toMatchObject({
      tokensUsed: 30,
      totalTokens: 30,
    })
  })

  it('are told by day and week too, and by nothing else', async () => {
    for (const [range, days] of [
      ['day', 1],
      ['week', 7],
    ] as const) {
      const { json } = await team.call('GET', `/v2/team/credit-usage/historical?timeRange=${range}`)
      const [period] = json.periods
      expect((Date.parse(period.endDate) - Date.parse(period.startDate)) / 86_400_000).toBe(days)
    }
    const wrong = await team.call('GET', '/v2/team/credit-usage/historical?timeRange=year')
    expect(wrong.status).toBe(400)
    expect(wrong.json.error).toMatch(/timeRange/)
  })

  it('are told to clients of the first version in its words', async () => {
    const old = new FirecrawlAppV1({ apiKey: team.key, apiUrl: service.url })
    const { data }: Json = await old.getCreditUsage()
    expect(data).toEqual({
      remaining_credits: 97,
      plan_credits: 100,
      billing_period_start: null,
      billing_period_end: null,
    })
    expect(((await old.getTokenUsage()) as Json).data.plan_tokens).toBe(1500)
    expect(((await old.getCreditUsageHistorical(true)) as Json).periods).toHaveLength(2)
    expect(await old.getQueueStatus()).toMatchObject({ success: true, maxConcurrency: 5 })
  })
})

describe('the queue', () => {
  it('tells how much may run at once and when a page last came', async () => {
    expect(await team.sdk.getConcurrency()).toEqual({ concurrency: 0, maxConcurrency: 5 })
    const queue: Json = await team.sdk.getQueueStatus()
    expect(queue).toMatchObject({
      success: true,
      jobsInQueue: 0,
      activeJobsInQueue: 0,
      waitingJobsInQueue: 0,
      maxConcurrency: 5,
    })
    expect(Date.parse(queue.mostRecentSuccess)).toBeGreaterThan(began)
    const fresh = await newTeam(service, 'fresh')
    expect(await fresh.sdk.getQueueStatus()).toMatchObject({ mostRecentSuccess: null, maxConcurrency: 6 })
  })

  it('counts what is under way', async () => {
    const release = hold()
    const slow = team.sdk.scrape(`${site.url}/held`, { maxAge: 0 })
    await expect.poll(async () => (await team.sdk.getConcurrency()).concurrency).toBe(1)
    expect(((await team.sdk.getQueueStatus()) as Json).activeJobsInQueue).toBe(1)
    release()
    await slow
    expect((await team.sdk.getConcurrency()).concurrency).toBe(0)
  })
})

describe('activity', () => {
  it('lists what was asked for, newest first, page by page, of one endpoint if wanted', async () => {
    const busy = await newTeam(service, 'busy')
    const scraped: Json = await busy.sdk.scrape(`${site.url}/article`)
    await busy.sdk.map(site.url, { limit: 2 })
    await failure(busy.sdk.scrape(`${site.url}/article?never`, { lockdown: true }))
    const { json } = await busy.call('GET', '/v2/team/activity')
    expect(json).toMatchObject({ success: true, cursor: null, has_more: false })
    expect(json.data.map((row: Json) => row.endpoint)).toEqual(['scrape', 'map', 'scrape'])
    expect(json.data[2]).toMatchObject({
      id: scraped.metadata.scrapeId,
      api_version: 'v2',
      target: `${site.url}/article`,
    })
    expect(Date.parse(json.data[2].created_at)).toBeGreaterThan(began)
    const { creditsUsed } = (await busy.sdk.getCreditUsageHistorical()).periods[0] as Json
    const sum = json.data.reduce((all: number, row: Json) => all + row.credits, 0)
    expect([sum, json.data.map((row: Json) => row.credits)]).toEqual([creditsUsed, [1, 1, 1]])
    // Nothing is kept of a lockdown, not even its address.
    expect(json.data[0].target).toBeNull()
    const first = await busy.call('GET', '/v2/team/activity?endpoint=scrape&limit=1')
    expect(first.json).toMatchObject({ has_more: true })
    const second = await busy.call('GET', `/v2/team/activity?endpoint=scrape&limit=1&cursor=${first.json.cursor}`)
    expect(second.json).toMatchObject({ has_more: false, cursor: null })
    expect(second.json.data[0].id).toBe(scraped.metadata.scrapeId)
    for (const wrong of ['limit=0', 'limit=101', 'limit=x', 'endpoint=nothing', 'cursor=x'])
      expect((await busy.call('GET', `/v2/team/activity?${wrong}`)).status).toBe(400)
  })

  it('keeps no address of a team that keeps nothing', async () => {
    const forced = await newTeam(service, 'forced', { zeroDataRetention: 'forced' })
    expect((await forced.call('GET', `/r/${site.url}/article`)).status).toBe(200)
    const { json } = await forced.call('GET', '/v2/team/activity')
    expect(json.data.map((row: Json) => row.target)).toEqual([null])
  })

  it('keeps the name a caller gave for its own books, without ever returning it to a team', async () => {
    const audited = await newTeam(service, 'audited')
    await audited.sdk.scrape(`${site.url}/article`, { auditMetadata: { username: 'ada@example.org' } })
    const { text } = await audited.call('GET', '/v2/team/activity')
    expect(text).not.toContain('ada@')
    const { json } = await audited.call('GET', '/v2/admin/activity')
    expect(json.data[0]).toMatchObject({ username: 'ada@example.org', status: 200, keyName: 'first key' })
    expect(json.data[0].engine).toMatch(/^(cache|http)$/)
  })

  it('keeps that name of every kind of work, with the work alone, and forgets it with the team', async () => {
    const audited = await newTeam(service, 'audited everywhere')
    const { sdk } = audited
    const by = (username: string) => ({ auditMetadata: { username } })
    const url = `${site.url}/article`
    const crawl: Json = await sdk.startCrawl(url, { limit: 1, scrapeOptions: by('the crawler') })
    const batch: Json = await sdk.startBatchScrape([url], { options: by('the batcher') })
    const mapped: Json = await sdk.map(url, { limit: 1, ...by('the mapper') })
    // There may be no web here to search: what was asked for is written down all the same.
    const asked = { limit: 1, scrapeOptions: { formats: ['markdown' as const], ...by('the searcher') } }
    const found: Json = await sdk.search('article', asked).catch(({ message }) => message)
    const run: Json = await sdk.startAgent({ prompt: 'What is the title?', urls: [url], ...by('the agent') })
    const file = { data: '<h1>A file</h1>', filename: 'page.html' }
    const parsed: Json = await sdk.parse(file, { formats: ['markdown'], ...by('the parser') })
    const answers = [crawl, batch, mapped, found, run, parsed]
    for (const { id } of [crawl, batch])
      answers.push((await audited.call('GET', `/v2/${id === crawl.id ? 'crawl' : 'batch/scrape'}/${id}`)).json)
    expect(JSON.stringify(answers)).not.toContain('"the ')
    const names = async () => {
      const { json } = await audited.call('GET', '/v2/admin/activity')
      return json.data.map(({ endpoint, username }: Json) => [endpoint, username]).sort()
    }
    await until(async () => (await names()).length >= 6)
    expect(await names()).toEqual([
      ['agent', 'the agent'],
      ['batch_scrape', 'the batcher'],
      ['crawl', 'the crawler'],
      ['map', 'the mapper'],
      ['parse', 'the parser'],
      ['search', 'the searcher'],
    ])
    for (const wrong of [{}, { username: '' }, { username: 'x'.repeat(1025) }, { username: 'me', more: 1 }])
      expect((await audited.call('POST', '/v2/scrape', { url, auditMetadata: wrong })).status).toBe(400)
    // Refused as long as some of that work is under way.
    const forget = () => service.call('POST', '/v2/admin/forget', { team: audited.teamId })
    await until(async () => (await forget()).status === 200, 60_000)
    expect((await names()).filter(([, username]: Json) => username !== null)).toEqual([])
  })
})

describe('feedback', () => {
  it('is taken once for a result of the team’s own', async () => {
    const scraped: Json = await team.sdk.scrape(`${site.url}/article`)
    const request = {
      endpoint: 'scrape' as const,
      jobId: scraped.metadata.scrapeId,
      rating: 'bad' as const,
      note: 'The table is missing',
    }
    const first: Json = await team.sdk.feedback(request)
    expect(first).toMatchObject({ success: true, creditsRefunded: 0 })
    expect(first.feedbackId).toMatch(/^[0-9a-f-]{36}$/)
    expect(first.alreadySubmitted).toBeUndefined()
    const second: Json = await team.sdk.feedback(request)
    expect(second).toMatchObject({ feedbackId: first.feedbackId, alreadySubmitted: true, creditsRefunded: 0 })
    const mapped: Json = await team.call('POST', '/v2/map', { url: site.url, limit: 2 })
    const about = { endpoint: 'map', jobId: mapped.json.id, rating: 'partial', tags: ['too-few'] }
    expect((await team.call('POST', '/v2/feedback', about)).status).toBe(200)
    const stranger = await newTeam(service, 'stranger')
    const foreign = await stranger.call('POST', '/v2/feedback', request)
    expect(foreign.status).toBe(404)
    expect(foreign.json.feedbackErrorCode).toBe('JOB_NOT_FOUND')
    const wrongKind = await team.call('POST', '/v2/feedback', { ...about, endpoint: 'parse' })
    expect(wrongKind.json.feedbackErrorCode).toBe('JOB_NOT_FOUND')
  })

  it('says what is wrong with an opinion that tells nothing', async () => {
    const jobId = '019a0000-0000-7000-8000-000000000000'
    for (const body of [
      { endpoint: 'scrape', jobId, rating: 'good' },
      { endpoint: 'scrape', jobId, rating: 'great', note: 'x' },
      { endpoint: 'search', jobId, rating: 'good', note: 'x' },
      { endpoint: 'scrape', jobId: 'x', rating: 'good', note: 'x' },
      { endpoint: 'scrape', jobId, rating: 'good', tags: ['Not A Tag'] },
      { endpoint: 'scrape', jobId, rating: 'good', url: 'javascript:alert(1)' },
      { endpoint: 'scrape', jobId, rating: 'good', note: 'x', metadata: { x: 'y'.repeat(9000) } },
      { endpoint: 'scrape', jobId, rating: 'good', note: 'x', unknown: 1 },
    ]) {
      const { status, json } = await team.call('POST', '/v2/feedback', body)
      expect(status, JSON.stringify(body)).toBe(400)
      expect(json).toMatchObject({ success: false, feedbackErrorCode: 'INVALID_BODY' })
      expect(json.details).toBeInstanceOf(Array)
    }
  })

  it('on a search needs a search', async () => {
    const id = '019a0000-0000-7000-8000-000000000000'
    const refused = await failure(
      team.sdk.searchFeedback(id, { rating: 'good', valuableSources: [{ url: 'https://example.com' }] }),
    )
    expect(refused.status).toBe(404)
    expect(refused.details.feedbackErrorCode).toBe('SEARCH_NOT_FOUND')
    const malformed = await team.call('POST', '/v2/search/x/feedback', { rating: 'bad', querySuggestions: 'y' })
    expect(malformed.status).toBe(400)
  })
})

describe('what is not offered', () => {
  it('says so in the form its clients read', async () => {
    const papers = await failure((team.sdk as Json).research.searchPapers('spiders'))
    expect(papers.message).toMatch(/not offered/)
    for (const [method, path] of [
      ['GET', '/v2/search/research/papers?query=x'],
      ['GET', '/v2/search/research/papers/arxiv%3A2401.1%2F2?query=x'],
      ['GET', '/v2/search/research/papers/1/similar'],
      ['GET', '/v2/search/research/github?query=x'],
      ['GET', '/v2/search/developer?query=x'],
      ['POST', '/v2/search/developer'],
    ] as const) {
      const { status, json } = await team.call(method, path, method === 'POST' ? { query: 'x' } : undefined)
      expect(status).toBe(501)
      expect(json).toMatchObject({ success: false, status: 501, title: 'Not Implemented' })
      expect(json.detail).toMatch(/not offered/)
    }
    const support = await team.call('POST', '/v2/support/ask', { question: 'why?' })
    expect(support.status).toBe(503)
    expect(support.json.error).toBe('support_unavailable')
    for (const [method, path] of [
      ['GET', '/v2/team/siem'],
      ['POST', '/v2/team/siem/test'],
    ] as const) {
      const { status, json } = await team.call(method, path, method === 'GET' ? undefined : {})
      expect(status).toBe(403)
      expect(json.error).toMatch(/^Forbidden/)
    }
    const tools = await team.call('POST', '/v2/scrape', { alexandria: [{ provider: 'a', capability: 'b' }] })
    expect(tools.status).toBe(403)
    expect(tools.json.code).toBe('exchange_not_enabled')
    for (const path of ['/exchange/discover', '/v2/exchange/x', '/v2/keyless/eligibility'])
      expect((await team.call('GET', path)).status).toBe(404)
  })
})
