// Programs that people use, unmodified, through a session's address: Puppeteer and raw DevTools messages. They see their
// session and nothing else; what lies outside stays closed.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const { site, service } = shared({
  '/page': ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        '<title>Page</title><h1>Page</h1><input id=i aria-label=Name><button onclick="document.title=i.value">Go</button>',
      ),
})
const open = async (): Promise<Json> => (await service.call('POST', '/v2/browser', {})).json

describe('Puppeteer', () => {
  it('connects, opens pages, types, clicks, takes pictures, and sees its own session alone', async () => {
    const [mine, other] = [await open(), await open()]
    const browser = await puppeteer.connect({ browserWSEndpoint: mine.cdpUrl, defaultViewport: null })
    try {
      const [page] = await browser.pages()
      page?.setDefaultTimeout(110_000)
      await page?.goto(`${site.url}/page`)
      await page?.type('#i', 'typed')
      await page?.click('button')
      expect(await page?.title()).toBe('typed')
      const second = await browser.newPage()
      second.setDefaultTimeout(110_000)
      await second.goto(`${site.url}/page`)
      expect(await second.evaluate('document.title')).toBe('Page')
      expect((await second.screenshot()).length).toBeGreaterThan(500)
      expect((await browser.pages()).length).toBe(2)
      await expect(page?.goto('file:///etc/passwd')).rejects.toThrow(/cannot be opened/)
      await expect(page?.goto('http://169.254.169.254/latest/meta-data/')).rejects.toThrow()
      await expect(page?.goto(`${service.url}/health`)).rejects.toThrow()
    } finally {
      await browser.disconnect()
    }
    for (const { id } of [mine, other]) await service.call('DELETE', `/v2/browser/${id}`)
  })
})

describe('one address', () => {
  const address = (query = '') => `${service.url.replace('http', 'ws')}/cdp?token=${service.key}${query}`
  const sessions = async (): Promise<Json[]> => (await service.call('GET', '/v2/browser?status=active')).json.sessions

  it('opens a session for Playwright, with contexts of their own, and ends it with the connection', async () => {
    const browser = await chromium.connectOverCDP(address('&ttl=120'), { timeout: 110_000 })
    expect(await sessions()).toHaveLength(1)
    const second = await browser.newContext()
    const [first] = browser.contexts()
    const [mine, other] = [first!.pages()[0]!, await second.newPage()]
    for (const page of [mine, other]) await page.goto(`${site.url}/page`, { timeout: 110_000 })
    await mine.evaluate('document.cookie = "who=first"')
    await other.evaluate('document.cookie = "who=second"')
    expect((await first!.cookies()).map(({ value }) => value)).toEqual(['first'])
    expect((await second.cookies()).map(({ value }) => value)).toEqual(['second'])
    // What a context visits goes through the egress as well.
    await expect(other.goto('http://169.254.169.254/latest/meta-data/')).rejects.toThrow()
    await second.close()
    expect(await mine.title()).toBe('Page')
    await browser.close()
    await until(async () => (await sessions()).length === 0)
  })

  it('opens one for Puppeteer, and refuses a wrong key or option with its status', async () => {
    const browser = await puppeteer.connect({ browserWSEndpoint: address(), defaultViewport: null })
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    await page.goto(`${site.url}/page`, { timeout: 110_000 })
    expect(await page.title()).toBe('Page')
    await browser.disconnect()
    await until(async () => (await sessions()).length === 0)
    const refusal = (url: string) =>
      new Promise((resolve) => new WebSocket(url).on('unexpected-response', (_, { statusCode }) => resolve(statusCode)))
    expect(await refusal(address('&ttl=1'))).toBe(400)
    expect(await refusal(`${service.url.replace('http', 'ws')}/cdp?token=fc-wrong`)).toBe(401)
  })
})

