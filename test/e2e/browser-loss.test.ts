// Browsers that die under a visit, that do not start with their sandbox, or that our own proxy does not know: none of it
// may be taken for a page, and none of it for a fault of the site.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validateInput } from '../../src/base/validate-input.ts'
import type { Visit } from '../../src/base/visit-and-capture-types.ts'
import { findBrowserBinary } from '../../src/fetch/open-browser-services.ts'
import { scrapeBody } from '../../src/scrape/scrape-options.ts'
import { makeScrapePlan } from '../../src/scrape/scrape-plan.ts'
import { heldPage } from '../site/held.ts'
import { type Page, type Site, startSite } from '../site/site.ts'
import { itInSoak } from '../soak.ts'
import { openEngine } from './browser-engine.ts'
import { emptyFolder, type Service, startService } from './service.ts'
import { until } from './waiting.ts'

let site: Site
const { page: held, hold } = heldPage()
const plain: Page = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(`<title>Plain</title><h1>Plain words</h1><p>${'This page needs no scripts at all. '.repeat(20)}</p>`)
}
/** Called before `/watched` is sent. */
let onVisit = () => {}
beforeAll(async () => {
  site = await startSite({
    '/held': held,
    '/plain': plain,
    '/watched': (scene) => {
      onVisit()
      return plain(scene)
    },
  })
})
afterAll(() => site.close())

const start = (env: Record<string, string> = {}, dataDir?: string) =>
  startService({
    env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ...env },
    ownProcess: true,
    ...(dataDir ? { dataDir } : {}),
  })
const scrape = (service: Service, path: string, options = {}) =>
  service.call('POST', '/v2/scrape', { url: site.url + path, maxAge: 0, timeout: 200_000, ...options })

