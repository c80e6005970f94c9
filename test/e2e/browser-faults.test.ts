// Faults A 6, B 16–21, D 33–34: what hostile pages do in the browser, and what becomes of the others meanwhile. The
// forbidden server beside the test site counts every connection; the count must stay zero. Most rows are in the second tier.
import { execFileSync } from 'node:child_process'
import dgram from 'node:dgram'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDns } from '../site/dns.ts'
import { type Forbidden, startForbidden } from '../site/forbidden.ts'
import { type Pages, type Site, startSite } from '../site/site.ts'
import { startChoosy, startTls } from '../site/tls.ts'
import { describeInSoak, itInSoak, sampleRows } from '../soak.ts'
import { type Service, startService } from './service.ts'
import { until } from './waiting.ts'

let site: Site
let forbidden: Forbidden
let dns: DnsServer
let udp: dgram.Socket
let packets = 0
let service: Service
beforeAll(async () => {
  site = await startSite()
  forbidden = await startForbidden(site.port)
  udp = dgram.createSocket('udp4', () => {}).on('message', () => packets++)
  udp.bind(site.port, '127.0.0.2')
  dns = await startDns({ answers: { 'inside.example.com': [{ a: ['127.0.0.2'] }] } })
  service = await startService({
    ownProcess: true,
    env: { ORB_ALLOW_PRIVATE: '127.0.0.1', ORB_DNS_SERVERS: dns.address },
  })
})
afterAll(async () => {
  await service.stop()
  udp.close()
  await Promise.all([site.close(), forbidden.close(), dns.close()])
})

/** For pages that come home, however busy the machine is. */
const PATIENT_MS = 200_000

const post = (path: string, options = {}) =>
  service.call('POST', '/v2/scrape', {
    url: path.startsWith('http') ? path : site.url + path,
    maxAge: 0,
    timeout: PATIENT_MS,
    ...options,
  })

/** The processes in which its browsers run pages. */
function renderersBelow(pid: number): number[] {
  const listed = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const all = listed.split('\n').map((line) => {
    const [own, parent, ...args] = line.trim().split(/\s+/)
    return { pid: Number(own), parent: Number(parent), isRenderer: args.includes('--type=renderer') }
  })
  const below = (parent: number): typeof all =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)])
  return below(pid).flatMap((one) => (one.isRenderer ? [one.pid] : []))
}

/** Browsers of this service, by the parent they have. */
const browsersOf = (pid: number): string[] =>
  execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter(
      (line) => line.includes('--orb-mark') && !line.includes('--type=') && line.trim().split(/\s+/)[1] === String(pid),
    )

describe('the inner network (A 6)', () => {
  it('is not reached by anything a page does, and the page still comes home', async () => {
    const { status, json } = await post('/browser/reaching', { waitFor: 1500 })
    expect(status).toBe(200)
    expect(json.data.markdown).toMatch(/All ways were tried\./)
    expect(json.data.warning).toMatch(/not on the public web/)
    expect(forbidden.hits()).toBe(0)
    expect(packets).toBe(0)
  })

  it.each(sampleRows(['location', 'meta']))(
    'is not reached by a page that sends its visitor there by %s',
    async (way) => {
      const { status, json } = await post(`/browser/leaving/${way}`, { waitFor: 500 })
      expect(status).toBe(200)
      expect(json.data.markdown).toMatch(/has some words besides/)
      expect(json.data.warning).toMatch(/not on the public web/)
      expect(forbidden.hits()).toBe(0)
    },
  )

  it.each(
    sampleRows(
      [
        '/redirect/forbidden',
        'http://inside.example.com:PORT/',
        '/redirect/forbidden-307',
        'http://127.0.0.2:PORT/',
        'https://inside.example.com:PORT/',
      ],
      2,
    ),
  )('%s in the browser is refused like anywhere else', async (path) => {
    const { status, json } = await post(path.replace('PORT', String(site.port)), { waitFor: 1 })
    expect(status).toBe(403)
    expect(json.code).toBe('UNSUPPORTED_SITE')
    expect(forbidden.hits()).toBe(0)
  })
})

