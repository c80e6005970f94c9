// Two services over one database: a session that one of them holds is driven, watched and ended through the other.
import pg from 'pg'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { priceOfSession } from '../../src/base/prices.ts'
import { type Site, startSite } from '../site/site.ts'
import { itInSoak } from '../soak.ts'
import { closedPort, type Json, type Service, startService } from './service.ts'

const server = inject('postgresUrl')

describe.skipIf(!server)('a session on another machine (skipped when PostgreSQL could not be started)', () => {
  let site: Site
  let first: Service
  let second: Service
  beforeAll(async () => {
    const name = `orb_live_${process.pid}`
    const admin = new pg.Client({ connectionString: server })
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    site = await startSite({
      '/page': ({ response }) =>
        void response
          .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'in=yes; Path=/; Max-Age=3600' })
          .end('<title>Page</title><h1>Page</h1><button onclick="document.title=\'Pressed\'">Press</button>'),
    })
    const url = new URL(server as string)
    url.pathname = `/${name}`
    const start = async () => {
      const port = await closedPort()
      return startService({
        ownProcess: true,
        env: {
          ORB_DATABASE_URL: url.href,
          ORB_PORT: String(port),
          ORB_INTERNAL_URL: `http://127.0.0.1:${port}`,
          ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
        },
      })
    }
    first = await start()
    second = await start()
  })
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop()])
    await site?.close()
  })

  it('signs in to the dashboard with a code that the other machine made, once', async () => {
    const { code } = (await first.call('POST', '/api/session/code', {})).json.data
    const signIn = async ({ url }: Service) => {
      const headers = { 'content-type': 'application/json', origin: url }
      return (await fetch(`${url}/api/session`, { method: 'POST', headers, body: JSON.stringify({ code }) })).status
    }
    expect(await signIn(second)).toBe(200)
    expect([await signIn(first), await signIn(second)]).toEqual([403, 403])
  })

  it('gives the same answers: code, words, CDP, the picture, a profile, the end', async () => {
    const made: Json = (await first.call('POST', '/v2/interact', {})).json
    const far = (op: string, body: object) => second.call('POST', `/v2/interact/${made.id}/${op}`, body)
    expect(
      (await far('execute', { code: `await page.goto('${site.url}/page'); await page.title()` })).json.result,
    ).toBe('Page')
    expect((await far('execute', { code: 'let kept = 4' })).status).toBe(200)
    expect((await far('execute', { code: 'kept + 1' })).json.result).toBe('5')
    expect((await far('prompt', { prompt: 'click Press' })).json).toMatchObject({ exitCode: 0 })
    const seen = (await second.call('GET', `/v2/interact/${made.id}`)).json
    expect(seen.status).toBe('active')
    expect(seen.creditsBilled).toBeGreaterThanOrEqual(7)
    const here = new URL(second.url)
    expect(new URL(seen.cdpUrl).host).toBe(here.host)
    const browser = await chromium.connectOverCDP(seen.cdpUrl)
    expect(await browser.contexts()[0]?.pages()[0]?.title()).toBe('Pressed')
    await browser.close()
    const { ticket } = (await (await fetch(`${seen.interactiveLiveViewUrl}?ticket=1`)).json()) as { ticket: string }
    const socket = new WebSocket(`ws://${here.host}/live/${made.id}/socket/${ticket}`)
    const received: (Buffer | Json)[] = []
    socket.on('message', (data: Buffer, isBinary: boolean) => received.push(isBinary ? data : JSON.parse(String(data))))
    await vi.waitFor(() => expect(received.some((one) => Buffer.isBuffer(one))).toBe(true), { timeout: 120_000 })
    const reply = received.filter((one) => !Buffer.isBuffer(one))
    expect(reply.at(-1)).toMatchObject({ url: `${site.url}/page`, drivers: 1 })
    socket.close()
    expect((await far('profile', { name: 'shared' })).json).toEqual({ success: true })
    expect((await first.call('GET', '/v2/interact/profiles')).json.profiles).toMatchObject([{ name: 'shared' }])
    const ended = await second.call('DELETE', `/v2/interact/${made.id}`)
    const creditsBilled = priceOfSession(ended.json.sessionDurationMs, true)
    expect(ended.json).toMatchObject({ success: true, status: 'destroyed', creditsBilled })
    expect((await far('execute', { code: '1' })).status).toBe(410)
    expect((await first.call('POST', `/v2/interact/${made.id}/execute`, { code: '1' })).status).toBe(410)
  })

  itInSoak('is gone with its machine, and the other one says so and settles its bill', async () => {
    const made: Json = (await first.call('POST', '/v2/interact', { profile: { name: 'left' } })).json
    await first.end('SIGKILL')
    const gone = await second.call('POST', `/v2/interact/${made.id}/execute`, { code: '1' })
    expect(gone.status).toBe(410)
    await vi.waitFor(
      async () =>
        expect((await second.call('GET', `/v2/interact/${made.id}`)).json).toMatchObject({
          status: 'destroyed',
          creditsBilled: 2,
        }),
      { timeout: 120_000, interval: 1000 },
    )
    const again = await second.call('POST', '/v2/interact', { profile: { name: 'left' } })
    expect(again.status).toBe(200)
    await second.call('DELETE', `/v2/interact/${again.json.id}`)
  })
})