/** The browsers of a service: process and command line. */
const browsersOf = (service: Service): { pid: number; line: string }[] =>
  execFileSync('ps', ['-eo', 'pid,ppid,args', '-ww'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.includes('--orb-mark') && !line.includes('--type='))
    .filter((line) => line.split(/\s+/)[1] === String(service.pid))
    .map((line) => ({ pid: Number(line.split(/\s+/)[0]), line }))

/** A program in place of Chromium. */
function program(text: string): string {
  const path = join(emptyFolder(), 'chromium')
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

describe('a browser that dies', () => {
  itInSoak(
    'is replaced by one with safer flags, and the visit is made again; a restart remembers, and /health tells of a sandbox left out',
    async () => {
      const cache = emptyFolder()
      const { path, pinned } = await findBrowserBinary(process.env.ORB_CHROMIUM, cache)
      const system = !pinned
      // A full Chromium cannot leave frames undrawn.
      const canBeUndrawn = pinned || path.includes('headless')
      let service = await start()
      const { dataDir } = service
      try {
        const release = hold()
        const visit = scrape(service, '/held', { waitFor: 1 })
        // It dies in the middle of a visit, not while it starts.
        await until(() => site.hits('/held') > 0)
        const [first] = browsersOf(service)
        // A system's own Chromium is given the safer flags from the beginning.
        expect(first?.line.includes('--in-process-gpu')).toBe(!system)
        process.kill(first?.pid as number, 'SIGTRAP')
        await until(() => site.hits('/held') > 1)
        const [second] = browsersOf(service)
        release()
        expect((await visit).json.data.markdown).toMatch(/It came when it was let go/)
        expect(second?.pid).not.toBe(first?.pid)
        expect(second?.line.includes('--enable-begin-frame-control')).toBe(canBeUndrawn)
        expect(second?.line).not.toContain('--in-process-gpu')
        await service.end()
        service = await start({ ORB_BROWSER_SANDBOX: 'off' }, dataDir)
        const { json: health } = await service.call('GET', '/health')
        expect(health.notes.join(' ')).toMatch(/without its own sandbox.*ORB_BROWSER_SANDBOX/)
        let line: string | undefined
        onVisit = () => {
          line = browsersOf(service)[0]?.line
        }
        await scrape(service, '/watched', { waitFor: 1 })
        expect(line, path).not.toContain('--in-process-gpu')
      } finally {
        await service.stop()
      }
    },
  )

  it('again and again leaves the page as it was sent, with a warning; what needs it is an error of the browser', async () => {
    const service = await start()
    onVisit = () => {
      for (const { pid } of browsersOf(service)) process.kill(pid, 'SIGKILL')
    }
    try {
      const read = await scrape(service, '/watched', { waitFor: 1 })
      const drawn = await scrape(service, '/watched', { waitFor: 1, formats: ['screenshot'] })
      expect(read.json.data?.markdown, read.text).toMatch(/needs no scripts/)
      expect(read.json.data.warning).toMatch(/without its scripts.*browser/)
      expect(drawn.status).toBe(500)
      expect(drawn.json.code).toBe('SCRAPE_BROWSER_ERROR')
      expect(drawn.json.error).toMatch(/browser/)
    } finally {
      await service.stop()
    }
  })
})

describe('the sandbox', () => {
  it('is never given up because a launch failed', async () => {
    const said = join(emptyFolder(), 'said')
    const refusing = program(
      `[ "$1" = --version ] && { echo 'Chromium 147.0.0.0'; exit 0; }\necho "$@" >> '${said}'\nexit 1`,
    )
    const service = await start({ ORB_CHROMIUM: refusing, ORB_BROWSER_SANDBOX: 'on' })
    try {
      const { status, json } = await scrape(service, '/plain', { waitFor: 1 })
      expect(status).toBe(503)
      expect(json.code).toBe('BROWSER_UNAVAILABLE')
      expect(json.error).toMatch(/ORB_BROWSER_SANDBOX/)
      expect(existsSync(said)).toBe(true)
      expect(readFileSync(said, 'utf8')).not.toContain('--no-sandbox')
    } finally {
      await service.stop()
    }
  })
})

/** The Chromium that the service chooses by itself, and all others that this machine has. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome-stable'].filter(
  (path) => existsSync(path),
)
// Of those installed a service chooses the first.
const others = process.env.ORB_CHROMIUM ? INSTALLED : INSTALLED.slice(1)
const here = [...others, ...(process.env.ORB_TEST_CHROMIUMS ?? '').split(',')].filter(
  (path) => path && existsSync(path),
)

describe.each(['the one it chooses', ...here])('our own proxy and %s', (which) => {
  let service: Service
  beforeAll(async () => {
    service = await start(which.startsWith('/') ? { ORB_CHROMIUM: which } : {})
  })
  afterAll(() => service.stop())

  it.each([
    { proxy: 'enhanced', formats: ['markdown'] },
    { proxy: 'enhanced', formats: ['markdown', 'screenshot'] },
    { proxy: 'basic', formats: ['markdown'] },
    { proxy: 'basic', formats: ['markdown', 'screenshot'] },
  ])('%j brings the page, and never the answer of the proxy', async (options) => {
    const { status, text, json } = await scrape(service, '/plain', { waitFor: 50, ...options })
    expect(status, text).toBe(200)
    expect(json.data.metadata.statusCode).toBe(200)
    expect(json.data.markdown).toMatch(/needs no scripts/)
  })
})

describe('a browser that our proxy does not know', () => {
  const visit = makeScrapePlan(validateInput(scrapeBody, { url: 'http://127.0.0.1:1/', waitFor: 1 }), '1').visit

  it.each([
    ['still', visit],
    ['drawn', { ...visit, screenshot: { fullPage: false } }],
    ['enhanced', { ...visit, proxy: 'enhanced' }],
  ] as [string, Visit][])('brings no page home: %s', async (_kind, request) => {
    const { engine, close } = await openEngine({ password: 'of another visit' })
    try {
      const failed = engine.fetch({ ...request, url: `${site.url}/plain` }, AbortSignal.timeout(120_000))
      await expect(failed).rejects.toMatchObject({ kind: 'browser_failed' })
    } finally {
      await close()
    }
  })
})
