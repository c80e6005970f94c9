// The released command line `firecrawl-cli`, unmodified, pointed at this service by its two environment variables.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { letter } from '../documents/pdfs.mjs'
import { patient } from '../patience.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const program = join(dirname(createRequire(import.meta.url).resolve('firecrawl-cli/package.json')), 'dist/index.js')
const folder = mkdtempSync(join(tmpdir(), 'orb-fc-'))
const { site, service } = shared()
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

interface Ended {
  code: number
  out: string
  err: string
}

const firecrawl = (...args: string[]): Promise<Ended> =>
  run({ FIRECRAWL_API_URL: service.url, FIRECRAWL_API_KEY: service.key }, args)

const run = (own: Record<string, string>, args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const { PATH = '' } = process.env
    const env = {
      PATH,
      HOME: folder,
      ...own,
      FIRECRAWL_NO_UPDATE_CHECK: '1',
      FIRECRAWL_NO_TELEMETRY: '1',
      NO_COLOR: '1',
    }
    execFile(process.execPath, [program, ...args], { env, cwd: folder, timeout: patient(80_000) }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })

const asJson = ({ out }: Ended): Json => JSON.parse(out)

describe('search', () => {
  it('finds what was scraped, as text and as JSON, and scrapes the hits', async () => {
    await service.sdk.scrape(`${site.url}/article`)
    let found: Ended = { code: 1, out: '', err: '' }
    await until(async () => {
      found = await firecrawl('search', 'tide tables', '--limit', '3')
      return found.out.includes(`${site.url}/article`)
    })
    expect(found.code).toBe(0)
    const { data } = asJson(await firecrawl('search', 'tide tables', '--limit', '1', '--sources', 'web', '--json'))
    expect(data.web[0].url).toBe(`${site.url}/article`)
    const scraped = await firecrawl('search', 'tide tables', '--limit', '1', '--scrape', '--json')
    expect(asJson(scraped).data.web[0].markdown).toMatch(/^# /m)
  })
})

describe('scrape', () => {
  it('prints markdown, or JSON of several formats', async () => {
    const plain = await firecrawl('scrape', `${site.url}/article`)
    expect(plain.err + plain.out).toMatch(/^# /m)
    expect(plain.code).toBe(0)
    const several = asJson(await firecrawl('scrape', `${site.url}/article`, '-f', 'markdown,links,images', '--json'))
    expect(several.markdown).toMatch(/^# /m)
    expect(Array.isArray(several.links)).toBe(true)
    expect(several.metadata.statusCode).toBe(200)
  })

  it('takes its options: main content, tags, language, age, actions, lockdown', async () => {
    const { code, out, err } = await firecrawl(
      'scrape',
      `${site.url}/article`,
      '--only-main-content',
      '--include-tags=h1,p',
      '--exclude-tags=nav',
      '--country=DE',
      '--languages=de,en',
      '--max-age=0',
      '--html',
    )
    expect(code, err).toBe(0)
    expect(out).toContain('<h1')
    const locked = await firecrawl('scrape', `${site.url}/never-seen`, '--lockdown')
    expect(locked.code).toBe(1)
    expect(locked.err).toMatch(/lockdown/)
  })

  it('scrapes several addresses at once, into its own folder', async () => {
    const { code, err } = await firecrawl('scrape', `${site.url}/article`, `${site.url}/status/404`)
    expect(code, err).toBe(0)
    const saved = readdirSync(join(folder, '.firecrawl'), { recursive: true, encoding: 'utf8' })
    expect(saved.some((file) => file.endsWith('.md'))).toBe(true)
  })

  it('gives the brand of a page', async () => {
    const { code, out, err } = await firecrawl('scrape', `${site.url}/article`, '-f', 'branding')
    expect(code, err).toBe(0)
    expect(out).toMatch(/"colors"/)
  })
})

describe('map, crawl and parse', () => {
  it('map lists addresses', async () => {
    const { code, out, err } = await firecrawl('map', site.url, '--limit', '5')
    expect(code, err).toBe(0)
    expect(out).toContain(site.url)
    const json = asJson(await firecrawl('map', site.url, '--limit', '5', '--json'))
    expect((json.data?.links ?? json.links).length).toBeGreaterThan(0)
  })

  it('crawl starts a job, shows it, waits for one, and cancels one', async () => {
    const started = asJson(await firecrawl('crawl', `${site.url}/article`, '--limit', '2'))
    const id = (started.data ?? started).jobId ?? (started.data ?? started).id
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const status = await firecrawl('crawl', id, '--status')
    expect(status.code, status.err).toBe(0)
    expect(status.out).toMatch(/scraping|completed/)
    const waited = await firecrawl('crawl', `${site.url}/article`, '--limit', '2', '--wait', '--poll-interval', '1')
    expect(waited.code, waited.err).toBe(0)
    expect(waited.out).toMatch(/completed/)
    const slow = asJson(await firecrawl('crawl', site.url, '--limit', '50', '--delay', '5'))
    const cancelled = await firecrawl('crawl', (slow.data ?? slow).jobId ?? (slow.data ?? slow).id, '--cancel')
    expect(cancelled.code, cancelled.err).toBe(0)
    expect(cancelled.out + cancelled.err).toMatch(/cancel/i)
  })

  it('experimental download maps a site and saves its pages', async () => {
    const { code, out, err } = await firecrawl('x', 'download', `${site.url}/article`, '--limit', '3', '-y')
    expect(code, out + err).toBe(0)
    expect(out + err).toContain('3/3 succeeded')
    expect(readdirSync(join(folder, '.firecrawl', '127.0.0.1')).length).toBeGreaterThan(0)
  })

  it('parse reads a local PDF', async () => {
    const file = join(folder, 'letter.pdf')
    writeFileSync(file, await letter())
    const target = join(folder, 'letter.md')
    const { code, err } = await firecrawl('parse', file, '-o', target)
    expect(code, err).toBe(0)
    expect(readFileSync(target, 'utf8').length).toBeGreaterThan(100)
  })
})

describe('the account', () => {
  it('--status, credit-usage and doctor read how the team stands', async () => {
    const status = await firecrawl('--status')
    expect(status.code, status.err).toBe(0)
    expect(status.out).toMatch(/Authenticated/)
    expect(status.out).toMatch(/Credits/)
    const credits = asJson(await firecrawl('credit-usage', '--json'))
    expect((credits.data ?? credits).remainingCredits).toBeGreaterThan(0)
    const doctor = asJson(await firecrawl('doctor', '--json'))
    expect(JSON.stringify(doctor)).toMatch(/auth|api/i)
  })

  it('feedback on a scrape is taken', async () => {
    const { scrape_id: id } = (await service.call('POST', '/v2/scrape', { url: `${site.url}/article` })).json
    const { code, out, err } = await firecrawl('feedback', 'scrape', id, '--rating', 'good', '--note', 'Just right')
    expect(code, out + err).toBe(0)
  })

  it('login keeps address and key; everything works by them until logout', async () => {
    const stored = (...args: string[]) => run({}, args)
    const { code, out, err } = await stored('login', '--api-key', service.key, '--api-url', service.url)
    expect(code, out + err).toBe(0)
    for (const command of ['view-config', 'config'])
      expect((await stored(command)).out).toMatch(new RegExp(`Authenticated[\\s\\S]*${service.url}`))
    expect((await stored('--status')).out).toMatch(/stored credentials[\s\S]*Credits/)
    expect((await stored('scrape', `${site.url}/article`)).out).toMatch(/^# /m)
    expect((await stored('env', '--file', '.env.orb')).code).toBe(0)
    expect(readFileSync(join(folder, '.env.orb'), 'utf8')).toContain(service.key)
    expect((await stored('logout')).code).toBe(0)
    expect((await stored('view-config')).out).toContain('Not authenticated')
  })

  it('view-config and version need nothing of the service', async () => {
    expect((await firecrawl('view-config')).code).toBe(0)
    expect((await firecrawl('version')).out).toMatch(/1\.23/)
  })
})

describe('monitor', () => {
  it('creates, lists, reads, changes, runs and deletes one', async () => {
    const monitor = async (...args: string[]): Promise<Json> => {
      const ended = await firecrawl('monitor', ...args)
      expect(ended.code, ended.err).toBe(0)
      return JSON.parse(ended.out)
    }
    const of = (answer: Json) => answer.data ?? answer
    const made = of(
      await monitor('create', '--name', 'Article', '--schedule', 'weekly', '--page', `${site.url}/article`),
    )
    expect(made).toMatchObject({ name: 'Article', status: 'active', schedule: { timezone: 'UTC' } })
    expect(of(await monitor('list', '--limit', '5'))[0].id).toBe(made.id)
    expect(of(await monitor('get', made.id)).id).toBe(made.id)
    expect(of(await monitor('update', made.id, '--timezone', 'Europe/Berlin')).schedule).toEqual({
      cron: made.schedule.cron,
      timezone: 'Europe/Berlin',
    })
    const run = of(await monitor('run', made.id))
    await until(async () => of(await monitor('check', made.id, run.id)).status === 'completed', 60_000)
    const check = of(await monitor('check', made.id, run.id, '--page-status', 'new'))
    expect(check.pages).toHaveLength(1)
    expect(of(await monitor('checks', made.id, '--limit', '3'))).toHaveLength(1)
    expect((await monitor('delete', made.id)).success).toBe(true)
  })
})

describe('agent', () => {
  it('finds what a page says, and waits for it', async () => {
    const schema = JSON.stringify({ type: 'object', properties: { title: { type: 'string' } } })
    const args = ['--urls', `${site.url}/article`, '--schema', schema, '--wait', '--poll-interval', '1', '--json']
    const { code, out } = await firecrawl('agent', 'Find the title of the article', ...args)
    expect(code).toBe(0)
    expect(out).toMatch(/"status": ?"completed"/)
    expect(out).toMatch(/"title": ?"\w/)
  })
})

describe('what this service does not have', () => {
  it.each([
    // Its older SDK shows no more than the status of these.
    [['interact', '019a0000-0000-7000-8000-000000000000', 'click'], /not found/i],
    [['research', 'search-papers', 'spiders'], /status code 501/],
    [['developer', 'spiders'], /status code 501/],
    [['doctor', '019a0000-0000-7000-8000-000000000000'], /support_unavailable/i],
  ])('%s ends with the words of the service', async (args, words) => {
    const { code, out, err } = await firecrawl(...args)
    expect(code).not.toBe(0)
    expect(out + err).toMatch(words)
  })
})

describe('interact and browser', () => {
  it('goes on in a scraped page, and drives a session of its own', async () => {
    const scraped = await firecrawl('scrape', `${site.url}/article`, '--json')
    const id = asJson(scraped).metadata.scrapeId
    const title = await firecrawl('interact', id, '-c', 'await page.title()', '--node')
    expect(title.err + title.out).toMatch(/\w/)
    expect(title.code).toBe(0)
    const shell = await firecrawl('interact', id, '-c', 'get url', '--bash')
    expect(shell.out).toContain('/article')
    const stopped = await firecrawl('interact', 'stop', id)
    expect(stopped.code).toBe(0)
  })
})
