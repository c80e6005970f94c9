// Browsers that run elsewhere: real ones, started apart from the service and reached over the DevTools protocol. No
// other browser can be had here, and these have no way to the web but the service.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { findChromium } from '../../src/fetch/chrome/find-chromium.ts'
import { openRemoteBrowsers } from '../../src/fetch/chrome/remote-browsers.ts'
import { drawnSentence } from '../site/drawn.ts'
import { type Forbidden, startForbidden } from '../site/forbidden.ts'
import { type Site, startSite } from '../site/site.ts'
import { launch, type Service, startService } from './service.ts'
import { until } from './waiting.ts'

interface Remote {
  endpoint: string
  child: ChildProcess
  end(): Promise<void>
}

async function startBrowser(): Promise<Remote> {
  const { path, env } = await findChromium({
    given: process.env.ORB_CHROMIUM,
    cacheDirs: [join(homedir(), '.cache', 'orbweaver')],
  })
  const folder = mkdtempSync(join(tmpdir(), 'orb-remote-'))
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${folder}`]
  const child = spawn(path, args, {
    env: { HOME: folder, ...env },
    // A group of its own: a script in the place of the browser would leave it running.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let said = ''
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the browser ended: ${said}`)))
    child.stderr.on('data', (chunk) => {
      said += chunk
      const found = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]
      if (found) resolve(found)
    })
  })
  return {
    endpoint: `http://127.0.0.1:${port}`,
    child,
    async end() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Accepts connections and never answers. */
const mute = createServer()
/** Failures of browsers behind it; the time limit passes during the other tests. */
let silent: Promise<unknown[]>
let site: Site
let forbidden: Forbidden
let remotes: Remote[]
let service: Service
beforeAll(async () => {
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  const { port } = mute.address() as AddressInfo
  silent = Promise.all(
    [`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}/devtools/browser/1`].map((endpoint) =>
      openRemoteBrowsers({ endpoints: [endpoint], log: silentLog })
        .start('drawn')
        .catch((error) => error),
    ),
  )
  site = await startSite()
  forbidden = await startForbidden(site.port)
  remotes = await Promise.all([startBrowser(), startBrowser()])
  service = await startService({
    env: {
      ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      // The first of them is not there.
      ORB_BROWSER_ENDPOINTS: ['http://127.0.0.1:9', ...remotes.map(({ endpoint }) => endpoint)].join(','),
      ORB_CHROMIUM: '/nonexistent/chromium',
    },
  })
})
afterAll(async () => {
  mute.close()
  await service.stop()
  await Promise.all([...remotes.map((remote) => remote.end()), site.close(), forbidden.close()])
})

const post = (path: string, options = {}) =>
  service.call('POST', '/v2/scrape', { url: site.url + path, maxAge: 0, timeout: 100_000, ...options })

describe('remote browsers', () => {
  it('render pages, take pictures and run actions', async () => {
    const drawn = await post('/drawn/root/1')
    expect(drawn.json.data?.markdown, drawn.text).toContain(drawnSentence('root', 1))
    const shot = await post('/article', { formats: ['screenshot'], actions: [{ type: 'wait', milliseconds: 1 }] })
    expect(shot.json.data.screenshot).toMatch(/^http/)
    expect((await post('/browser/device', { waitFor: 1, proxy: 'enhanced' })).json.data.metadata.proxyUsed).toBe(
      'stealth',
    )
  })

  it('are used in turn', async () => {
    await Promise.all(Array.from({ length: 6 }, (_, at) => post(`/drawn/timer/${at}`)))
    await until(() => service.logged().some((line) => line.includes('127.0.0.1:9')))
    // Each has been connected to; what is open then is a room made ahead.
    for (const { endpoint } of remotes)
      await until(async () => ((await (await fetch(`${endpoint}/json/list`)).json()) as unknown[]).length > 0)
  })

  it('have no way into the inner network, and none around the proxy', async () => {
    const { status, json } = await post('/browser/reaching', { waitFor: 1000, onlyMainContent: false })
    expect(status).toBe(200)
    expect(json.data.markdown).toMatch(/All ways were tried/)
    expect(forbidden.hits()).toBe(0)
  })

  it('stand in for each other when one dies, and their end is told precisely', async () => {
    await remotes[0]?.end()
    const answers = await Promise.all(Array.from({ length: 4 }, (_, at) => post(`/drawn/root/${at}`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await service.call('GET', '/health')).json.status).toBe('ok')
    await remotes[1]?.end()
    const { status, json } = await post('/article', { formats: ['screenshot'] })
    expect([status, json.error]).toEqual([502, expect.stringMatching(/^Bad Gateway.*ORB_BROWSER_ENDPOINTS/)])
    await until(async () => (await service.call('GET', '/health')).json.status === 'degraded')
    expect((await post('/article')).status).toBe(200)
  })

  it('are a gateway timeout when they accept a connection and say nothing', async () => {
    for (const error of await silent)
      expect(error).toMatchObject({ kind: 'remote_browser_timeout', row: { status: 504 } })
  })

  it('are refused at start when they could not reach the service', async () => {
    const { child, output } = launch({ ORB_DATA_DIR: tmpdir(), ORB_BROWSER_ENDPOINTS: 'http://browsers.example:9222' })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code).not.toBe(0)
    expect(output.out + output.err).toMatch(/ORB_EGRESS_ADDRESS: must be set/)
  })
})
