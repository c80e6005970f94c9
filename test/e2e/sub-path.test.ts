// The service below a path of another host, behind a reverse proxy: the dashboard with sign-in by OpenID Connect, docs,
// live views, and OAuth with a person who consents in a browser.
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { auth } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dashboardContext } from './dashboard-page.ts'
import { type Issuer, startIssuer } from './issuer.ts'
import { hostedClient } from './oauth-client.ts'
import type { Json } from './service.ts'

const PATH = '/orb'
/** As docs/operating.md gives it for nginx: the metadata of an issuer with a path are at the root of its host. */
const METADATA = /^(\/\.well-known\/oauth-[a-z-]+)\/orb(?:\/mcp)?$/

let issuer: Issuer
let proxy: http.Server
let publicUrl: string
let callback: http.Server
/** What the client was sent back with. */
const returned: URLSearchParams[] = []
beforeAll(async () => {
  issuer = await startIssuer()
  proxy = await listening(http.createServer(forward).on('upgrade', tunnel))
  publicUrl = `${addressOf(proxy)}${PATH}`
  callback = await listening(
    http.createServer((request, response) => {
      if (request.url?.startsWith('/back')) returned.push(new URL(request.url, publicUrl).searchParams)
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<link rel="icon" href="data:,"><p>Back at the client')
    }),
  )
})
afterAll(async () => {
  await issuer?.close()
  for (const server of [proxy, callback]) {
    server?.closeAllConnections()
    server?.close()
  }
})

const { service, window } = dashboardContext({
  env: () => ({
    ORB_PUBLIC_URL: publicUrl,
    ORB_TRUSTED_PROXIES: '127.0.0.1',
    ORB_OAUTH: 'on',
    ORB_OIDC_ISSUER: issuer.url,
    ORB_OIDC_CLIENT_ID: 'orb web',
    ORB_OIDC_CLIENT_SECRET: 'a:secret',
    ORB_OIDC_DOMAINS: 'example.com',
    ORB_OIDC_ADMIN_GROUPS: 'keepers',
    ORB_API_KEY: KEY,
  }),
  origin: () => publicUrl,
  expected: {
    test: (text) =>
      [issuer.url, addressOf(callback)].some((other) => text.startsWith(`asked another origin: ${other}/`)),
  },
})
const KEY = 'fc-0123456789abcdef0123456789abcdef'

const listening = (server: http.Server): Promise<http.Server> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
const addressOf = (server: http.Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function innerPath(url = ''): string | undefined {
  const metadata = METADATA.exec(url)?.[1]
  return metadata ?? (url.startsWith(`${PATH}/`) ? url.slice(PATH.length) : undefined)
}

function forward(request: http.IncomingMessage, response: http.ServerResponse): void {
  const path = innerPath(request.url)
  if (path === undefined) return void response.writeHead(404).end()
  const { hostname, port } = new URL(service.url)
  const headers = { ...request.headers, 'x-forwarded-for': '198.51.100.7' }
  const inner = http.request({ hostname, port, path, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  inner.on('error', () => response.destroy())
  response.on('close', () => inner.destroy())
  request.pipe(inner)
}

function tunnel(request: http.IncomingMessage, client: net.Socket, head: Buffer): void {
  const path = innerPath(request.url)
  if (path === undefined) return void client.destroy()
  const inner = net.connect(Number(new URL(service.url).port), new URL(service.url).hostname)
  const lines = Array.from({ length: request.rawHeaders.length / 2 }, (_, at) =>
    request.rawHeaders.slice(2 * at, 2 * at + 2).join(': '),
  )
  inner.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  inner.write(head)
  client.pipe(inner).pipe(client)
  for (const [one, other] of [[client, inner] as const, [inner, client] as const])
    one.on('error', () => other.destroy()).on('close', () => other.destroy())
}

async function signIn() {
  const { page } = window
  await page.goto(`${publicUrl}/`)
  await page.getByRole('link', { name: 'Sign in with your organization' }).click()
  await page.getByRole('navigation').first().waitFor()
  return page
}

it('serves the dashboard, the docs and live views below its path', async () => {
  const page = await signIn()
  expect(page.url().startsWith(`${publicUrl}/`)).toBe(true)
  expect(page.url()).not.toContain('session=')
  await page.goto(`${publicUrl}/#/keys`)
  await page.getByText('dashboard of ada@example.com').first().waitFor()
  await page.getByRole('link', { name: 'Docs', exact: true }).click()
  await page.getByLabel('Search the docs').fill('reverse proxy')
  await page.getByRole('option').first().click()
  await page.waitForURL(`${publicUrl}/docs/**`)
  await page.getByRole('link', { name: 'Zoo', exact: true }).click()
  await page.getByRole('link', { name: 'A shop' }).click()
  await page.waitForURL(`${publicUrl}/zoo/shop`)
  await page.goto(`${publicUrl}/docs/api`)
  await page.getByText('/v2/scrape', { exact: true }).first().waitFor()
  const { servers } = (await (await fetch(`${publicUrl}/openapi.json`)).json()) as Json
  expect(new URL(servers[0].url, `${publicUrl}/openapi.json`).href).toBe(`${publicUrl}/`)
  const circle = await fetch(`${publicUrl}/zoo/loop`, { redirect: 'manual' })
  expect(circle.headers.get('location')).toBe(`${PATH}/zoo/loop`)
  const session = (await service.call('POST', '/v2/interact', {})).json
  expect(session.interactiveLiveViewUrl.startsWith(`${publicUrl}/live/`)).toBe(true)
  await page.goto(session.interactiveLiveViewUrl)
  await page.locator('body[data-seen]').waitFor()
  await service.call('DELETE', `/v2/interact/${session.id}`)
})

it('lets a signed-in person refuse an OAuth client, and then allow it', async () => {
  const back = `${addressOf(callback)}/back`
  const { provider, kept } = hostedClient(back)
  const serverUrl = `${publicUrl}/mcp`
  const page = await signIn()
  const decide = async (button: string) => {
    expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
    expect(kept.wanted.href.startsWith(`${publicUrl}/oauth-authorize?`)).toBe(true)
    await page.goto(kept.wanted.href)
    await page.getByText(new URL(back).host).waitFor()
    expect(await page.getByRole('main').innerText()).toContain('Hosted requests a key of the team default')
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByText('Back at the client').waitFor()
    return returned.at(-1)!
  }
  const refused = await decide('Do not allow')
  expect(Object.fromEntries(refused)).toEqual({ error: 'access_denied', iss: publicUrl, state: 'a state' })
  const allowed = await decide('Allow')
  expect(await auth(provider, { serverUrl, authorizationCode: allowed.get('code')! })).toBe('AUTHORIZED')
  const client = new Client({ name: 'hosted', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider: provider })
  await client.connect(transport as Parameters<Client['connect']>[0])
  expect((await client.listTools()).tools.length).toBeGreaterThan(5)
  await client.close()
})