describe('the prompt line of the command line', () => {
  it('opens a session, says where to watch it, does each line, and ends it', async () => {
    const main = join(import.meta.dirname, '../../dist/main.js')
    const env = { PATH: process.env.PATH, ORB_URL: service.url, ORB_API_KEY: service.key }
    const child = spawn(process.execPath, [main, 'interact', `${site.url}/page`, '--record'], { env })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.stdin.end('type orb into Name and click Go\n/js await page.title()\n/nothing\n/quit\n')
    const status = await new Promise((resolve) => child.once('close', resolve))
    expect(said).toMatch(/Watch and drive: http\S+\/drive\//)
    expect(said).toMatch(/^orb$/m)
    expect(said).toMatch(/There is no \/nothing/)
    expect(said).toMatch(/has ended: (?:[7-9]|\d\d) credits\.\nRecording: http\S+\/film\//)
    expect(status).toBe(0)
  })
})

describe('raw messages', () => {
  it('reach no other session, no file and nothing of the whole browser', async () => {
    const [mine, other] = [await open(), await open()]
    const ask = await talk(mine.cdpUrl)
    const theirs = await talk(other.cdpUrl)
    const foreign = (await theirs('Target.getTargets')).result.targetInfos[0].targetId
    const own = (await ask('Target.getTargets')).result.targetInfos
    expect(own.map(({ targetId }: Json) => targetId)).not.toContain(foreign)
    const { sessionId } = (await ask('Target.attachToTarget', { targetId: own[0].targetId, flatten: true })).result
    const refused: [string, object, string?][] = [
      ['Target.attachToTarget', { targetId: foreign, flatten: true }],
      ['Target.closeTarget', { targetId: foreign }],
      ['Target.activateTarget', { targetId: foreign }],
      ['Target.getTargetInfo', { targetId: foreign }],
      ['Target.disposeBrowserContext', { browserContextId: 'x' }],
      ['Target.createTarget', { url: 'about:blank', browserContextId: 'ABCDEF' }],
      ['Target.createTarget', { url: 'file:///etc/passwd' }],
      ['Target.exposeDevToolsProtocol', { targetId: own[0].targetId }],
      ['Target.setRemoteLocations', { locations: [] }],
      ['Browser.crash', {}],
      ['Browser.crashGpuProcess', {}],
      ['Browser.getBrowserCommandLine', {}],
      ['Browser.executeBrowserCommand', { commandId: 'openTabSearch' }],
      ['SystemInfo.getInfo', {}],
      ['SystemInfo.getProcessInfo', {}],
      ['Tethering.bind', { port: 9999 }],
      ['Tracing.requestMemoryDump', {}],
      ['Memory.getDOMCounters', {}],
      ['Extensions.loadUnpacked', { path: '/' }],
      ['Page.navigate', { url: 'file:///etc/passwd' }, sessionId],
      ['Page.navigate', { url: 'chrome://settings' }, sessionId],
      ['Page.navigate', { url: 'view-source:file:///etc/passwd' }, sessionId],
      ['DOM.setFileInputFiles', { files: ['/etc/passwd'], nodeId: 1 }, sessionId],
      ['Storage.getTrustTokens', {}, sessionId],
      ['Runtime.evaluate', { expression: '1' }],
    ]
    for (const [method, params, session] of refused) {
      const { error } = await ask(method, params, session)
      expect(error?.message, method).toBeTruthy()
    }
    // What would write to this machine is answered, and does nothing.
    expect((await ask('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: '/tmp' })).result).toEqual({})
    expect((await theirs('Target.getTargets')).result.targetInfos[0].targetId).toBe(foreign)
    await ask('Browser.close')
    expect((await service.call('GET', `/v2/browser/${other.id}`)).json.status).toBe('active')
    for (const { id } of [mine, other]) await service.call('DELETE', `/v2/browser/${id}`)
  })
})

/** Asks one question at a time over a socket of its own. */
async function talk(url: string) {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (answer: Json) => void>()
  socket.on('message', (data) => {
    const said = JSON.parse(String(data))
    waiting.get(said.id)?.(said)
  })
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  let count = 0
  return (method: string, params: object = {}, sessionId?: string): Promise<Json> =>
    new Promise((resolve) => {
      const id = ++count
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }))
    })
}
