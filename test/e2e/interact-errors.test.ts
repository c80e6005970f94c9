// How live sessions are refused and how they end: every error of the wire contract, limits of credits, sessions, pages and
// downloads, times that are up, browsers that die, and a service that was killed.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectCost } from '../cost.ts'
import { patient } from '../patience.ts'
import { type Site, startSite } from '../site/site.ts'
import { itInSoak } from '../soak.ts'
import { connectToSession } from './connect-to-session.ts'
import { type Json, type Service, startService } from './service.ts'
import { newTeam } from './team.ts'
import { until } from './waiting.ts'

let site: Site
let service: Service
const start = (env: Record<string, string> = {}, dataDir?: string) =>
  startService({
    env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ...env },
    ownProcess: true,
    ...(dataDir ? { dataDir } : {}),
  })
beforeAll(async () => {
  site = await startSite({
    '/page': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<title>Page</title><h1>Page</h1><button>Press</button><a id=d href=/file download>File</a>')
    },
    '/links': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        '<title>Links</title><a href=/silent>Archive</a> <button onclick="this.after(\' Pressed\')">Press</button>',
      )
    },
    '/silent': () => {},
    '/file': ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('x'.repeat(1000))
    },
  })
  service = await start({ ORB_MAX_SESSIONS: '6' })
})
afterAll(async () => {
  await service?.stop()
  await site?.close()
})

const open = async (body: object = {}): Promise<Json> => (await service.call('POST', '/v2/interact', body)).json
const read = async (id: string): Promise<Json> => (await service.call('GET', `/v2/interact/${id}`)).json
const run = async (id: string, code: string, language = 'node') =>
  service.call('POST', `/v2/interact/${id}/execute`, { code, language, timeout: 120 })
const drop = (id: string) => service.call('DELETE', `/v2/interact/${id}`)

