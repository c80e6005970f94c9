// Wire contract §1–3 and faults E: what every route has in common, on the real service.
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { capabilities } from '../../src/capabilities/index.ts'
import { type Json, request } from './service.ts'
import { shared } from './shared.ts'

const { service } = shared()

const scrape = (body: unknown, headers?: Record<string, string>) => service.call('POST', '/v2/scrape', body, headers)

describe('keys', () => {
  const systemRoutes = [
    'GET /',
    'GET /health',
    'GET /metrics',
    'GET /openapi.json',
    'GET /docs',
    'GET /llms.txt',
    'GET /v2/health/liveness',
  ]
  const routes = [
    ...capabilities.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`)),
    ...systemRoutes,
  ]

  /** A route that declares `none` as its right must be added here, by someone who has thought about it. */
  const openRoutes = new Set([
    'GET /',
    'GET /assets/:file',
    'GET /cli-auth',
    'GET /oauth-authorize',
    'GET /api/session',
    'POST /api/session',
    'DELETE /api/session',
    'GET /api/session/oidc',
    'GET /api/session/oidc/callback',
    'GET /health',
    'GET /v2/health/liveness',
    'GET /v2/health/readiness',
    'GET /openapi.json',
    'GET /docs',
    'GET /llms.txt',
    'GET /docs/',
    'GET /docs/:file',
    'GET /zoo',
    'GET /zoo/index.json',
    'GET /zoo/*',
    'PUT /v2/parse/upload/:uploadId',
    'POST /api/auth/cli/status',
    'GET /.well-known/oauth-protected-resource',
    'GET /.well-known/oauth-authorization-server',
    'GET /.well-known/oauth-protected-resource/mcp',
    'GET /.well-known/oauth-authorization-server/:path',
    'GET /bot',
    'GET /.well-known/http-message-signatures-directory',
    'POST /oauth/register',
    'POST /oauth/token',
    'GET /auth.md',
    'GET /agent-onboarding/SKILL.md',
    'POST /agent/auth',
    'GET /live/:sessionId/view/:token',
    'GET /live/:sessionId/drive/:token',
    'POST /live/:sessionId/drive/:token',
    'GET /live/:sessionId/film/:token',
    'POST /live/peer',
    'POST /v2/monitor/email/confirm',
    'POST /v2/monitor/email/unsubscribe',
    'GET /v2/monitor/email/confirm/:token',
    'GET /v2/monitor/email/unsubscribe/:token',
    'POST /v2/monitor/email/confirm/:token',
    'POST /v2/monitor/email/unsubscribe/:token',
    'GET /v2/monitor/feeds/:token',
    'GET /v2/monitor/feeds/team/:token',
    'GET /v2/media/:token',
    'GET /v2/feeds/:token/:form',
  ])

  it.each(routes)('%s answers 401 without a key unless it is on the list of open routes', async (route) => {
    const [method = '', path = ''] = route.split(' ')
    const answer = await request(
      service.url + path.replace(/[:*]\w*/g, 'x'),
      method,
      method === 'POST' ? {} : undefined,
      {},
    )
    if (openRoutes.has(route)) expect(answer.status).not.toBe(401)
    else {
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual({
        success: false,
        error: 'Unauthorized: Invalid token',
        hint: expect.stringMatching(/^No key was sent/),
        help: `${service.url}/docs/errors#unauthorized`,
      })
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer resource_metadata="${service.url}/.well-known/oauth-protected-resource"`,
      )
    }
  })

  it.each([
    ['wrong', 'Bearer fc-00000000000000000000000000000000'],
    ['empty', 'Bearer '],
    ['of another scheme', 'Digest fc-0123456789abcdef0123456789abcdef'],
    ['enormous', `Bearer ${'x'.repeat(9000)}`],
  ])('a key that is %s is 401', async (_name, authorization) => {
    expect((await scrape({ url: 'https://example.com' }, { authorization })).status).toBe(401)
  })

  it.each([
    ['Bearer fc-00000000000000000000000000000000', /This key does not exist/],
    ['Bearer ', /no key after `Bearer`/],
    ['fc-00000000000000000000000000000000', /`Bearer` is missing/],
    ['Digest fc-00000000000000000000000000000000', /not supported/],
    ['', /No key was sent/],
  ])('tells what is wrong with %s', async (authorization, hint) => {
    const { json } = await scrape({ url: 'https://example.com' }, { authorization })
    expect(json).toMatchObject({ error: 'Unauthorized: Invalid token', hint: expect.stringMatching(hint) })
  })

  it('refuses a key with something after it', async () => {
    const { status } = await scrape({ url: 'https://example.com' }, { authorization: `Bearer ${service.key} x` })
    expect(status).toBe(401)
  })

  it('a key works as the password of Basic authentication', async () => {
    const basic = Buffer.from(`me:${service.key}`).toString('base64')
    expect((await service.call('GET', '/metrics', undefined, { authorization: `Basic ${basic}` })).status).toBe(200)
  })
})

describe('bodies', () => {
  it.each([
    [
      '/v2/scrape',
      { url: 'a.example.com', formats: [{ type: 'json', schema: 'x' }] },
      /schema: must be an object, not a text/,
    ],
    ['/v2/batch/scrape', {}, /^Invalid URL: `urls` must be a list of URLs$/],
    [
      '/v2/monitor',
      { name: 'm', schedule: { text: 'daily' }, targets: [{ type: 'scrape' }] },
      /targets.0.urls is required/,
    ],
    ['/v2/agent', { prompt: 'x', maxCredits: 0 }, /maxCredits: must be more than 0$/],
  ])('says what was given and what is right: %s %j', async (path, body, message) => {
    const { status, json } = await service.call('POST', path, body)
    expect([status, json.error]).toEqual([400, expect.stringMatching(message)])
  })

  it('an unknown key is 400 with details', async () => {
    const { status, json } = await scrape({ url: 'https://example.com', foo: 1 })
    expect(status).toBe(400)
    expect(json.code).toBe('BAD_REQUEST')
    expect(json.error).toBe(
      'Unrecognized key in body -- please review the v2 API documentation for request body changes',
    )
    expect(json.details[0]).toMatchObject({ code: 'unrecognized_keys', keys: ['foo'] })
  })

  it('keys with two leading underscores pass, `__proto__` does not', async () => {
    expect((await scrape({ url: 'nope', __private: 1 })).json.error).toMatch(/^Invalid URL/)
    const { status, json } = await scrape('{"url":"https://example.com","__proto__":{"x":1}}')
    expect(status).toBe(400)
    expect(json.error).toMatch(/__proto__/)
  })

  it('malformed JSON is named as such', async () => {
    const { status, json } = await scrape('{"url":')
    expect(status).toBe(400)
    expect(json).toMatchObject({ success: false, code: 'BAD_REQUEST_INVALID_JSON' })
    expect(json.error).toMatch(/^Bad request, malformed JSON/)
  })

  it('a body over 10 MiB is 413', async () => {
    const { status, json } = await scrape(`{"url":"${'x'.repeat(10 * 1024 * 1024)}"}`)
    expect(status).toBe(413)
    expect(json.error).toMatch(/^Payload Too Large/)
  })

  it('another content type is 415', async () => {
    const { status, json } = await scrape('url=https://example.com', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(status).toBe(415)
    expect(json.success).toBe(false)
  })

  it('ten thousand levels of JSON are refused as what they are, and the service lives on', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    expect((await scrape(`{"url":"https://example.com","formats":${deep}}`)).status).toBe(400)
    expect((await service.call('GET', '/health')).status).toBe(200)
  })

  it('of duplicate keys the last one wins', async () => {
    expect((await scrape('{"url":"https://example.com","url":"ftp://x.com"}')).json.error).toMatch(/^Invalid URL/)
  })

  it('an empty body with a JSON content type is an empty body', async () => {
    const { status, json } = await scrape('')
    expect(status).toBe(400)
    expect(json.error).toMatch(/^Invalid URL/)
  })

  it('`origin` and `integration` are taken on every write', async () => {
    const { json } = await scrape({ url: 'nope', origin: 'js-sdk@4.42.0', integration: null })
    expect(json.error).toMatch(/^Invalid URL/)
  })
})

describe('conventions', () => {
  it('a slash at the end of a path changes nothing', async () => {
    expect((await service.call('GET', '/v2/team/credit-usage/')).status).toBe(200)
  })

  it('unknown paths and wrong methods are 404 in JSON', async () => {
    for (const [method, path] of [
      ['GET', '/v2/nothing'],
      ['PUT', '/v2/scrape'],
      ['GET', '/v2/scrape'],
    ] as const) {
      const answer = await service.call(method, path)
      expect(answer.status).toBe(404)
      expect(answer.json).toMatchObject({ success: false, error: 'Not Found', code: 'NOT_FOUND' })
    }
  })

  it('a path id that is not a UUID is 400, an unknown one 404', async () => {
    const malformed = await service.call('GET', '/v2/scrape/not-a-uuid')
    expect(malformed.status).toBe(400)
    expect(malformed.json.error).toBe('Invalid job ID format. Job ID must be a valid UUID.')
    const unknown = await service.call('GET', '/v2/scrape/019a0000-0000-7000-8000-000000000000')
    expect(unknown.status).toBe(404)
    expect(unknown.json.error).toBe('Job not found.')
  })

  it('echoes a well-formed request id and makes one otherwise', async () => {
    const given = await service.call('GET', '/health', undefined, { 'x-request-id': 'abc-123:x.y_z' })
    expect(given.headers.get('x-request-id')).toBe('abc-123:x.y_z')
    const made = await service.call('GET', '/health', undefined, { 'x-request-id': 'no spaces allowed' })
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('answers a CORS preflight for /v2 without a key', async () => {
    const answer = await request(`${service.url}/v2/scrape`, 'OPTIONS', undefined, {
      origin: 'https://app.example.org',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-idempotency-key,x-request-id',
    })
    expect(answer.status).toBeLessThan(300)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/x-idempotency-key/)
  })

  it('answers OPTIONS that is no preflight', async () => {
    const { status, text } = await request(`${service.url}/v2/scrape`, 'OPTIONS', undefined, {})
    expect([status, text]).toEqual([204, ''])
  })

  it('gives other origins the answer of /v2, and nothing of /metrics', async () => {
    const origin = { origin: 'https://app.example.org' }
    const answer = await service.call('POST', '/v2/scrape', { url: 'nope' }, origin)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const metrics = await service.call('GET', '/metrics', undefined, origin)
    expect(metrics.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('tells browsers not to guess types', async () => {
    expect((await service.call('GET', '/health')).headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('ignores a JSON content type on a GET without a body', async () => {
    expect((await service.call('GET', '/health', undefined, { 'content-type': 'application/json' })).status).toBe(200)
  })

  it('survives a request that is not HTTP', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.resume().end('\0\0\0garbage\r\n\r\n')
    await new Promise((resolve) => socket.once('close', resolve))
    expect((await service.call('GET', '/health')).json.ready).toBe(true)
  })

  const exchange = async (...lines: string[]) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write(lines.join('\r\n'))
    let reply = ''
    socket.on('data', (chunk) => {
      reply += chunk
      if (/"success":[\s\S]*\}/.test(reply)) socket.end()
    })
    await new Promise((resolve) => socket.once('close', resolve))
    return reply
  }

  it('passes over an offer of HTTP/2, which Java sends with its first request', async () => {
    const body = '{"url":"nope"}'
    const head = [
      'host: x',
      `authorization: Bearer ${service.key}`,
      'connection: Upgrade, HTTP2-Settings',
      'upgrade: h2c',
    ]
    const json = [
      'http2-settings: AAEAAEAA',
      'content-type: application/json',
      `content-length: ${body.length}`,
      '',
      body,
    ]
    expect(await exchange('POST /v2/scrape HTTP/1.1', ...head, ...json)).toMatch(
      /^HTTP\/1.1 400 [\s\S]*connection: close[\s\S]*"Invalid URL/i,
    )
    expect(await exchange('GET /v2/crawl/active HTTP/1.1', ...head, '', '')).toMatch(
      /^HTTP\/1.1 200 [\s\S]*"crawls":\[\]/,
    )
  })

  it('is 404 in JSON for a socket that no path has', async () => {
    const socket = [
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${'a'.repeat(22)}==`,
    ]
    const reply = await exchange('GET /v2/scrape HTTP/1.1', 'host: x', ...socket, '', '')
    expect(reply).toMatch(/^HTTP\/1.1 404 [\s\S]*\{"success":false,"error":"Not Found"/)
  })

  it('a signed file link that was not issued here is 404', async () => {
    for (const token of ['x', '..%2f..%2fetc%2fpasswd', 'a'.repeat(500)])
      expect((await request(`${service.url}/v2/media/${token}`, 'GET', undefined, {})).status).toBe(404)
  })
})