// Together: most of their time is waiting.
describe.concurrent('pages that never rest', () => {
  it.each(sampleRows(['polling', 'held', 'stream', 'socket', 'timers', 'picture', 'frame']))(
    'a network that never rests ends in the time it is given, and the page is there (B 17): %s',
    async (way) => {
      const path = way === 'polling' ? '/browser/polling' : `/browser/restless/${way}`
      const { status, text, json } = await post(path, { waitFor: 1, timeout: PATIENT_MS })
      expect(status, text).toBe(200)
      expect(json.data.markdown).toMatch(/The figures on this page are fresh/)
    },
  )

  it('questions, windows, downloads and cameras are answered by nobody (B 18)', async () => {
    const { status, json } = await post('/browser/asking', { waitFor: 1, timeout: PATIENT_MS })
    expect(status).toBe(200)
    expect(json.data.markdown).toMatch(/Answers: false and null\./)
  })

  itInSoak('a page that loads for ever ends in its budget, with a warning', async () => {
    const { status, json } = await post('/browser/loading-for-ever', { timeout: PATIENT_MS })
    expect(status).toBe(200)
    expect(json.data.warning).toMatch(/still loading/)
  })

  itInSoak('an empty page waits for the module that fills it', async () => {
    const { json } = await post('/browser/late-module', { timeout: PATIENT_MS })
    expect(json.data.markdown).toMatch(/The module came at last/)
    expect(json.data.warning ?? '').not.toMatch(/still loading|did not come/)
  })

  it('an empty page whose module does not come is never a silent success', async () => {
    const { status, json } = await post('/browser/no-module', { timeout: PATIENT_MS })
    expect([status, json.data?.warning ?? json.error]).toEqual([200, expect.stringMatching(/still loading/)])
  })

  itInSoak('a chain of slow pages is followed to its end', async () => {
    const { status, json } = await post('/browser/slow-chain', { timeout: PATIENT_MS })
    expect(status).toBe(200)
    expect(json.data.markdown).toMatch(/Here the chain of pages ends/)
  })

  itInSoak('a redirect loop by script is bounded (A 7)', async () => {
    const { status, json } = await post('/browser/loop', { timeout: PATIENT_MS })
    expect(status).toBe(500)
    expect(json.error).toMatch(/redirected too many times/)
  })
})

describe.concurrent('a part of a page that never answers', () => {
  const whole = /The harbour[\s\S]*The last ferry goes at nine\.[\s\S]*Its own script ran too\./
  it.each(sampleRows(['script', 'half', 'style', 'body']))(
    'costs that part and a warning, not the page: %s',
    async (part) => {
      const { status, json } = await post(`/browser/waits-for/${part}`, { waitFor: 1, timeout: PATIENT_MS })
      expect(status).toBe(200)
      expect(json.data.markdown).toMatch(whole)
      expect(json.data.warning).toMatch(/did not come/)
    },
  )

  itInSoak('nor the picture of it', async () => {
    const options = { formats: ['markdown', 'screenshot'], timeout: PATIENT_MS }
    const { status, json } = await post('/browser/waits-for/style', options)
    expect(status).toBe(200)
    expect(json.data.markdown).toMatch(whole)
    expect(json.data.screenshot).toMatch(/^http/)
    expect(json.data.warning).toMatch(/did not come/)
  })

  itInSoak('behind TLS, where no one can tell one request from another', async () => {
    const tls = await startTls({ kind: 'self-signed' })
    try {
      const { status, json } = await post(`${tls.url}/waits`, { waitFor: 1, timeout: PATIENT_MS })
      expect(status).toBe(200)
      expect(json.data.markdown).toMatch(/A page behind TLS/)
      expect(json.data.warning).toMatch(/did not come/)
    } finally {
      await tls.close()
    }
  })

  itInSoak('however short the time is that the caller gives', async () => {
    // Shares of the caller's time are tested, so it is short for this machine: what a plain page takes now is added to it.
    const began = performance.now()
    expect((await post('/drawn/root/1', { waitFor: 1, timeout: PATIENT_MS })).status).toBe(200)
    const plainMs = performance.now() - began
    const timeout = Math.round(40_000 + 4 * plainMs)
    const { status, json } = await post('/browser/waits-for/script', { waitFor: 1, timeout })
    expect(status).toBe(200)
    expect(json.data.markdown).toMatch(whole)
  })
})

describeInSoak('a page that asks for a thousand things', () => {
  it('keeps none of the others waiting', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const holding: Pages = {
      '/held/*': async ({ response }) => {
        await held
        response.end('{}')
      },
    }
    // A browser asks one host for six things at once, and a proxy for 32: this page asks eight hosts.
    const hosts = await Promise.all(Array.from({ length: 8 }, () => startSite(holding)))
    const storm = await startSite({
      '/storm': ({ response }) => {
        const origins = JSON.stringify(hosts.map(({ url }) => url))
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(
          `<h1>Storm</h1><script>for (let n = 0; n < 30; n++) for (const host of ${origins}) fetch(host + '/held/' + n, { mode: 'no-cors' }).catch(() => {})</script>`,
        )
      },
    })
    const asked = () => hosts.reduce((sum, host) => sum + host.visits().length, 0)
    try {
      const asking = post(`${storm.url}/storm`, { waitFor: 20_000, timeout: PATIENT_MS })
      await expect.poll(asked).toBeGreaterThan(30)
      const others = await Promise.all(
        ['root', 'frame'].map((kind) => post(`/drawn/${kind}/5`, { timeout: PATIENT_MS })),
      )
      expect(others.map(({ status }) => status)).toEqual([200, 200])
      expect(asked()).toBeLessThan(100)
      release()
      expect((await asking).status).toBe(200)
    } finally {
      release()
      await Promise.all([storm, ...hosts].map((one) => one.close()))
    }
  })
})

