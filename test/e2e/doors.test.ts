// What comes to the door of the service before anybody knows who sends it: too large, too slow, broken, or with what no
// header, id or text may hold. Each gets an answer from our own table, and holds nothing up.
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { expectCost } from '../cost.ts'
import { request } from './service.ts'
import { shared } from './shared.ts'

const { site, service } = shared()
const at = () => new URL(service.url)

/** Bytes as they are, and the answer as it comes. */
async function sent(text: string): Promise<{ status: number; body: string }> {
  const socket = connect(Number(at().port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return { status: Number(answer.split(' ')[1]), body: answer.split('\r\n\r\n')[1] ?? '' }
}

describe('routes without a key', () => {
  const open = ['/api/session', '/api/auth/cli/status', '/agent/auth']

  it.each(open)('%s takes no more than a few kilobytes', async (path) => {
    const origin = { origin: service.url.replace('127.0.0.1', 'localhost') }
    const body = JSON.stringify({ session_id: 'x'.repeat(200_000) })
    const { status, json } = await request(service.url + path, 'POST', body, origin)
    expect(status).toBe(413)
    expect(json).toMatchObject({ success: false })
  })

  it('of machines among themselves carry the longest code, and no more', async () => {
    const peer = (letters: number) =>
      request(
        `${service.url}/live/peer`,
        'POST',
        JSON.stringify({ text: 'x'.repeat(letters), seal: 'é'.repeat(43) }),
        {},
      )
    expect((await peer(250_000)).status).toBe(403)
    expect((await peer(600_000)).status).toBe(413)
  })

  it('do not wait for a body that does not come', async () => {
    const socket = connect(Number(at().port), '127.0.0.1')
    const started = performance.now()
    const head = `POST /agent/auth HTTP/1.1\r\nHost: ${at().host}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n`
    socket.write(head)
    const drip = setInterval(() => socket.write(' '), 500)
    socket.on('error', () => {})
    await once(socket, 'close')
    clearInterval(drip)
    expectCost(performance.now() - started).toBeLessThan(25_000)
  })
})

describe('what is broken', () => {
  const key = () => ({ authorization: `Bearer ${service.key}` })
  const boundary = 'multipart/form-data; boundary=x'
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc'

  it.each([
    ['a form without a boundary', '/v2/parse', 'multipart/form-data', part],
    ['a form that ends in the middle', '/v2/parse', boundary, part],
    ['a form of nothing', '/v2/parse', boundary, ''],
    ['NUL in a text', '/v2/scrape', 'application/json', '{"url":"https://example.com/\\u0000"}'],
    ['NUL in a name', '/v2/admin/keys', 'application/json', '{"name":"a\\u0000b"}'],
    [
      'NUL deep inside',
      '/v2/crawl',
      'application/json',
      '{"url":"https://example.com","webhook":{"url":"https://example.com","metadata":{"a":"\\u0000"}}}',
    ],
  ])('%s is 400', async (_what, path, type, body) => {
    const { status, text } = await request(service.url + path, 'POST', body, { ...key(), 'content-type': type })
    expect(status, text).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ success: false, error: expect.any(String) })
  })

  it('a webhook whose metadata is four thousand levels deep is 400', async () => {
    const metadata = `${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`
    const body = `{"url":"${site.url}/article","webhook":{"url":"https://example.com","metadata":${metadata}}}`
    const { status, text } = await service.call('POST', '/v2/crawl', body)
    expect(status, text.slice(0, 300)).toBe(400)
  })

  it.each(['/v2/scrape/%00', '/v2/crawl/a%00b', '/v2/admin/teams/%00', '/v2/jobs?cursor=%00', '/v2/media/%00'])(
    'NUL in an id is no failure of ours: %s',
    async (path) => {
      const { status, json } = await service.call('GET', path)
      expect([400, 404]).toContain(status)
      expect(json).toMatchObject({ success: false })
    },
  )

  it.each([
    ['a path that is no text', 'GET /v2/scrape/%zz HTTP/1.1', 400],
    ['a path that is too long', `GET /v2/scrape/${'a'.repeat(1200)} HTTP/1.1`, 414],
    ['a header that is no header', 'GET / HTTP/1.1\r\nno colon here', 400],
    ['headers without an end', `GET / HTTP/1.1\r\nx: ${'a'.repeat(80_000)}`, 431],
    ['no HTTP at all', 'hello there', 400],
  ])('%s is told in our words', async (_what, first, status) => {
    const auth = `Authorization: Bearer ${service.key}`
    const answer = await sent(`${first}\r\nHost: ${at().host}\r\n${auth}\r\nConnection: close\r\n\r\n`)
    expect(answer.status, answer.body).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, error: expect.any(String) })
  })
})

describe('headers for a site', () => {
  it.each([{ 'x-a': 'a\u0001b' }, { 'x-a': 'a\u007fb' }, { 'proxy-foo': 'x' }])('%j is 400', async (headers) => {
    for (const options of [{}, { waitFor: 1 }]) {
      const { status, json } = await service.call('POST', '/v2/scrape', {
        url: `${site.url}/article`,
        headers,
        ...options,
      })
      expect([status, json.code]).toEqual([400, 'BAD_REQUEST'])
    }
    const webhook = { url: 'https://example.com', headers }
    expect((await service.call('POST', '/v2/crawl', { url: `${site.url}/article`, webhook })).status).toBe(400)
  })

  it('with a `__Host-` cookie are sent as far as a browser sends them', async () => {
    const headers = { cookie: '__Host-id=1; plain=2' }
    const { status, json } = await service.call('POST', '/v2/scrape', {
      url: `${site.url}/browser/headers`,
      headers,
      waitFor: 1,
      maxAge: 0,
      onlyMainContent: false,
    })
    expect(status, JSON.stringify(json)).toBe(200)
    expect(json.data.markdown).toMatch(/plain=2/)
  })
})
