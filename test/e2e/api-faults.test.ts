// Faults E 41, 43, 48: hostile requests to every route. What all routes have in common is in conventions.test.ts, other
// teams' ids in strangers.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeV1Routes } from '../../src/api/compat/v1.ts'
import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { capabilities, storages } from '../../src/capabilities/index.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { expectCost } from '../cost.ts'
import { request } from './service.ts'
import { shared } from './shared.ts'
import { type Member, newKey } from './team.ts'

const routes = [...capabilities.flatMap((capability) => capability.routes), ...makeV1Routes(capabilities)]
const closed = routes.filter(({ right }) => right !== 'none').map(({ method, path }) => [method, path] as const)
const writes = routes
  .filter(({ method, body, takes }) => method !== 'GET' && method !== 'DELETE' && body && takes === 'json')
  .map(({ method, path }) => [method, path] as const)
const NOBODY = '019a0000-0000-7000-8000-000000000000'
const concrete = (path: string) => path.replace(/:\w+/g, NOBODY).replace('*', 'x')

let revoked: Member
const { site, operator: service } = shared()
beforeAll(async () => {
  revoked = await newKey(service, { name: 'revoked' })
  await service.call('DELETE', `/v2/admin/keys/${revoked.keyId}`)
})

describe('every route that needs a key', () => {
  it.each(closed)('%s %s refuses a wrong and a revoked one alike', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    const texts = await Promise.all(
      ['Bearer fc-00000000000000000000000000000000', `Bearer ${revoked.key}`].map(async (authorization) => {
        const answer = await request(service.url + concrete(path), method, body, { authorization })
        expect(answer.status).toBe(401)
        return answer.text
      }),
    )
    expect(texts[0]).toMatch(
      /^\{"success":false,"error":"Unauthorized: Invalid token","hint":"This key does not exist /,
    )
    expect(texts[1]).toBe(texts[0])
  })
})

describe('every route that takes JSON', () => {
  const hostile: readonly (readonly [string, string, Record<string, string>, readonly number[]])[] = [
    ['text that is no JSON', '{"a":', {}, [400]],
    ['another content type', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, [415]],
    ['a key that reaches into prototypes', '{"__proto__":{"isAdmin":true}}', {}, [400]],
    // More than a route without a key takes.
    ['ten thousand levels', `{"url":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, {}, [400, 413]],
    ['a list instead of an object', '[1,2,3]', {}, [400]],
    ['a number instead of an object', '42', {}, [400]],
    ['keys that nobody knows', '{"nobody_knows_this":1}', {}, [400]],
  ]

  it.each(writes)('%s %s survives them all and says what is wrong', async (method, path) => {
    for (const [what, text, headers, expected] of hostile) {
      const { status, json } = await service.call(method, concrete(path), text, headers)
      expect(expected, `${what}: ${status} ${JSON.stringify(json)?.slice(0, 200)}`).toContain(status)
      expect(json.success).toBe(false)
      expect(json.error.length).toBeGreaterThan(3)
    }
  })

  it('refuses 10 MiB and more', async () => {
    const large = `{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`
    for (const path of ['/v2/feedback', '/v2/admin/keys', '/api/auth/cli/status', '/agent/auth'])
      expect((await service.call('POST', path, large)).status, path).toBe(413)
    expect((await service.call('GET', '/health')).status).toBe(200)
  })
})

describe('a hostile JSON schema', () => {
  const deep = (levels: number): object =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } }
  const wide = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`p${n}`, {}])),
  }

  it.each([
    ['remote', 422, () => ({ $ref: `${site.url}/schema.json` })],
    // Lists in lists are honest; how deep they are read is bounded.
    ['recursive', 200, () => ({ $ref: '#' })],
    ['deep', 400, () => deep(500)],
    ['huge', 400, () => wide],
    [
      // Patterns are never run.
      'with a catastrophic pattern',
      200,
      () => ({ type: 'object', properties: { title: { type: 'string', pattern: '^(\\S+\\s*)+!$' } } }),
    ],
  ] as const)('that is %s costs bounded time, and nothing is fetched for it', async (_name, answer, schema) => {
    const began = performance.now()
    const format = { type: 'json', schema: schema(), prompt: 'x' }
    const { status, json } = await service.call('POST', '/v2/scrape', {
      url: `${site.url}/missing-page`,
      formats: [format],
      timeout: 60_000,
    })
    expect(status).toBe(answer)
    if (answer !== 200)
      expect(json.error).toMatch(/Invalid JSON schema|nested deeper|more than (25000 values|5000 keys)/)
    expectCost(performance.now() - began).toBeLessThan(10_000)
    expect(site.hits('/schema.json')).toBe(0)
    expect((await service.call('GET', '/health')).status).toBe(200)
  })
})

describe('an artifact', () => {
  let store: Store
  beforeAll(async () => {
    // Beside the running service, as commands do.
    const cache = { cacheMaxBytes: 1e9, cacheMaxAgeMs: 1e9 }
    store = await openStore({
      databaseUrl: undefined,
      dataDir: service.dataDir,
      clock: systemClock,
      log: silentLog,
      storages,
      ...cache,
    })
  })
  afterAll(() => store?.close())
  const get = (token: string) => request(`${service.url}/v2/media/${token}`, 'GET', undefined, {})

  it('is served with the type it was stored with, never guessed, never run', async () => {
    const page = Buffer.from('<script>alert(1)</script>')
    const expiresAt = Date.now() + 60_000
    const { id } = await store.blobs.put(page, { contentType: 'text/html', teamId: null, expiresAt })
    const answer = await get(store.blobs.sign(id, expiresAt))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox/)
    const past = await get(store.blobs.sign(id, Date.now() - 1))
    expect(past.status).toBe(404)
  })

  it('is reached by its signed link alone: not by its id, another signature, or a path', async () => {
    const expiresAt = Date.now() + 60_000
    const put = () => store.blobs.put(Buffer.from('x'), { contentType: 'image/png', teamId: null, expiresAt })
    const [one, two] = [await put(), await put()]
    const [first, second] = [store.blobs.sign(one.id, expiresAt), store.blobs.sign(two.id, expiresAt)]
    const middle = Math.floor(first.length / 2)
    const flipped = `${first.slice(0, -1)}${first.endsWith('A') ? 'B' : 'A'}`
    for (const token of [
      one.id,
      first.slice(0, middle) + second.slice(middle),
      flipped,
      first.slice(0, -4),
      `${first}x`,
      '..%2f..%2forb.db',
      '%2e%2e%2forb.db',
      '....//orb.db',
      '%00',
    ])
      expect((await get(token)).status, token).toBe(404)
    await store.blobs.remove(one.id)
    expect((await get(first)).status).toBe(404)
    expect((await get(second)).status).toBe(200)
  })
})
