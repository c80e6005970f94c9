import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDns } from '../../test/site/dns.ts'
import { type ProxyOptions, startProxy, startSocksProxy, type TestProxy } from '../../test/site/proxy.ts'
import { type Site, startSite } from '../../test/site/site.ts'
import { startTls, type TlsSite, testAuthority } from '../../test/site/tls.ts'
import { silentLog } from '../base/log.ts'
import { problems } from '../base/problem.ts'
import { type Egress, openEgress } from './egress.ts'
import {
  hasProxyFor,
  openProxySelector,
  type ProxyCriteria,
  type ProxyLists,
  type ProxySelector,
  teamsOfProxies,
} from './proxy-selector.ts'

const never = new AbortController().signal

describe('rotation', () => {
  const basic = ['http://a:1', 'http://b:1', 'http://c:1', 'http://d:1']
  const route = (site: string, more: Partial<ProxyCriteria> = {}): ProxyCriteria => ({ tier: 'basic', site, ...more })
  const first = (proxies: ProxySelector, wanted: ProxyCriteria) => proxies.candidates(wanted)[0]!.url.hostname

  it('gives a site the same proxy each time, and spreads the sites', () => {
    const [one, other] = [
      openProxySelector({ basic, enhanced: [] }, () => 0),
      openProxySelector({ basic, enhanced: [] }, () => 0),
    ]
    const sites = Array.from({ length: 400 }, (_, at) => `site-${at}.example`)
    const given = sites.map((site) => first(one, route(site)))
    expect(sites.map((site) => first(one, route(site)))).toEqual(given)
    expect(sites.map((site) => first(other, route(site)))).toEqual(given)
    for (const host of ['a', 'b', 'c', 'd']) expect(given.filter((name) => name === host).length).toBeGreaterThan(50)
  })

  it('moves a site on that does not like its proxy, and that site only', () => {
    const proxies = openProxySelector({ basic, enhanced: [] }, () => 0)
    const before = [first(proxies, route('one')), first(proxies, route('two'))]
    proxies.switchToNextProxy(route('one'))
    expect(first(proxies, route('one'))).not.toBe(before[0])
    expect(first(proxies, route('two'))).toBe(before[1])
  })

  it('leaves a failing proxy out for a minute, and longer each time until it works', () => {
    let now = 0
    const proxies = openProxySelector({ basic: basic.slice(0, 2), enhanced: [] }, () => now)
    const [bad] = proxies.candidates(route('x'))
    const isBack = () => proxies.candidates(route('x')).length === 2
    proxies.pauseProxy(bad!)
    expect(isBack()).toBe(false)
    now = 60_000
    expect(isBack()).toBe(true)
    proxies.pauseProxy(bad!)
    now += 60_000
    expect(isBack()).toBe(false)
    now += 60_000
    proxies.markWorking(bad!)
    proxies.pauseProxy(bad!)
    now += 60_000
    expect(isBack()).toBe(true)
  })

  it('has none to give when all are resting', () => {
    const proxies = openProxySelector({ basic: ['http://a:1'], enhanced: [] }, () => 0)
    proxies.pauseProxy(proxies.candidates(route('x'))[0]!)
    expect(() => proxies.candidates(route('x'))).toThrow(expect.objectContaining({ kind: 'proxy_failed' }))
  })

  it('uses the basic list for the enhanced tier when that is all there is', () => {
    const proxies = openProxySelector({ basic, enhanced: [] }, () => 0)
    expect(proxies.candidates(route('x', { tier: 'enhanced' }))[0]!.tier).toBe('basic')
  })

  it('takes the proxies of the country, else those of none, else any', () => {
    const proxies = openProxySelector(
      { basic: ['http://any:1', 'de=http://de:1', 'FR=http://fr:1'], enhanced: [] },
      () => 0,
    )
    expect(first(proxies, route('x', { country: 'DE' }))).toBe('de')
    expect(first(proxies, route('x', { country: 'JP' }))).toBe('any')
    expect(first(proxies, route('x'))).toBe('any')
    expect(
      first(
        openProxySelector({ basic: ['DE=http://de:1'], enhanced: [] }, () => 0),
        route('x'),
      ),
    ).toBe('de')
  })

  it('takes the proxies of the team, else common ones, and never those of another team', () => {
    const proxies = openProxySelector(
      { basic: ['http://any:1', 'team:t-1=http://own:1', 'team:t-1=DE=socks5://me:pw@german:1'], enhanced: [] },
      () => 0,
    )
    const used = (team: string | undefined, more = {}) =>
      new Set(Array.from({ length: 40 }, (_, at) => first(proxies, route(`site-${at}`, { team, ...more }))))
    expect([...used('t-1')]).toEqual(['own'])
    expect([...used('t-1', { country: 'DE', tier: 'enhanced' })]).toEqual(['german'])
    for (const team of ['t-2', undefined]) expect([...used(team)]).toEqual(['any'])
    const only = openProxySelector({ basic: ['team:t-1=http://own:1'], enhanced: [] }, () => 0)
    expect(only.candidates(route('x'))).toEqual([])
    expect(teamsOfProxies(['http://any:1', 'team:t-1=DE=http://own:1'])).toEqual(['t-1'])
    expect(['t-1', 't-2', undefined].map((team) => hasProxyFor(team, ['team:t-1=http://own:1']))).toEqual([
      true,
      false,
      false,
    ])
    expect(hasProxyFor('t-2', ['http://any:1'])).toBe(true)
  })

  it.each(['a:1', 'socks4://a:1', 'socks5:', ''])(
    'does not start with the entry %j, and does not repeat it',
    (entry) => {
      expect(() => openProxySelector({ basic: [entry], enhanced: [] }, () => 0)).toThrow(/ORB_PROXIES_BASIC/)
    },
  )
})