describe('for machines and readers', () => {
  it('GET /health says alive, ready and why', async () => {
    const { status, json } = await service.call('GET', '/health')
    expect(status).toBe(200)
    expect(json).toMatchObject({ status: 'ok', alive: true, ready: true, why: [] })
  })

  it.each(['//v2', '/v2/v2', ''])('answers under the base address %s, as people type it', async (base) => {
    const { status, json } = await service.call('GET', `${base}/team/credit-usage`)
    expect([status, json.success]).toEqual([200, true])
  })

  it('GET /metrics speaks Prometheus', async () => {
    const { headers, text } = await service.call('GET', '/metrics')
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(text).toMatch(/^orb_http_request_seconds_count\{/m)
    // Pages of the files before this one may still be in work.
    expect(text).toMatch(/^orb_pages_in_work \d+$/m)
  })

  it('GET /openapi.json describes the routes from their schemas', async () => {
    const { json } = await service.call('GET', '/openapi.json')
    expect(json.openapi).toBe('3.1.0')
    const body = json.paths['/v2/scrape'].post.requestBody.content['application/json'].schema
    expect(body.required).toEqual(['url'])
    expect(body.additionalProperties).toBe(false)
    expect(body.properties.timeout).toMatchObject({ minimum: 1000, maximum: 300_000 })
    expect(body.properties.formats.items).toEqual({ $ref: '#/components/schemas/Format' })
    const defaults = {
      formats: ['markdown'],
      parsers: ['pdf'],
      proxy: 'auto',
      timeout: 60_000,
      maxAge: 172_800_000,
      redactPII: false,
    }
    for (const [name, value] of Object.entries(defaults)) expect(body.properties[name].default, name).toEqual(value)
    const propertiesOf = (schema: Json) =>
      (schema.$ref ? json.components.schemas[schema.$ref.split('/').at(-1)] : schema).properties
    expect(propertiesOf(body.properties.location).country.default).toBe('US')
    const crawl = propertiesOf(json.paths['/v2/crawl'].post.requestBody.content['application/json'].schema)
    expect([crawl.limit.default, crawl.sitemap.default, crawl.allowSubdomains.default]).toEqual([
      10_000,
      'include',
      false,
    ])
    // Routes share the list of names, so it is a component of its own.
    const [{ $ref: names }] = json.components.schemas.Format.anyOf
    expect(json.components.schemas[names.split('/').at(-1)].enum).toContain('attributes')
    const answer = json.paths['/v2/scrape'].post.responses['200'].content['application/json'].schema
    expect(answer.properties.data).toMatchObject({ $ref: '#/components/schemas/Document' })
    const fields = Object.keys(json.components.schemas.Document.properties)
    expect(fields).toEqual(expect.arrayContaining(['json', 'summary', 'answer', 'highlights', 'changeTracking']))
    expect(json.components.securitySchemes.key.scheme).toBe('bearer')
  })

  it.each([
    ['/docs', 2],
    ['/docs/api', 4],
  ])('GET %s is a page that needs nothing from elsewhere', async (path, count) => {
    const page = await request(service.url + path, 'GET', undefined, {})
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'/)
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path = '']) => path)
    expect(files).toHaveLength(count)
    expect(page.text).not.toMatch(/(?:src|rel="stylesheet" href)="(?!\/)/)
    for (const file of files) {
      const answer = await request(service.url + file, 'GET', undefined, {})
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(file.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
    }
    expect((await request(`${service.url}/docs/..%2fpackage.json`, 'GET', undefined, {})).status).toBe(404)
  })
})
