import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import http2 from 'node:http2'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { type Forbidden, startForbidden } from '../../test/site/forbidden.ts'
import { startProxy } from '../../test/site/proxy.ts'
import { type Site, startSite } from '../../test/site/site.ts'
import { silentLog } from '../base/log.ts'
import { type BrowserProxy, openBrowserProxy } from './browser-proxy.ts'
import { type BrowserTlsTransport, openBrowserTlsTransport, splitSetCookies } from './browser-tls-fingerprint.ts'
import { type Egress, openEgress } from './egress.ts'
import { makeBrowserHeaders } from './http-engine.ts'
import { openOnDemandPackages } from './on-demand-packages.ts'

const never = new AbortController().signal
const fixture = (name: string) => readFile(new URL(`../../test/fixtures/tls/${name}`, import.meta.url), 'utf8')

let site: Site
let forbidden: Forbidden
let secure: http2.Http2SecureServer
let greeting: net.Server
const hello: Buffer[] = []
const ways: string[] = []
const closing: { close(): Promise<void> }[] = []

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

interface TestConnection {
  egress: Egress
  disguise: BrowserTlsTransport
  proxy: BrowserProxy
}

async function connection(enhanced: string[] = []): Promise<TestConnection> {
  const allowPrivate = [site.port, portOf(secure), portOf(greeting)].map((port) => `127.0.0.1:${port}`)
  const egress = openEgress({ allowPrivate, dnsServers: [], proxies: { basic: [], enhanced }, log: silentLog })
  const proxy = await openBrowserProxy(egress)
  closing.push(egress, proxy)
  const registry = { registry: undefined, dnsServers: [], proxies: [], log: silentLog }
  const packages = openOnDemandPackages({ dataDir: '/nonexistent', registry })
  const disguise = openBrowserTlsTransport(async () => proxy, packages, expect.fail)
  await disguise.ready(never)
  return { egress, disguise, proxy }
}

const get = ({ egress, disguise }: TestConnection, url: string, skipTlsVerification = false, signal = never) =>
  egress.fetch(
    {
      url,
      headers: makeBrowserHeaders({ headers: {}, languages: ['en-US'], mobile: false }),
      skipTlsVerification,
      proxy: 'enhanced',
      wire: disguise.wire,
    },
    signal,
  )

let plain: TestConnection
beforeAll(async () => {
  site = await startSite()
  forbidden = await startForbidden(site.port)
  const [cert, key] = await Promise.all([fixture('good.crt'), fixture('server.key')])
  secure = http2.createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
    ways.push(request.httpVersion)
    response.setHeader('content-type', 'text/html')
    response.end(`<h1>Seen ${request.headers['user-agent']}</h1>`)
  })
  greeting = net.createServer((socket) => {
    socket.once('data', (chunk) => {
      hello.push(chunk)
      socket.destroy()
    })
    socket.on('error', () => {})
  })
  for (const server of [secure, greeting]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  plain = await connection()
})
afterAll(async () => {
  await Promise.all(closing.map((opened) => opened.close()))
  secure.close()
  greeting.close()
  await Promise.all([site.close(), forbidden.close()])
})

describe('a disguised visit', () => {
  it('greets as Chrome does: with invented ciphers, and offering HTTP/2', async () => {
    await expect(get(plain, `https://127.0.0.1:${portOf(greeting)}/`)).rejects.toMatchObject({ name: 'Problem' })
    const bytes = hello[0] as Buffer
    const ciphersAt = 5 + 4 + 2 + 32 + 1 + (bytes[43] ?? 0) + 2
    // GREASE (RFC 8701): Chrome begins its list with a value of the form 0x?a?a; OpenSSL never does.
    expect([(bytes[ciphersAt] ?? 0) & 0x0f, bytes[ciphersAt]]).toEqual([0x0a, bytes[ciphersAt + 1]])
    expect(bytes.includes('\x02h2\x08http/1.1')).toBe(true)
  })

  it('speaks HTTP/2 and reads the page', async () => {
    const { status, body } = await get(plain, `https://127.0.0.1:${portOf(secure)}/`, true)
    expect(status).toBe(200)
    expect(Buffer.from(body).toString()).toMatch(/Seen Mozilla.*Chrome\/147/)
    expect(ways).toEqual(['2.0'])
  })

  it('does not accept a certificate that does not pass, unless told to', async () => {
    await expect(get(plain, `https://127.0.0.1:${portOf(secure)}/`)).rejects.toMatchObject({ kind: 'tls_failed' })
  })

  it('follows redirects under the same policy, and never into the inner network', async () => {
    expect((await get(plain, `${site.url}/redirect/cookie`)).hops.length).toBeGreaterThan(0)
    for (const url of [
      `${site.url}/redirect/forbidden`,
      `http://127.0.0.2:${site.port}/`,
      `https://127.0.0.2:${site.port}/`,
    ])
      await expect(get(plain, url)).rejects.toMatchObject({ kind: 'refused_address' })
    expect(forbidden.hits()).toBe(0)
  })

  it('keeps each of several cookies, dates and all', () => {
    const one = 'a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/'
    expect(splitSetCookies(`${one}, b=x y; Secure,c=`)).toEqual([one, 'b=x y; Secure', 'c='])
    expect(splitSetCookies(undefined)).toEqual([])
  })

  it('unpacks bodies within the usual budgets', async () => {
    const packed = await get(plain, `${site.url}/packed/gzip`)
    expect(packed.body.byteLength).toBeGreaterThan(100)
    const kind = await get(plain, `${site.url}/bomb/deflate`).then(
      () => 'read',
      (problem) => problem.kind,
    )
    expect(kind).toBe('bomb')
  })

  it('goes through the proxies of the enhanced tier', async () => {
    const through = await startProxy()
    closing.push(through)
    expect((await get(await connection([through.url]), `${site.url}/article`)).status).toBe(200)
    expect(through.tunnels()).toEqual([`127.0.0.1:${site.port}`])
  })

  it('ends when nobody waits any longer', async () => {
    const started = performance.now()
    await expect(get(plain, `${site.url}/slow?ms=20000`, false, AbortSignal.timeout(300))).rejects.toBeDefined()
    expectCost(performance.now() - started).toBeLessThan(5000)
  })
})

it('tells why the library could not be fetched, once in the log and then in the notes', async () => {
  const said: string[] = []
  const packages = { folderOf: () => Promise.reject(new Error('the registry is silent')), nativeFileOf: expect.fail }
  const disguise = openBrowserTlsTransport(expect.fail, packages, (because) => said.push(because))
  expect(disguise.note()).toBeUndefined()
  await disguise.ready(never)
  await disguise.ready(never)
  expect(said).toEqual(['the registry is silent'])
  expect(disguise.note()).toBe('wreq-js could not be fetched: the registry is silent')
})
