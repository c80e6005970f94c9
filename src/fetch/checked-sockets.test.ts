// TLS as servers in the wild offer it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDns } from '../../test/site/dns.ts'
import { type Site, startSite } from '../../test/site/site.ts'
import { startTls, type TlsKind, type TlsSite, testAuthority } from '../../test/site/tls.ts'
import { silentLog } from '../base/log.ts'
import { type Egress, openEgress } from './egress.ts'

const never = new AbortController().signal
const kinds = ['good', 'self-signed', 'expired', 'wrong-host', 'old'] as const

let servers: Record<TlsKind, TlsSite>
let plain: Site
let dns: DnsServer
let egress: Egress

const get = (url: string, skipTlsVerification: boolean) =>
  egress.fetch({ url, headers: {}, skipTlsVerification, proxy: 'basic' }, never)
const failed = (because: RegExp) =>
  expect.objectContaining({ kind: 'tls_failed', message: expect.stringMatching(because) })

beforeAll(async () => {
  const started = await Promise.all(kinds.map(async (kind) => [kind, await startTls({ kind })] as const))
  servers = Object.fromEntries(started) as Record<TlsKind, TlsSite>
  plain = await startSite()
  dns = await startDns({ answers: { 'tls.test': { a: ['127.0.0.1'], ttl: 60 } } })
  egress = openEgress({
    allowPrivate: ['127.0.0.1'],
    dnsServers: [dns.address],
    proxies: { basic: [], enhanced: [] },
    log: silentLog,
    trust: [await testAuthority()],
  })
})

afterAll(async () => {
  await egress.close()
  await Promise.all([...Object.values(servers).map((server) => server.close()), plain.close(), dns.close()])
})

describe('certificates', () => {
  it('accepts a good certificate, and connects to the checked address under the name that was asked for', async () => {
    expect((await get(servers.good.url, false)).status).toBe(200)
    expect((await get(`https://tls.test:${servers.good.port}/`, false)).status).toBe(200)
    expect(servers.good.names()).toEqual(['', 'tls.test'])
  })

  it.each([
    ['self-signed', /is self-signed/],
    ['expired', /expired since Jan +1 00:00:00 2021 GMT/],
    ['wrong-host', /is not for the host 127\.0\.0\.1/],
  ] as const)('says precisely what is wrong with one that is %s, and sends nothing', async (kind, because) => {
    await expect(get(servers[kind].url, false)).rejects.toEqual(failed(because))
    expect(servers[kind].hits()).toBe(0)
  })

  it.each(kinds)('accepts one that is %s when verification is skipped', async (kind) => {
    expect((await get(servers[kind].url, true)).status).toBe(200)
  })

  it('does not let a request with verification use a connection without', async () => {
    const { url } = servers['self-signed']
    expect((await get(url, true)).status).toBe(200)
    await expect(get(url, false)).rejects.toEqual(failed(/self-signed/))
    await expect(get(url, false)).rejects.toEqual(failed(/self-signed/))
  })

  it('verifies a resumed session as it verified the first', async () => {
    for (let round = 0; round < 3; round++) {
      await expect(get(servers['wrong-host'].url, false)).rejects.toEqual(failed(/not for the host/))
      await get(servers['wrong-host'].url, true)
    }
  })
})

describe('handshakes', () => {
  it('says that a server knows only old versions of TLS', async () => {
    await expect(get(servers.old.url, false)).rejects.toEqual(failed(/insecure versions of TLS/))
  })

  it('says that a port does not speak TLS', async () => {
    await expect(get(plain.url.replace('http:', 'https:'), true)).rejects.toEqual(failed(/does not support TLS/))
  })
})
