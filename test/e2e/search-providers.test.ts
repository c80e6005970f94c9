// Providers with every fault at once, on the real service: an answer within the time, what failed is named, and who is left
// alone gets no request.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Json, type Service, startService } from './service.ts'

let server: Server
let service: Service
const visits = new Map<string, number>()
const faults: Record<string, (response: ServerResponse) => void> = {
  wikipedia: (response) => void response.writeHead(429, { 'retry-after': '120' }).end(),
  duckduckgo: (response) => void response.end('<html>unusual traffic, please solve the captcha</html>'),
  mojeek: (response) => void response.end('<html><p>all new markup</p></html>'),
  marginalia: () => undefined,
  'hacker-news': (response) => void response.end(Buffer.alloc(10_000_000, 'x')),
  github: (response) => void response.writeHead(403).end(),
  'stack-exchange': (response) => void response.writeHead(500).end(),
  searxng: (response) =>
    void response.writeHead(200, { 'content-type': 'application/json; charset=iso-8859-1' }).end(
      Buffer.from(
        JSON.stringify({
          results: [{ url: 'https://example.org/caf', title: 'Caf\u00e9 python error', content: 'An error' }],
        }),
        'latin1',
      ),
    ),
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const name = request.url?.split('/')[1] ?? ''
    visits.set(name, (visits.get(name) ?? 0) + 1)
    faults[name]?.(response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const names = Object.keys(faults).filter((name) => name !== 'searxng')
  service = await startService({
    env: {
      ORB_SEARCH_PROVIDERS: Object.keys(faults).join(','),
      ORB_SEARCH_BASES: names.map((name) => `${name}=${base}/${name}`).join(','),
      ORB_SEARXNG_URL: `${base}/searxng`,
    },
  })
})
afterAll(async () => {
  await service.stop()
  server.closeAllConnections()
  server.close()
})

it('answers in time with what is left, names what failed, and leaves the rest alone', async () => {
  const ask = () => service.call('POST', '/v2/search?explain=true', { query: 'python error', timeout: 12_000 })
  const { status, json } = await ask()
  expect(status).toBe(200)
  expect(json.data.web[0]).toMatchObject({ url: 'https://example.org/caf', title: 'Caf\u00e9 python error' })
  expect(json.warning).toMatch(/Not all sources responded/)
  const states = new Map(json.explain.asked.map(({ name, state }: Json) => [name, state]))
  expect(states.get('searxng')).toBe('answered')
  const failed = [...states].filter(([, state]) => state === 'failed' || state === 'late').map(([name]) => String(name))
  expect(failed.length).toBeGreaterThanOrEqual(3)
  const suspended = (await service.call('GET', '/v2/search/providers')).json.data.filter(
    ({ state }: Json) => state === 'suspended',
  )
  const left = suspended.map(({ name }: Json) => String(name))
  expect(left).toContain('duckduckgo')
  const before = new Map(visits)
  await ask()
  for (const name of left) expect(visits.get(name) ?? 0).toBe(before.get(name) ?? 0)
  const health = await service.call('GET', '/health')
  expect(JSON.stringify(health.json.notes)).toMatch(/duckduckgo is paused until/)
})
