// Where requests may go: addresses, names, redirects, and what goes along with them.
import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { type DnsServer, startDns } from '../../test/site/dns.ts'
import { type Forbidden, startForbidden } from '../../test/site/forbidden.ts'
import { type Site, startSite } from '../../test/site/site.ts'
import { withCallContext } from '../base/call-context.ts'
import { startDeadline } from '../base/deadline.ts'
import { type Log, silentLog } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import { type Egress, type EgressOptions, type EgressRequest, type EgressResponse, openEgress } from './egress.ts'
import { mayUseAllowList } from './private-address-access.ts'

const never = new AbortController().signal
const refused = expect.objectContaining({ kind: 'refused_address' })
const failed = (because: RegExp) =>
  expect.objectContaining({ kind: 'site_failed', message: expect.stringMatching(because) })

let site: Site
let other: Site
let forbidden: Forbidden
let dns: DnsServer
const opened: Egress[] = []

const open = (options: Partial<EgressOptions> = {}): Egress => {
  const egress = openEgress({
    allowPrivate: [`127.0.0.1:${site.port}`, `127.0.0.1:${other.port}`],
    dnsServers: [dns.address],
    proxies: { basic: [], enhanced: [] },
    log: silentLog,
    ...options,
  })
  opened.push(egress)
  return egress
}

const get = (egress: Egress, url: string, more: Partial<EgressRequest> = {}, signal = never): Promise<EgressResponse> =>
  egress.fetch({ url, headers: {}, skipTlsVerification: true, proxy: 'basic', ...more }, signal)

const text = ({ body }: EgressResponse): string => Buffer.from(body).toString()
const echoed = (response: EgressResponse): { method: string; headers: Record<string, string>; body: string } =>
  JSON.parse(text(response))

beforeAll(async () => {
  site = await startSite()
  other = await startSite()
  forbidden = await startForbidden(site.port)
  dns = await startDns({
    answers: {
      'site.test': { a: ['127.0.0.1'], ttl: 60 },
      'inner.test': { a: ['127.0.0.2'], ttl: 60 },
      'inner6.test': { aaaa: ['::1'], ttl: 60 },
      'mixed.test': { a: ['127.0.0.1', '127.0.0.2'] },
      'mixed6.test': { a: ['127.0.0.1'], aaaa: ['::1'] },
      'mapped.test': { aaaa: ['::ffff:127.0.0.2'] },
      'rebind.test': [
        { a: ['127.0.0.1'], ttl: 0 },
        { a: ['127.0.0.2'], ttl: 0 },
      ],
      'silent.test': { silent: true },
      'slow.test': { a: ['127.0.0.1'], slowMs: 300 },
      'many.test': { a: Array.from({ length: 40 }, () => '127.0.0.1') },
    },
  })
})

afterAll(async () => {
  await Promise.all(opened.map((egress) => egress.close()))
  expect(forbidden.hits()).toBe(0)
  await Promise.all([site.close(), other.close(), forbidden.close(), dns.close()])
})

