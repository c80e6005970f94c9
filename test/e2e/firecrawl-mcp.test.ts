// The released MCP server `firecrawl-mcp`, unmodified, started as an agent's client starts it and pointed at this service:
// every tool it has is called once at least.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letter } from '../documents/pdfs.mjs'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const program = join(dirname(createRequire(import.meta.url).resolve('firecrawl-mcp/package.json')), 'dist/index.js')
const folder = mkdtempSync(join(tmpdir(), 'orb-fcmcp-'))
let client: Client
const called = new Set<string>()
const { site, service } = shared()
beforeAll(async () => {
  client = new Client({ name: 'test', version: '1' })
  const env = { PATH: process.env.PATH ?? '', FIRECRAWL_API_URL: service.url, FIRECRAWL_API_KEY: service.key }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program], env, cwd: folder, stderr: 'ignore' }),
  )
})
afterAll(async () => {
  await client?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function call(name: string, args: Record<string, unknown>): Promise<{ isError: boolean; text: string }> {
  called.add(name)
  const result = (await client.callTool({ name, arguments: args }, undefined, { timeout: 80_000 })) as CallToolResult
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return { isError: result.isError === true, text }
}

const NOBODY = '019a0000-0000-7000-8000-000000000000'

describe('tools whose capability exists', () => {
  it('firecrawl_scrape', async () => {
    const { isError, text } = await call('firecrawl_scrape', {
      url: `${site.url}/article`,
      formats: ['markdown', 'links'],
      onlyMainContent: true,
      maxAge: 0,
      location: { country: 'DE', languages: ['de'] },
    })
    expect(isError, text).toBe(false)
    const page = JSON.parse(text)
    expect(page.markdown).toMatch(/^# /m)
    expect(page.metadata.statusCode).toBe(200)
  })

  it('firecrawl_map', async () => {
    const { isError, text } = await call('firecrawl_map', { url: site.url, limit: 5 })
    expect(isError, text).toBe(false)
    expect(text).toContain(site.url)
  })

  it('firecrawl_crawl and firecrawl_check_crawl_status', async () => {
    const started = await call('firecrawl_crawl', { url: `${site.url}/article`, limit: 2 })
    expect(started.isError, started.text).toBe(false)
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(started.text)?.[0] ?? ''
    await until(async () => {
      const { isError, text } = await call('firecrawl_check_crawl_status', { id })
      expect(isError, text).toBe(false)
      return /completed"/.test(text)
    })
  })

  it('firecrawl_parse, of a file beside it', async () => {
    const filePath = join(folder, 'letter.pdf')
    writeFileSync(filePath, await letter())
    const { isError, text } = await call('firecrawl_parse', { filePath, formats: ['markdown'] })
    expect(isError, text).toBe(false)
    expect(text.length).toBeGreaterThan(200)
  })

  it('firecrawl_credit_usage, of now and before', async () => {
    const now = await call('firecrawl_credit_usage', { view: 'current' })
    expect(now.isError, now.text).toBe(false)
    expect(now.text).toMatch(/remainingCredits/)
    const before = await call('firecrawl_credit_usage', { view: 'historical' })
    expect(before.isError, before.text).toBe(false)
  })

  it('firecrawl_feedback', async () => {
    const { scrape_id: jobId } = (await service.call('POST', '/v2/scrape', { url: `${site.url}/article` })).json
    const { isError, text } = await call('firecrawl_feedback', {
      endpoint: 'scrape',
      jobId,
      rating: 'good',
      note: 'Just right',
    })
    expect(isError, text).toBe(false)
    expect(text).toMatch(/feedbackId/)
  })
})

describe('the tools of monitors', () => {
  it('create, list, read, change, run and delete one', async () => {
    const json = async (name: string, args: Record<string, unknown>) => {
      const { isError, text } = await call(`firecrawl_monitor_${name}`, args)
      expect(isError, text).toBe(false)
      return JSON.parse(text)
    }
    const made = await json('create', {
      page: `${site.url}/article`,
      goal: 'the text changes',
      scheduleText: 'weekly',
      email: 'someone@example.com',
      webhookUrl: `${site.url}/hook`,
    })
    const { id } = made.data
    expect(made.data).toMatchObject({ status: 'active', judgeEnabled: true })
    const search = await json('create', {
      queries: ['spiders'],
      goal: 'news of spiders',
      searchWindow: '7d',
      maxResults: 5,
    })
    expect(search.data.targets[0]).toMatchObject({ type: 'search', queries: ['spiders'], searchWindow: '7d' })
    expect((await json('list', { limit: 5 })).data).toHaveLength(2)
    expect((await json('get', { id })).data.id).toBe(id)
    expect((await json('update', { id, body: { name: 'Renamed' } })).data.name).toBe('Renamed')
    const run = await json('run', { id })
    let check = run.data
    await until(async () => {
      check = (await json('check', { id, checkId: run.id ?? run.data.id })).data
      return !/queued|running/.test(check.status)
    })
    expect(check).toMatchObject({ status: 'completed', summary: { new: 1 } })
    expect((await json('checks', { id })).data).toHaveLength(1)
    expect((await json('delete', { id })).success).toBe(true)
  })
})

describe('search', () => {
  it('finds what was scraped before', async () => {
    await service.sdk.scrape(`${site.url}/article`)
    let found = ''
    await until(async () => {
      found = (await call('firecrawl_search', { query: 'tide tables' })).text
      return found.includes('/article')
    })
    expect(found).toContain(`${site.url}/article`)
  })
})

describe('agent', () => {
  it('starts a run and tells how it stands', async () => {
    const { text } = await call('firecrawl_agent', { prompt: 'Find the title', urls: [`${site.url}/article`] })
    const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text) ?? []
    expect(id).toBeDefined()
    let status = ''
    await until(async () => {
      status = (await call('firecrawl_agent_status', { id })).text
      return /completed|failed/.test(status)
    })
    expect(status).toContain('completed')
  })
})

describe('tools whose capability this service does not have', () => {
  it.each([
    ['firecrawl_find_tools', { query: 'weather' }, /tool catalogue is not part|exchange_not_enabled|not found/i],
    [
      'firecrawl_search_feedback',
      { searchId: NOBODY, rating: 'good', valuableSources: [{ url: 'https://example.com', reason: 'It was' }] },
      /NOT_FOUND|not found/i,
    ],
    ['firecrawl_extract', { urls: ['https://example.com'], prompt: 'title' }, /deprecated and unavailable/],
    ['firecrawl_agent_status', { id: NOBODY }, /404|not found/i],
    ['firecrawl_interact', { scrapeId: NOBODY, prompt: 'click' }, /404|not found/i],
    ['firecrawl_interact_stop', { scrapeId: NOBODY }, /404|not found/i],
    // Of these the SDK inside shows no more than the status; the body says what is not offered.
    ['firecrawl_research_search_papers', { query: 'spiders' }, /not offered by this service|status code 501/i],
    ['firecrawl_research_inspect_paper', { paperId: 'arxiv:1' }, /not offered by this service|status code 501/i],
    [
      'firecrawl_research_related_papers',
      { seed_ids: ['arxiv:1'], intent: 'more' },
      /not offered by this service|status code 501/i,
    ],
    [
      'firecrawl_research_read_paper',
      { paperId: 'arxiv:1', question: 'why' },
      /not offered by this service|status code 501/i,
    ],
    ['firecrawl_research_search_github', { query: 'spiders' }, /deprecated and unavailable/],
    ['firecrawl_developer_search', { query: 'spiders' }, /not offered by this service|status code 501/i],
  ])('%s tells the service’s own words', async (name, args, words) => {
    const { text } = await call(name, args as Record<string, unknown>).catch((error: Error) => ({
      text: error.message,
    }))
    expect(text).toMatch(words)
  })
})

it('no tool is forgotten', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([])
})