describe('pages that eat (B 19)', () => {
  it('a page that spins is given up at the timeout, and others go on meanwhile', async () => {
    const spinning = post('/browser/spin', { waitFor: 1, timeout: 3000 })
    const others = await Promise.all(['root', 'frame'].map((kind) => post(`/drawn/${kind}/3`)))
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    const { status, json } = await spinning
    expect(status).toBe(408)
    expect(json.code).toBe('SCRAPE_TIMEOUT')
  })

  itInSoak('a page that crashes its renderer is tried once more elsewhere', async () => {
    const crashing = post('/browser/crash', { waitFor: 1, timeout: PATIENT_MS })
    await until(() => site.hits('/browser/crashing') > 0)
    for (const pid of renderersBelow(service.pid)) process.kill(pid, 'SIGKILL')
    const { status, json } = await crashing
    expect(status).toBe(200)
    expect(json.data.markdown).toMatch(/Recovered/)
  })

  itInSoak('a page that takes all memory loses only itself', async () => {
    const eating = post('/browser/eat', { waitFor: 1, timeout: 25_000 })
    const other = await post('/drawn/timer/8')
    expect(other.status).toBe(200)
    const { status, json } = await eating
    expect([408, 500]).toContain(status)
    // Where memory or time is short, the timeout, or the watch over pages that do not answer, may be quicker than the page.
    if (status === 500) expect(json.error).toMatch(/more memory than a page may have|keeps the browser busy/)
    expect((await post('/drawn/root/9')).status).toBe(200)
  })
})

describe('TLS in the browser (B 20)', () => {
  it('follows skipTlsVerification, and says what is wrong otherwise', async () => {
    const tls = await startTls({ kind: 'self-signed' })
    try {
      expect((await post(tls.url, { waitFor: 1 })).status).toBe(200)
      const { status, json } = await post(tls.url, { waitFor: 1, skipTlsVerification: false })
      expect(status).toBe(500)
      expect(json.code).toBe('SCRAPE_SSL_ERROR')
    } finally {
      await tls.close()
    }
  })
})

describe('browsers and the service', () => {
  it('a killed browser costs its visits nothing but time', async () => {
    const running = post('/drawn/skeleton/2', { waitFor: 1500, timeout: PATIENT_MS })
    await new Promise((resolve) => setTimeout(resolve, 900))
    for (const line of browsersOf(service.pid)) process.kill(Number(line.trim().split(/\s+/)[0]), 'SIGKILL')
    const { status, json } = await running
    expect(status).toBe(200)
    expect(json.data.markdown).toMatch(/skeleton gauge number 2/)
  })

  itInSoak('none is left when the service is killed, or stopped', async () => {
    const ends = async (signal: 'SIGKILL' | 'SIGTERM') => {
      const own = await startService({ env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}` }, ownProcess: true })
      await own.call('POST', '/v2/scrape', { url: `${site.url}/drawn/root/1`, maxAge: 0 })
      const pids = browsersOf(own.pid).map((line) => Number(line.trim().split(/\s+/)[0]))
      expect(pids.length).toBeGreaterThan(0)
      await own.end(signal)
      await expect.poll(() => pids.filter(alive)).toEqual([])
      await own.stop()
    }
    await Promise.all([ends('SIGKILL'), ends('SIGTERM')])
  })

  it('without a browser everything else works, and what needs one says why (D 34)', async () => {
    const choosy = await startChoosy()
    const own = await startService({
      ownProcess: true,
      env: {
        ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port},127.0.0.1:${choosy.port}`,
        ORB_CHROMIUM: '/nowhere/chromium',
      },
    })
    try {
      const scrape = (path: string, options = {}) =>
        own.call('POST', '/v2/scrape', { url: site.url + path, ...options })
      // A guard that looks at how visitors greet is met in disguise, for which no browser is needed.
      const request = { url: choosy.url, skipTlsVerification: true, maxAge: 0 }
      const greeted = await own.call('POST', '/v2/scrape', request)
      expect(greeted.json.data.markdown).toMatch(/The guard knows its own/)
      expect(greeted.json.data.metadata.proxyUsed).toBe('stealth')
      const basic = await own.call('POST', '/v2/scrape', { ...request, proxy: 'basic' })
      expect(basic.json.success).toBe(false)
      expect((await scrape('/article')).status).toBe(200)
      const health = await own.call('GET', '/health')
      expect(health.status).toBe(200)
      expect(health.json).toMatchObject({ status: 'degraded', ready: true })
      expect(health.json.why[0]).toMatch(/\/nowhere\/chromium/)
      const { status, json } = await scrape('/article', { formats: ['screenshot'] })
      expect(status).toBe(503)
      expect(health.json.why[0]).toContain(json.error)
      const branding = await scrape('/article', { formats: ['branding'] })
      expect([branding.status, branding.json.error]).toEqual([503, expect.stringMatching(/browser/)])
      const shell = await scrape('/drawn/root/1')
      expect(shell.status).toBe(200)
      expect(shell.json.data.warning).toMatch(/was not rendered/)
    } finally {
      await own.stop()
      await choosy.close()
    }
  })
})

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
