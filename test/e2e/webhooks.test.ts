// Webhooks of real jobs: what arrives, signed how, and sent again on request.
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkedPages } from '../site/linked.ts'
import { type Json, runToEnd } from './service.ts'
import { shared } from './shared.ts'
import { newTeam } from './team.ts'
import { finished, until } from './waiting.ts'

const { site, service, operator } = shared(linkedPages)
let receiver: http.Server
let hook: string
const letters: { path: string; headers: http.IncomingHttpHeaders; text: string; json: Json }[] = []
beforeAll(async () => {
  receiver = http.createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      letters.push({ path: request.url ?? '', headers: request.headers, text, json: JSON.parse(text) })
      response.writeHead(200).end('thanks')
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  hook = `http://127.0.0.1:${port}`
})
afterAll(() => void receiver.close())

const batch = async (webhook: unknown, urls = [`${site.url}/linked/1`]) =>
  (await service.call('POST', '/v2/batch/scrape', { urls, webhook, maxAge: 0 })).json
const opened = async (id: string) => (await service.call('GET', `/v2/webhooks/deliveries/${id}`)).json.data
const at = (path: string) => letters.filter((letter) => letter.path === path)

describe('the webhooks of a job', () => {
  it('tell of its start, each page and its end, once each', async () => {
    const urls = [`${site.url}/linked/1`, `${site.url}/linked/2`]
    const { id } = await batch({ url: `${hook}/all`, metadata: { ticket: 'A-1' } }, urls)
    await until(() => at('/all').length >= 4)
    const types = at('/all').map(({ json }) => json.type)
    expect(types.sort()).toEqual([
      'batch_scrape.completed',
      'batch_scrape.page',
      'batch_scrape.page',
      'batch_scrape.started',
    ])
    expect(new Set(at('/all').map(({ json }) => json.webhookId)).size).toBe(4)
    for (const { json } of at('/all')) expect(json).toMatchObject({ id, success: true, metadata: { ticket: 'A-1' } })
    const page = at('/all').find(({ json }) => json.type === 'batch_scrape.page')!
    expect(page.json.data[0].markdown).toMatch(/^# Page/)
    expect(page.json.data[0].metadata.scrapeId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('tell of a page that failed, with its error', async () => {
    await batch({ url: `${hook}/failed`, events: ['page'] }, ['http://no-such-host.invalid/'])
    await until(() => at('/failed').length > 0, 20_000)
    expect(at('/failed')).toHaveLength(1)
    expect(at('/failed')[0]!.json).toMatchObject({
      success: false,
      type: 'batch_scrape.page',
      data: [{ metadata: { sourceURL: 'http://no-such-host.invalid/' } }],
    })
    expect(at('/failed')[0]!.json.error).toMatch(/resolve/)
  })

  it('come as a crawl too, for the events that were asked for, to an address given as text', async () => {
    const body = { url: `${site.url}/linked/0`, limit: 2, crawlEntireDomain: true, webhook: `${hook}/text` }
    const { json } = await service.call('POST', '/v2/crawl', body)
    await finished(service, json.url)
    await until(() => at('/text').length >= 4)
    await service.call('POST', '/v2/crawl', { ...body, webhook: { url: `${hook}/some`, events: ['completed'] } })
    await until(() => at('/some').length >= 1)
    expect(at('/some').map(({ json: { type } }) => type)).toEqual(['crawl.completed'])
  })

  it('are signed once the team has a secret, and replayed with the same id, bytes and signature', async () => {
    const { out } = await runToEnd({ ORB_DATA_DIR: service.dataDir }, [
      'webhooks',
      'secret',
      `tests of site ${site.port}`,
      'rotate',
    ])
    const secret = /[0-9a-f]{64}/.exec(out)![0]
    const { id } = await batch({ url: `${hook}/signed`, events: ['completed'] })
    await until(() => at('/signed').length === 1)
    const letter = at('/signed')[0]!
    const expected = `sha256=${createHmac('sha256', secret).update(letter.text).digest('hex')}`
    expect(letter.headers['x-firecrawl-signature']).toBe(expected)
    const { json } = await service.call('GET', `/v2/webhooks/deliveries?jobId=${id}`)
    expect(json.data).toMatchObject([{ id: letter.json.webhookId, event: 'batch_scrape.completed', jobId: id }])
    await until(
      async () => (await service.call('GET', `/v2/webhooks/deliveries?jobId=${id}`)).json.data[0].state === 'delivered',
    )
    const again = await service.call('POST', `/v2/webhooks/deliveries/${letter.json.webhookId}/replay`)
    expect(again.status).toBe(200)
    await until(() => at('/signed').length === 2)
    expect(at('/signed')[1]!.text).toBe(letter.text)
    expect(at('/signed')[1]!.headers['x-firecrawl-signature']).toBe(expected)
    // What was sent can be read, and what came back each time.
    await until(async () => (await opened(letter.json.webhookId)).tries.length === 2)
    const { body, headers, tries, bodyBytes } = await opened(letter.json.webhookId)
    expect(body).toBe(letter.text)
    expect(bodyBytes).toBe(Buffer.byteLength(letter.text))
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-firecrawl-signature': expected })
    expect(tries).toMatchObject([
      { status: 200, error: null, signature: expected },
      { status: 200, error: null, signature: expected },
    ])
    expect((await service.call('GET', `/v2/webhooks/deliveries/${randomUUID()}`)).status).toBe(404)
    const stranger = await newTeam(operator, 'strangers to webhooks')
    expect((await stranger.call('GET', `/v2/webhooks/deliveries/${letter.json.webhookId}`)).status).toBe(404)
    expect((await service.call('POST', `/v2/webhooks/deliveries/${randomUUID()}/replay`)).status).toBe(404)
    expect((await service.call('POST', '/v2/webhooks/deliveries/nope/replay')).status).toBe(400)
  })

  it('hide what opens the doors of their receiver, and all of a job that keeps nothing', async () => {
    const headers = { Authorization: 'Bearer of-my-server', 'X-Api-Key': 'hush', 'X-Ticket': 'A-2' }
    await batch({ url: `${hook}/doors`, headers, events: ['completed'] })
    await until(() => at('/doors').length === 1)
    expect(at('/doors')[0]!.headers).toMatchObject({ authorization: 'Bearer of-my-server', 'x-api-key': 'hush' })
    const shown = await opened(at('/doors')[0]!.json.webhookId)
    expect(shown.headers).toMatchObject({ authorization: '(hidden, 19 characters)', 'x-ticket': 'A-2' })
    expect(JSON.stringify(shown)).not.toMatch(/of-my-server|hush/)
    const webhook = { url: `${hook}/nothing-kept`, events: ['page'] }
    await service.call('POST', '/v2/batch/scrape', {
      urls: [`${site.url}/linked/1`],
      webhook,
      zeroDataRetention: true,
    })
    await until(() => at('/nothing-kept').length === 1)
    expect(await opened(at('/nothing-kept')[0]!.json.webhookId)).toMatchObject({ body: null, bodyBytes: 0 })
  })

  it('are refused when their address, headers or events cannot be', async () => {
    const urls = [`${site.url}/linked/1`]
    const refused = async (webhook: unknown) =>
      (await service.call('POST', '/v2/batch/scrape', { urls, webhook })).status
    expect(await refused('ftp://x.org/')).toBe(400)
    expect(await refused({ url: hook, headers: { 'X-A': 'b\r\nX-C: d' } })).toBe(400)
    expect(await refused({ url: hook, headers: { 'Transfer-Encoding': 'chunked' } })).toBe(400)
    expect(await refused({ url: hook, headers: { 'bad name': 'x' } })).toBe(400)
    expect(await refused({ url: hook, events: ['everything'] })).toBe(400)
    expect(await refused({ url: hook, more: 1 })).toBe(400)
  })

  it('do not reach a private address that the operator has not allowed', async () => {
    const { id } = await batch('http://127.0.0.2:9/hook')
    const list = async () => (await service.call('GET', `/v2/webhooks/deliveries?jobId=${id}`)).json.data
    await until(async () => (await list()).length === 3 && (await list()).every((row: Json) => row.state === 'dead'))
    expect((await list())[0].error).toMatch(/not on the public web/)
  })
})