describe('addresses', () => {
  it('fetches a page that the allow-list names', async () => {
    const response = await get(open(), `${site.url}/article`)
    expect(response).toMatchObject({
      status: 200,
      url: `${site.url}/article`,
      hops: [],
      truncated: false,
      warnings: [],
    })
    expect(text(response)).toContain('eleven minutes early')
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.timings.totalMs).toBeGreaterThanOrEqual(response.timings.firstByteMs)
  })

  it.each([
    'http://127.0.0.2:PORT/',
    'http://[::1]:PORT/',
    'http://localhost:PORT/',
    'http://localhost.:PORT/',
    'http://a.localhost:PORT/',
    'http://0.0.0.0:PORT/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/',
    'http://100.64.0.1/',
    'http://[fc00::1]/',
    'http://[fe80::1]/',
    'http://2130706434:PORT/',
    'http://0x7f.2:PORT/',
    'http://0177.0.0.2:PORT/',
    'http://127.2:PORT/',
    'http://１２７.０.０.２:PORT/',
    'http://127.0.0.2.:PORT/',
    'http://good@127.0.0.2:PORT/',
    'http:\\\\127.0.0.2:PORT\\',
    'http://[::ffff:127.0.0.2]:PORT/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::127.0.0.2]:PORT/',
    'http://[2002:7f00:2::]:PORT/',
    'http://[::127.0.0.2]:PORT/',
    'http://[::]:PORT/',
  ])('refuses %s before any packet', async (address) => {
    await expect(get(open(), address.replace('PORT', String(site.port)))).rejects.toEqual(refused)
    expect(forbidden.hits()).toBe(0)
  })

  it('refuses the allowed address on another port', async () => {
    await expect(get(open(), `http://127.0.0.1:${site.port === 1 ? 2 : 1}/`)).rejects.toEqual(refused)
  })

  it('refuses everything private when the allow-list is empty', async () => {
    await expect(get(open({ allowPrivate: [] }), site.url)).rejects.toEqual(refused)
  })

  it('refuses the allow-list to a caller who may not use it, also where a connection is already open', async () => {
    const egress = open({ mayUseAllowList })
    await withCallContext({ reach: 'private' }, () => get(egress, `${site.url}/counter`))
    await expect(withCallContext({ reach: 'public' }, () => get(egress, `${site.url}/counter`))).rejects.toEqual(
      refused,
    )
    // Whom nobody vouched for is no one who may.
    await expect(get(egress, `${site.url}/counter`)).rejects.toEqual(refused)
    expect(() => egress.check(site.url)).toThrow(expect.objectContaining({ kind: 'refused_address' }))
  })

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:,x', 'javascript:1', 'not an address'])(
    'knows no way to %s',
    async (url) => {
      await expect(get(open(), url)).rejects.toEqual(expect.objectContaining({ kind: 'invalid_url' }))
    },
  )

  it('logs once per request what the allow-list let through', async () => {
    const lines: object[] = []
    const log: Log = { ...silentLog, info: (fields) => lines.push(fields) }
    const egress = open({ log })
    await get(egress, `${site.url}/redirect/relative`)
    await get(egress, `${site.url}/counter`)
    const line = { host: `127.0.0.1:${site.port}`, rule: `127.0.0.1:${site.port}` }
    expect(lines).toEqual([line, line])
  })
})

describe('names', () => {
  it('visits a name whose every address may be visited', async () => {
    const response = await get(open(), `http://site.test:${site.port}/article`)
    expect(response.status).toBe(200)
    expect(response.timings.dnsMs).toBeGreaterThan(0)
  })

  it.each(['inner.test', 'inner6.test', 'mixed.test', 'mixed6.test', 'mapped.test'])(
    'refuses %s, whose addresses are not all allowed, without naming them',
    async (name) => {
      const visit = get(open(), `http://${name}:${site.port}/secret`)
      await expect(visit).rejects.toEqual(refused)
      await expect(visit).rejects.toThrow(expect.objectContaining({ message: expect.not.stringMatching(/127\.|::1/) }))
      expect(forbidden.hits()).toBe(0)
    },
  )

  it('connects only to the address it checked when the name changes in between', async () => {
    const egress = open()
    const first = await get(egress, `http://rebind.test:${site.port}/hostile/no-length`)
    expect(first.status).toBe(200)
    // One look-up served both the check and the connection; the second one is judged anew.
    expect(dns.questions('rebind.test')).toBe(1)
    await expect(get(egress, `http://rebind.test:${site.port}/secret`, {}, never)).rejects.toEqual(refused)
    expect(forbidden.hits()).toBe(0)
  })

  it('remembers an answer no longer than its TTL says, and judges it again for each connection', async () => {
    const egress = open()
    await get(egress, `http://site.test:${site.port}/article`)
    const asked = dns.questions('site.test')
    await get(egress, `http://site.test:${other.port}/article`)
    expect(dns.questions('site.test')).toBe(asked)
    await expect(get(egress, `http://site.test:1/`)).rejects.toEqual(refused)
  })

  it('says that a name does not exist', async () => {
    await expect(get(open(), 'http://missing.test/')).rejects.toEqual(
      expect.objectContaining({ kind: 'dns_failed', message: expect.stringContaining('no such name') }),
    )
  })

  it('gives up on a name server that does not respond within the budget', async () => {
    const started = performance.now()
    await expect(get(open({ limits: { dnsMs: 400 } }), 'http://silent.test/')).rejects.toEqual(
      expect.objectContaining({ kind: 'dns_failed' }),
    )
    expectCost(performance.now() - started).toBeLessThan(1500)
  })

  it('ends with the reason of the signal while a name is being looked up', async () => {
    const limit = startDeadline(50, never)
    await expect(get(open(), `http://slow.test:${site.port}/`, {}, limit.signal)).rejects.toEqual(
      expect.objectContaining({ kind: 'timeout' }),
    )
  })

  it('refuses a name with more addresses than anyone needs', async () => {
    await expect(get(open(), `http://many.test:${site.port}/`)).rejects.toEqual(
      expect.objectContaining({ kind: 'dns_failed' }),
    )
  })

  it('asks the system, its hosts file included, when no name server is configured', async () => {
    const egress = open({ dnsServers: [], allowPrivate: [`localhost:${site.port}`] })
    await expect(get(egress, `http://localhost:${other.port}/article`)).rejects.toEqual(refused)
    const named = open({ dnsServers: [], allowPrivate: [`localhost:${other.port}`] })
    expect((await get(named, `http://localhost:${other.port}/article`)).status).toBe(200)
  })
})

