// Webhooks against a real receiver, through the real door out, on a clock wound by hand.

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestSqlite, type TestStore } from '../../test/contract/open-store.ts'
import { silentLog } from '../base/log.ts'
import { type Egress, openEgress } from '../fetch/egress.ts'
import { webhookSecretSettingName } from '../store/settings.ts'
import { makeWebhookDeliveryHandler } from './deliver-webhooks.ts'
import { webhookDeliveryStore } from './store/index.ts'
import { isEventWanted, makeWebhookDelivery } from './webhook-events.ts'
import type { WorkQueue } from './work-queue.ts'

interface Letter {
  headers: IncomingHttpHeaders
  body: string
}

const MINUTE_MS = 60_000
const never = new AbortController().signal

let test: TestStore
let egress: Egress
let receiver: http.Server
let letters: Letter[]
let respond: (response: http.ServerResponse) => void
let answer: ReturnType<typeof makeWebhookDeliveryHandler>
/** For a receiver to answer. */
let limitMs: number
let wakeUps: { id: string; runAt: number }[]
let teamId: string

beforeEach(async () => {
  test = await openTestSqlite()
  letters = []
  wakeUps = []
  limitMs = 60_000
  respond = (response) => void response.writeHead(204).end()
  receiver = http.createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      letters.push({ headers: request.headers, body })
      respond(response)
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  egress = openEgress({
    allowPrivate: [`127.0.0.1:${port}`],
    dnsServers: [],
    proxies: { basic: [], enhanced: [] },
    log: silentLog,
  })
  teamId = (await test.store.teams.create({ name: 'web' })).id
  const queue: WorkQueue = {
    enqueue: async (_tx, _kind, ids, options) =>
      void wakeUps.push(...ids.map((id) => ({ id, runAt: options?.runAt ?? 0 }))),
    work: () => ({ stop: async () => undefined }),
    close: async () => undefined,
  }
  answer = (id, signal) =>
    makeWebhookDeliveryHandler({
      store: test.store,
      queue,
      clock: test.clock,
      log: silentLog,
      limitMs,
      as: (_keyId, work) => work(),
      under: (_teamId, _options, work) => work(),
      post: (request, until) =>
        egress.fetch(
          { ...request, method: 'POST', skipTlsVerification: false, proxy: 'basic', maxRedirects: 0, maxBytes: 4096 },
          until,
        ),
    })(id, signal)
})
afterEach(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await egress.close()
  await test.end()
})

const target = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

async function posted(webhook: object = {}): Promise<string> {
  const job = {
    id: 'job-1',
    teamId,
    keyId: null,
    kind: 'crawl' as const,
    webhook: JSON.stringify({ url: target(), headers: {}, events: [], ...webhook }),
  }
  const event = { name: 'page' as const, success: true, dataText: '{"markdown":"# Ü"}' }
  const delivery = makeWebhookDelivery(job, { namespace: 'crawl', names: ['page'] }, event, test.clock.now())!
  await test.store.transaction((tx) => webhookDeliveryStore(test.store).add(tx, [delivery]))
  return delivery.id
}
const row = async (id: string) => (await webhookDeliveryStore(test.store).get(teamId, id))!

describe('sending a webhook', () => {
  it('posts the envelope as JSON with the headers and metadata of its owner', async () => {
    const id = await posted({ headers: { 'X-Mine': 'yes', 'X-Webhook-Signature': 'forged' }, metadata: { a: 1 } })
    await answer(id, never)
    expect(letters).toHaveLength(1)
    expect(letters[0]!.headers).toMatchObject({ 'content-type': 'application/json', 'x-mine': 'yes' })
    expect(letters[0]!.headers['x-webhook-signature']).toBeUndefined()
    expect(JSON.parse(letters[0]!.body)).toEqual({
      success: true,
      type: 'crawl.page',
      id: 'job-1',
      webhookId: id,
      data: [{ markdown: '# Ü' }],
      metadata: { a: 1 },
    })
    expect(await row(id)).toMatchObject({ state: 'delivered', attempts: 1, status: 204 })
  })

  it('signs the bytes with the secret of the team, under both names', async () => {
    await test.store.settings.set(webhookSecretSettingName(teamId), 'hush')
    const id = await posted()
    await answer(id, never)
    const { headers, body } = letters[0]!
    const signature = `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`
    expect(headers['x-firecrawl-signature']).toBe(signature)
    expect(headers['x-webhook-signature']).toBe(signature)
  })

  it('tries again after 1, 5 and 15 minutes with the same id and bytes, then gives up', async () => {
    respond = (response) => void response.writeHead(500).end()
    const id = await posted()
    for (const [at, minutes] of [1, 5, 15].entries()) {
      await answer(id, never)
      expect(wakeUps.at(-1)).toEqual({ id, runAt: test.clock.now() + minutes * MINUTE_MS })
      await answer(id, never)
      expect(letters).toHaveLength(at + 1)
      test.clock.wind(minutes * MINUTE_MS)
    }
    await answer(id, never)
    expect(await row(id)).toMatchObject({ state: 'dead', attempts: 4, status: 500 })
    const tries = (await webhookDeliveryStore(test.store).open(teamId, id))!.tries
    expect(tries.map(({ status, signature }) => ({ status, signature }))).toEqual(
      Array(4).fill({ status: 500, signature: null }),
    )
    expect(tries[3]!.at - tries[0]!.at).toBe(21 * MINUTE_MS)
    expect(new Set(letters.map((letter) => letter.body)).size).toBe(1)
    test.clock.wind(60 * MINUTE_MS)
    await answer(id, never)
    expect(letters).toHaveLength(4)
  })

  it('takes a redirect, a slow receiver and one that hangs up for failures', async () => {
    respond = (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    const redirected = await posted()
    await answer(redirected, never)
    expect(await row(redirected)).toMatchObject({ state: 'pending', status: 302 })
    respond = () => {}
    limitMs = 300
    const slow = await posted()
    await answer(slow, never)
    limitMs = 60_000
    expect((await row(slow)).error).toMatch(/did not respond within/)
    respond = (response) => void response.socket?.destroy()
    const dead = await posted()
    await answer(dead, never)
    expect(await row(dead)).toMatchObject({ state: 'pending', status: null })
  })

  it('does not read an endless answer', async () => {
    respond = (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'.repeat(65_536)), 1)
      response.on('close', () => clearInterval(timer))
    }
    const id = await posted()
    await answer(id, never)
    expect((await row(id)).state).toBe('delivered')
  })

  it('never visits a private address that the operator has not allowed', async () => {
    const id = await posted({ url: 'http://127.0.0.1:1/hook' })
    await answer(id, never)
    expect(await row(id)).toMatchObject({ state: 'dead', status: null })
    expect((await row(id)).error).toMatch(/not on the public web/)
  })
})

describe('which events are wanted', () => {
  it('matches full names, what follows the namespace, and all when none is named', () => {
    expect(isEventWanted([], 'crawl.page')).toBe(true)
    expect(isEventWanted(['page'], 'crawl.page')).toBe(true)
    expect(isEventWanted(['crawl.page'], 'crawl.page')).toBe(true)
    expect(isEventWanted(['batch_scrape.page'], 'crawl.page')).toBe(false)
    expect(isEventWanted(['completed'], 'crawl.page')).toBe(false)
  })
})
