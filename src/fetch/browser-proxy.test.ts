import http from 'node:http'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Forbidden, startForbidden } from '../../test/site/forbidden.ts'
import { type Site, startSite } from '../../test/site/site.ts'
import { silentLog } from '../base/log.ts'
import { type BrowserProxy, openBrowserProxy, type ProxyLogin } from './browser-proxy.ts'
import { type Egress, openEgress } from './egress.ts'

let site: Site
let forbidden: Forbidden
let egress: Egress
let proxy: BrowserProxy
beforeAll(async () => {
  site = await startSite()
  forbidden = await startForbidden(site.port)
  const proxies = { basic: [], enhanced: [] }
  egress = openEgress({ allowPrivate: [`127.0.0.1:${site.port}`], dnsServers: [], proxies, log: silentLog })
  proxy = await openBrowserProxy(egress)
})
afterAll(async () => {
  await proxy.close()
  await egress.close()
  await Promise.all([site.close(), forbidden.close()])
})

const admit = (blocks: (host: string) => boolean = () => false) =>
  proxy.admit({ route: { tier: 'basic', site: '127.0.0.1' }, blocks })
const login = ({ user, password }: ProxyLogin) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** A request in the form that browsers send to a proxy. */
function ask(url: string, authorization?: string): Promise<{ status: number; text: string }> {
  const { port } = new URL(proxy.server)
  const headers = { host: new URL(url).host, ...(authorization ? { 'proxy-authorization': authorization } : {}) }
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path: url, headers, agent: false }, async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode ?? 0, text })
      })
      .on('error', reject)
  })
}

/** The status line that a CONNECT is answered with. */
function connect(authority: string, authorization: string): Promise<string> {
  const { port } = new URL(proxy.server)
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), '127.0.0.1', () =>
      socket.write(
        `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: ${authorization}\r\n\r\n`,
      ),
    )
    socket.once('data', (chunk) => {
      resolve(chunk.toString('latin1').split('\r\n', 1)[0] ?? '')
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

describe('the proxy of the browser', () => {
  it('knows only visits that were admitted, and those only while they last', async () => {
    const pass = admit()
    expect((await ask(`${site.url}/article`)).status).toBe(407)
    expect((await ask(`${site.url}/article`, 'Basic bm86bm8=')).status).toBe(407)
    expect((await ask(`${site.url}/article`, login(pass))).text).toMatch(/tide tables/)
    pass.close()
    expect((await ask(`${site.url}/article`, login(pass))).status).toBe(407)
  })

  it('refuses private addresses in every form, and counts them', async () => {
    const pass = admit()
    for (const host of ['127.0.0.2', 'localhost', '[::1]', '0.0.0.0', '2130706434'])
      expect((await ask(`http://${host}:${site.port}/`, login(pass))).status).toBe(204)
    expect(await connect(`127.0.0.2:${site.port}`, login(pass))).toMatch(/502/)
    expect(await connect('169.254.169.254:443', login(pass))).toMatch(/502/)
    expect(await connect('nonsense', login(pass))).toMatch(/400/)
    expect(pass.refused()).toBe(7)
    expect(pass.failure(new URL('https://169.254.169.254/'))?.kind).toBe('refused_address')
    expect(forbidden.hits()).toBe(0)
    pass.close()
  })

  it('opens tunnels to what may be visited', async () => {
    const pass = admit()
    expect(await connect(`127.0.0.1:${site.port}`, login(pass))).toMatch(/200/)
    pass.close()
  })

  it('does without hosts that the visit blocks', async () => {
    const pass = admit((host) => host === '127.0.0.1')
    const before = site.hits('/article')
    expect((await ask(`${site.url}/article`, login(pass))).status).toBe(502)
    expect(site.hits('/article')).toBe(before)
    expect(pass.failure(new URL(`http://127.0.0.1:${site.port}/`))?.message).toMatch(/advertisement/)
    pass.close()
  })

  it('forwards only http addresses', async () => {
    const pass = admit()
    expect((await ask('ftp://127.0.0.1/', login(pass))).status).toBe(400)
    pass.close()
  })
})