describe('redirects', () => {
  it('follows a relative redirect and keeps the hops', async () => {
    const response = await get(open(), `${site.url}/redirect/relative`)
    expect(response.url).toBe(`${site.url}/article`)
    expect(response.hops).toEqual([{ url: `${site.url}/redirect/relative`, status: 302, location: '../article' }])
  })

  it.each(['/redirect/loop', '/redirect/pair-a', '/redirect/50'])('gives up on %s after ten hops', async (path) => {
    const before = site.visits().length
    await expect(get(open(), site.url + path)).rejects.toEqual(expect.objectContaining({ kind: 'redirect_loop' }))
    expect(site.visits().length - before).toBe(11)
  })

  it('follows exactly ten hops', async () => {
    const response = await get(open(), `${site.url}/redirect/chain?left=10`)
    expect(response.hops).toHaveLength(10)
    expect(text(response)).toContain('The end of the chain')
  })

  it('gives the redirect itself when told not to follow', async () => {
    const response = await get(open(), `${site.url}/redirect/chain?left=1`, { maxRedirects: 0 })
    expect(response).toMatchObject({ status: 302, hops: [] })
    expect(text(response)).toBe('on you go')
  })

  it.each([
    ['/redirect/file', /`file:`/],
    ['/redirect/data', /`data:`/],
    ['/redirect/javascript', /`javascript:`/],
    ['/redirect/ftp', /`ftp:`/],
    ['/redirect/garbage', /not valid/],
  ])('does not follow %s', async (path, because) => {
    await expect(get(open(), site.url + path)).rejects.toEqual(failed(because))
  })

  it.each([
    'forbidden',
    'forbidden-307',
    'forbidden-v6',
    'forbidden-decimal',
    'forbidden-userinfo',
    'metadata',
    'localhost',
  ])('refuses the private address behind /redirect/%s', async (name) => {
    await expect(get(open(), `${site.url}/redirect/${name}`)).rejects.toEqual(refused)
    expect(forbidden.hits()).toBe(0)
  })

  it('refuses a redirect to a name that resolves to a private address', async () => {
    const to = encodeURIComponent(`http://inner.test:${site.port}/secret`)
    await expect(get(open(), `${site.url}/redirect/to?to=${to}`)).rejects.toEqual(refused)
  })

  it('returns a redirect without a location as the page it is', async () => {
    const response = await get(open(), `${site.url}/redirect/nowhere`)
    expect(response.status).toBe(302)
    expect(text(response)).toContain('without a place')
  })

  it('reads a location written in UTF-8', async () => {
    expect((await get(open(), `${site.url}/redirect/utf8`)).url).toBe(`${site.url}/entry/gr%C3%BC%C3%9Fe`)
  })

  it('follows a redirect whose own body never ends', async () => {
    const response = await get(open(), `${site.url}/redirect/bodied`)
    expect(response.url).toBe(`${site.url}/article`)
  })

  it.each([
    [301, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'hello'],
    [308, 'POST', 'hello'],
  ])('after a %i asks with %s', async (status, method, body) => {
    const response = await get(open(), `${site.url}/redirect/${status}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from('hello'),
    })
    const echo = echoed(response)
    expect(echo).toMatchObject({ method, body })
    expect(echo.headers['content-type']).toBe(method === 'GET' ? undefined : 'text/plain')
  })

  it('brings cookies back to the host that set them within the chain', async () => {
    const response = await get(open(), `${site.url}/redirect/cookie`)
    expect(text(response)).toContain('You carry the cookie')
    expect(response.hops).toHaveLength(1)
  })

  it('keeps nothing of a chain for the next request', async () => {
    const egress = open()
    await get(egress, `${site.url}/redirect/cookie`)
    expect(echoed(await get(egress, `${site.url}/echo`)).headers.cookie).toBeUndefined()
  })

  const secrets = {
    Authorization: 'Bearer x',
    Cookie: 'sid=1',
    'X-Api-Key': 'k',
    'X-Auth-Token': 't',
    'X-Harmless': 'yes',
  }

  it("sends the caller's secrets on within one origin", async () => {
    const { headers } = echoed(await get(open(), `${site.url}/redirect/to?to=/echo`, { headers: secrets }))
    expect(headers).toMatchObject({ authorization: 'Bearer x', cookie: 'sid=1', 'x-api-key': 'k', 'x-harmless': 'yes' })
  })

  it("does not send the caller's secrets on to another origin, nor back again", async () => {
    const home = encodeURIComponent(`${site.url}/echo`)
    const away = encodeURIComponent(`${other.url}/redirect/to?to=${home}`)
    for (const to of [encodeURIComponent(`${other.url}/echo`), away]) {
      const { headers } = echoed(await get(open(), `${site.url}/redirect/to?to=${to}`, { headers: secrets }))
      // Which of them are secrets, nobody but the caller knows.
      for (const name of ['authorization', 'cookie', 'x-api-key', 'x-auth-token', 'x-harmless'])
        expect(headers).not.toHaveProperty(name)
    }
  })

  it("does not send the caller's body on to another origin", async () => {
    const to = encodeURIComponent(`${other.url}/redirect/307`)
    const response = await get(open(), `${site.url}/redirect/to?to=${to}`, {
      method: 'PUT',
      body: Buffer.from('hello'),
    })
    expect(echoed(response)).toMatchObject({ method: 'PUT', body: '' })
  })
})

describe('headers', () => {
  it('never sends names that belong to the connection, or values that break out of their line', async () => {
    const headers = {
      Host: 'evil.example',
      Connection: 'close',
      'Transfer-Encoding': 'chunked',
      'Content-Length': '5',
      'Proxy-Authorization': 'x',
      Upgrade: 'h2c',
      Expect: '100-continue',
      'X-Split': 'a\r\nX-Injected: 1',
      'bad name': 'x',
      'X-Wide': '潮',
      'X-Good': 'yes',
    }
    const echo = echoed(await get(open(), `${site.url}/echo`, { headers }))
    expect(echo.headers).toEqual({ host: `127.0.0.1:${site.port}`, connection: 'keep-alive', 'x-good': 'yes' })
  })

  it('is not confused by header names with a meaning in JavaScript', async () => {
    const { headers } = await get(open(), `${site.url}/hostile/proto-header`)
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype)
    expect(Object.keys(headers)).not.toContain('__proto__')
    expect(headers.constructor).toBe('x')
  })
})

describe('the signal', () => {
  it('refuses to begin when it is already aborted', async () => {
    const before = site.hits('/docs')
    await expect(get(open(), `${site.url}/docs`, {}, AbortSignal.abort(new Problem('cancelled')))).rejects.toEqual(
      expect.objectContaining({ kind: 'cancelled' }),
    )
    expect(site.hits('/docs')).toBe(before)
  })

  it('leaves no listener behind', async () => {
    const controller = new AbortController()
    await get(open(), `${site.url}/redirect/relative`, {}, controller.signal)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })
})