describe('through a proxy', () => {
  let site: Site
  let secure: TlsSite
  let dns: DnsServer
  let authority: string
  const closing: { close(): Promise<void> }[] = []

  const proxy = async (options?: ProxyOptions): Promise<TestProxy> => {
    const started = await startProxy(options)
    closing.push(started)
    return started
  }
  const socks = async (login?: string): Promise<TestProxy> => {
    const started = await startSocksProxy({ login })
    closing.push(started)
    return started
  }
  const open = (proxies: Partial<ProxyLists>, limits = {}): Egress => {
    const egress = openEgress({
      limits,
      allowPrivate: [`127.0.0.1:${site.port}`, `127.0.0.1:${secure.port}`],
      dnsServers: [dns.address],
      proxies: { basic: [], enhanced: [], ...proxies },
      log: silentLog,
      trust: [authority],
    })
    closing.push(egress)
    return egress
  }
  const get = (egress: Egress, url: string, tier: 'basic' | 'enhanced' = 'basic') =>
    egress.fetch({ url, headers: {}, skipTlsVerification: false, proxy: tier }, never)

  beforeAll(async () => {
    site = await startSite()
    secure = await startTls({ kind: 'good' })
    authority = await testAuthority()
    dns = await startDns({
      answers: {
        'site.test': { a: ['127.0.0.1'], ttl: 60 },
        'tls.test': { a: ['127.0.0.1'], ttl: 60 },
        'inner.test': { a: ['127.0.0.2'] },
      },
    })
  })

  afterAll(async () => {
    await Promise.all(closing.map((opened) => opened.close()))
    await Promise.all([site.close(), secure.close(), dns.close()])
  })

  it('tunnels to the checked address, so that the proxy resolves nothing of its own', async () => {
    const through = await proxy({ login: 'me:s3cret' })
    const response = await get(open({ basic: [through.url] }), `http://site.test:${site.port}/article`)
    expect(response).toMatchObject({ status: 200, proxyUsed: 'basic', url: `http://site.test:${site.port}/article` })
    expect(through.tunnels()).toEqual([`127.0.0.1:${site.port}`])
  })

  it('takes SOCKS5 with a password, for a checked address and no name', async () => {
    const through = await socks('me:s3cret')
    const egress = open({ basic: [through.url] })
    expect((await get(egress, `http://site.test:${site.port}/article`)).status).toBe(200)
    expect((await get(egress, `https://tls.test:${secure.port}/`)).status).toBe(200)
    const { socket } = await egress.dial('site.test', site.port, { tier: 'basic', site: 'site.test' }, true)
    socket.destroy()
    expect(through.tunnels()).toEqual([site, secure, site].map(({ port }) => `127.0.0.1:${port}`))
    await expect(get(egress, `http://inner.test:${site.port}/`)).rejects.toMatchObject({ kind: 'refused_address' })
    expect(through.tunnels()).toHaveLength(3)
  })

  it('verifies the certificate of the site, not of the proxy', async () => {
    const through = await proxy()
    expect((await get(open({ basic: [through.url] }), `https://tls.test:${secure.port}/`)).status).toBe(200)
    expect(secure.names()).toContain('tls.test')
  })

  it('refuses private addresses before the proxy hears of them', async () => {
    const through = await proxy()
    const egress = open({ basic: [through.url] })
    for (const host of ['inner.test', '127.0.0.2', 'localhost']) {
      await expect(get(egress, `http://${host}:${site.port}/`)).rejects.toEqual(
        expect.objectContaining({ kind: 'refused_address' }),
      )
    }
    expect(through.tunnels()).toEqual([])
  })

  it('says `stealth` when the enhanced tier was used', async () => {
    const [basic, enhanced] = [await proxy(), await proxy()]
    const egress = open({ basic: [basic.url], enhanced: [enhanced.url] })
    expect((await get(egress, `${site.url}/article`, 'enhanced')).proxyUsed).toBe('stealth')
    expect((await get(egress, `${site.url}/article`, 'basic')).proxyUsed).toBe('basic')
    expect([basic.tunnels().length, enhanced.tunnels().length]).toEqual([1, 1])
  })

  it('goes through the proxy of the country, and stays with the one of the site until the site refuses it', async () => {
    const [german, one, two] = [await proxy(), await proxy(), await proxy()]
    const egress = open({ basic: [`DE=${german.url}`, one.url, two.url] })
    await egress.fetch(
      { url: `${site.url}/article`, headers: {}, skipTlsVerification: false, proxy: 'basic', country: 'DE' },
      never,
    )
    expect([german, one, two].map((through) => through.tunnels().length)).toEqual([1, 0, 0])
    const used = () => [one, two].findIndex((through) => through.tunnels().length > 0)
    await get(egress, `${site.url}/article`)
    const before = used()
    await get(egress, `${site.url}/status/403`)
    expect([one, two].map((through) => through.tunnels().length > 0)).toEqual([before === 0, before === 1])
    await get(egress, `${site.url}/article`)
    expect([one, two].every((through) => through.tunnels().length > 0)).toBe(true)
  })

  it('goes on to the next proxy when one fails, and rests the broken one', async () => {
    const good = await proxy()
    const egress = open({ basic: ['http://127.0.0.1:1', good.url] })
    for (let round = 0; round < 3; round++) expect((await get(egress, `${site.url}/article`)).status).toBe(200)
  })

  it.each([
    ['cannot be reached', 'http://127.0.0.1:1', undefined],
    ['returned 407', undefined, { login: 'me:right' }],
    ['returned 503', undefined, { refuse: 503 }],
    ['refuses the login', undefined, undefined],
  ])('says so when the only proxy %s', async (because, url, options) => {
    const start = because === 'refuses the login' ? () => socks('me:right') : () => proxy(options)
    const through = url ?? (await start()).url.replace('right', 'wrong')
    await expect(get(open({ basic: [through] }), `${site.url}/article`)).rejects.toEqual(
      expect.objectContaining({ kind: 'proxy_failed', message: expect.stringContaining(because) }),
    )
  })

  it('tells a proxy that does not respond in time from one that fails', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const egress = open({ basic: [`http://127.0.0.1:${port}`] }, { connectMs: 50 })
    try {
      const late = await get(egress, `${site.url}/article`).catch((error) => error)
      expect([late.kind, problems.proxy_timeout.status]).toEqual(['proxy_timeout', 504])
      expect(late.message).toMatch(/^Gateway Timeout.*did not respond/)
    } finally {
      silent.close()
    }
  })
})