/** Browsers of a service that hold sessions. */
const browsersOf = ({ pid }: Service): number[] =>
  execFileSync('ps', ['-eo', 'pid,ppid,args', '-ww'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => parent === String(pid) && args.some((arg) => arg.startsWith('--orb-mark')))
    .map(([own]) => Number(own))

describe('a session is refused', () => {
  it('to a team without credits (402)', async () => {
    const poor = await newTeam(service, 'poor', { credits: 1 })
    await expect(poor.sdk.browser({})).rejects.toMatchObject({ status: 402 })
    expect((await poor.call('POST', '/v2/browser', {})).status).toBe(402)
  })

  it('of another team: as if there were none (404), and its links open nothing without their token (403)', async () => {
    const other = await newTeam(service, 'other')
    const { id, cdpUrl } = await open()
    for (const [method, path, body] of [
      ['GET', `/v2/interact/${id}`, undefined],
      ['POST', `/v2/browser/${id}/execute`, { code: '1' }],
      ['POST', `/v2/interact/${id}/prompt`, { prompt: 'click Press' }],
      ['DELETE', `/v2/interact/${id}`, undefined],
    ] as const) {
      const answer = await other.call(method, path, body)
      expect([path, answer.status, answer.json.error]).toEqual([path, 404, 'Browser session not found.'])
    }
    expect((await other.sdk.listBrowsers({})).sessions).toEqual([])
    const doc = (await service.call('POST', '/v2/scrape', { url: `${site.url}/page` })).json
    const { scrapeId } = doc.data.metadata
    expect((await other.call('POST', `/v2/scrape/${scrapeId}/interact`, { code: '1' })).status).toBe(404)
    await expect(chromium.connectOverCDP(cdpUrl.replace(/[^/]{43}$/, 'x'.repeat(43)))).rejects.toThrow(/403/)
    await drop(id)
  })

  it('for a scrape that was not kept (409)', async () => {
    const doc = (await service.call('POST', '/v2/scrape', { url: `${site.url}/page`, zeroDataRetention: true })).json
    const id = doc.data?.metadata?.scrapeId
    const answer = await service.call('POST', `/v2/scrape/${id}/interact`, { code: '1' })
    expect([answer.status, answer.json]).toMatchObject([
      409,
      { success: false, error: expect.stringContaining('Replay context is unavailable') },
    ])
  })

  it('beyond what a team may hold at once (429), until one has ended', async () => {
    const held: string[] = []
    let refused: Json
    while (held.length < 7 && !refused) {
      const answer = await service.call('POST', '/v2/interact', {})
      if (answer.status === 200) held.push(answer.json.id)
      else refused = answer
    }
    expect(held.length).toBe(6)
    expect([refused.status, refused.json.error]).toEqual([429, 'Concurrency limit reached'])
    await expect(service.sdk.browser({})).rejects.toMatchObject({ status: 429 })
    await drop(held.pop() ?? '')
    const again = await open()
    expect(again.success).toBe(true)
    for (const id of [...held, again.id]) await drop(id)
  })

  it('as text and as code that are none (400)', async () => {
    const { id } = await open()
    expect((await service.call('POST', `/v2/interact/${id}/execute`, { code: '' })).status).toBe(400)
    expect((await service.call('POST', `/v2/interact/${id}/prompt`, { prompt: '' })).status).toBe(400)
    expect((await service.call('POST', `/v2/interact/${id}/prompt`, { prompt: 'x'.repeat(10_001) })).status).toBe(400)
    await drop(id)
  })
})

describe('a page of a session', () => {
  it('opens no more windows than allowed, and saves no files', async () => {
    const { id } = await open()
    await run(
      id,
      `await page.goto('${site.url}/page'); for (let i = 0; i < 25; i++) await page.evaluate(() => void open('about:blank'))`,
    )
    await until(async () => Number((await run(id, 'context.pages().length')).json.result) <= 20)
    const saved = await run(
      id,
      `const [file] = await Promise.all([page.waitForEvent('download', { timeout: 3000 }).catch(() => null), page.click('#d')]); file ? await file.path() : 'none'`,
    )
    // Inside the sandbox, where code can read it.
    expect(saved.json.result).toMatch(/none|\/download-/)
    expect(existsSync(saved.json.result)).toBe(false)
    expect((await run(id, 'await page.title()')).json.result).toBe('Page')
    await drop(id)
  })

  it('that crashed is replaced by an empty one, and the session goes on', async () => {
    const { id, cdpUrl } = await open()
    const { browser, page } = await connectToSession(cdpUrl)
    await page.goto(`${site.url}/page`)
    const talk = await page.context().newCDPSession(page)
    // A page that is gone answers nobody.
    void talk.send('Page.crash').catch(() => undefined)
    await until(
      () =>
        browser
          .contexts()[0]
          ?.pages()
          .some((one) => one.url() === 'about:blank') === true,
    )
    await browser.close()
    const reply = await service.call('POST', `/v2/interact/${id}/prompt`, { prompt: 'click Press', timeout: 60 })
    expect([reply.status, reply.json.exitCode]).toEqual([200, 1])
    const after = await run(
      id,
      `const fresh = await context.newPage(); await fresh.goto('${site.url}/page'); await fresh.title()`,
    )
    expect(after.json.result).toBe('Page')
    expect((await read(id)).status).toBe('active')
    await drop(id)
  })
})

/** A call ends half a second after its `timeout` at the latest, where nothing else runs. */
async function inTime(timeout: number, path: string, body: object) {
  const begun = performance.now()
  const answer = await service.call('POST', path, { ...body, timeout })
  const took = performance.now() - begun
  expectCost(took).toBeLessThan(timeout * 1000 + 500)
  expect(took).toBeLessThan(timeout * 1000 + patient(5000))
  return answer
}

/** One whose time is up after half a minute, and one that nothing is done in: they end while other tests run. */
let ending: Promise<{ idle: Json; short: Json }> | undefined
const openEnding = async () => ({
  idle: await open({ activityTtl: 10 }),
  short: await open({ ttl: 30, activityTtl: 3600 }),
})

describe('a page whose script runs without end', () => {
  beforeAll(async () => {
    ending ??= openEnding()
    await ending
  })

  /** The page reports right before it begins. */
  const spin = async (id: string) => {
    const hits = site.hits('/spinning')
    const script =
      'setTimeout(() => { const r = new XMLHttpRequest(); r.open("GET", "/spinning", false); r.send(); for (;;); }, 100)'
    await run(id, `await page.evaluate(${JSON.stringify(script)})`)
    await until(() => site.hits('/spinning') > hits)
  }

  it('is ended when a call has waited for it, and the session goes on', async () => {
    const { id } = await open()
    const begun = performance.now()
    // In a call of its own, so that the short time of the next is spent on waiting for the page alone.
    await run(id, `await page.goto('${site.url}/page')`)
    await spin(id)
    const { json } = await inTime(3, `/v2/interact/${id}/execute`, { code: 'await page.title()' })
    expect(json.killed).toBe(true)
    expect(json.stderr).toMatch(/longer than 3 s[\s\S]*stopped responding/)
    const again = await run(id, `await page.goto('${site.url}/page'); await page.title()`)
    expect(again.json.result, again.text).toBe('Page')
    await spin(id)
    const reply = await inTime(3, `/v2/interact/${id}/prompt`, { prompt: 'click Press' })
    // Reading the page or connecting to it is what ran out of time.
    expect(reply.json.output ?? reply.json.error).toMatch(/stopped responding/)
    const last = await run(id, `await page.goto('${site.url}/page'); await page.title()`)
    expect(last.json.result, last.text).toBe('Page')
    expectCost(performance.now() - begun).toBeLessThan(60_000)
    expect((await read(id)).status).toBe('active')
    await drop(id)
  })
})

describe('code in a session', () => {
  it('gets the reason why an address is refused, and never the login to our proxy', async () => {
    const { id } = await open()
    const refused = (await run(id, `await page.goto('http://169.254.169.254/latest')`)).json
    expect(refused).toMatchObject({
      exitCode: 1,
      error: expect.stringMatching(/169\.254\.169\.254.*not allowed|refused|private/i),
    })
    const prompt = { prompt: 'open http://169.254.169.254/latest', timeout: 20 }
    const prompted = (await service.call('POST', `/v2/interact/${id}/prompt`, prompt)).json
    expect(prompted).toMatchObject({
      success: false,
      exitCode: 1,
      output: expect.stringMatching(/not allowed|private/i),
    })
    const code = `const seen = []; const cdp = await context.newCDPSession(page); await cdp.send('Network.enable')
      cdp.on('Network.requestWillBeSentExtraInfo', (one) => seen.push(one))
      const answer = await page.goto('${site.url}/links')
      JSON.stringify([seen, await answer.request().allHeaders()])`
    const { result } = (await run(id, code)).json
    expect(result).toMatch(/user-agent/i)
    expect(result).not.toMatch(/proxy-authorization/i)
    await drop(id)
  })
})

describe('a link to a page that never answers', () => {
  it('is given up, and the page before it goes on', async () => {
    const { id } = await open()
    await run(id, `await page.goto('${site.url}/links')`)
    const prompt = async (words: string) => (await inTime(5, `/v2/interact/${id}/prompt`, { prompt: words })).json
    expect(await prompt('Click Archive')).toMatchObject({
      exitCode: 1,
      output: expect.stringMatching(
        /\/silent did not respond within the \d\.\d s .*`timeout`, and loading it was stopped/,
      ),
    })
    expect(await prompt('Click Press')).toMatchObject({ exitCode: 0 })
    await run(id, `await page.click('a', { noWaitAfter: true })`)
    const code = 'await page.evaluate("document.title")'
    expect((await inTime(3, `/v2/interact/${id}/execute`, { code })).json.killed).toBe(true)
    expect((await run(id, code)).json).toMatchObject({ result: 'Links' })
    const opening = `await page.goto('${site.url}/silent')`
    expect((await inTime(1, `/v2/interact/${id}/execute`, { code: opening })).json.killed).toBe(true)
    await drop(id)
  })
})

describe('a session ends', () => {
  it('when nothing is done in it, and when its time is up: 410 with the reason', async () => {
    ending ??= openEnding()
    const { idle, short } = await ending
    await until(async () => (await read(idle.id)).status === 'destroyed')
    expect((await read(idle.id)).error).toMatch(/was idle/)
    const gone = await run(idle.id, '1')
    expect([gone.status, gone.json.error]).toEqual([
      410,
      expect.stringMatching(/^Browser session has been destroyed\. It was idle/),
    ])
    await expect(service.sdk.browserExecute(idle.id, { code: '1' })).rejects.toMatchObject({ status: 410 })
    await until(async () => (await read(short.id)).status === 'destroyed')
    expect((await read(short.id)).error).toMatch(/time was up/)
    expect((await fetch(short.liveViewUrl)).status).toBe(410)
  })

  it('with its browser: as an error, with the reason, its profile free and its minutes billed', async () => {
    const { id } = await open({ profile: { name: 'lost' } })
    const hits = site.hits('/page')
    const busy = run(id, `await page.goto('${site.url}/page'); await new Promise((done) => setTimeout(done, 100000))`)
    await until(() => site.hits('/page') > hits)
    for (const pid of browsersOf(service)) process.kill(pid, 'SIGKILL')
    expect((await busy).status).toBe(410)
    await until(async () => (await read(id)).status === 'error')
    expect(await read(id)).toMatchObject({ creditsBilled: 2, error: expect.stringMatching(/browser.*gone/i) })
    expect((await run(id, '1')).status).toBe(410)
    const next = await open({ profile: { name: 'lost' } })
    expect(next.success).toBe(true)
    expect((await run(next.id, '1 + 1')).json.result).toBe('2')
    await drop(next.id)
  })

  itInSoak('with a service that was killed: the next one says 410, bills once, and leaves no browser', async () => {
    const first = await start()
    const { dataDir } = first
    const made = (await first.call('POST', '/v2/interact', { profile: { name: 'kept' } })).json
    await first.call('POST', `/v2/interact/${made.id}/execute`, { code: '1' })
    const browsers = browsersOf(first)
    await first.end('SIGKILL')
    const second = await start({}, dataDir)
    try {
      const row = (await second.call('GET', `/v2/interact/${made.id}`)).json
      expect(row).toMatchObject({ status: 'destroyed', creditsBilled: 2, error: expect.stringMatching(/restarted/) })
      const gone = await second.call('POST', `/v2/interact/${made.id}/execute`, { code: '1' })
      expect([gone.status, gone.json.error]).toEqual([410, expect.stringMatching(/restarted/)])
      const again = await second.call('POST', '/v2/interact', { profile: { name: 'kept' } })
      expect(again.status).toBe(200)
      await until(() => browsers.every((pid) => !isAlive(pid)))
    } finally {
      await second.stop()
    }
  })
})

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(execFileSync('cat', [`/proc/${pid}/status`], { encoding: 'utf8', stdio: 'pipe' }))
  } catch {
    return false
  }
}
