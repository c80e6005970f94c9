// Spans as a collector of OpenTelemetry receives them.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import { currentTraceparent, inSpan } from '../base/spans.ts'
import { openOtlpExporter } from './otlp-exporter.ts'

const service = { name: 'orbweaver', version: '1.2.3', role: 'serve', instance: 'i1' }

it('a tree of spans reaches the collector, below the caller’s, with the kind of a failure and not its words', async () => {
  const bodies: {
    url: string | undefined
    key: unknown
    body: { resourceSpans: [{ scopeSpans: [{ spans: object[] }] }] }
  }[] = []
  const collector = createServer(async (request, response) => {
    bodies.push({ url: request.url, key: request.headers['x-key'], body: (await json(request)) as never })
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const { spans, close } = openOtlpExporter({
    endpoint,
    headers: { 'x-key': 'k' },
    service,
    dnsServers: [],
    log: silentLog,
  })
  const [traceId, parentId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  let passedOn: string | undefined
  const work = spans.root('POST /v2/scrape', { pages: 2 }, `00-${traceId}-${parentId}-01`, () =>
    inSpan('scrape', {}, async () => {
      passedOn = currentTraceparent()
      throw new Problem('site_failed', { because: 'https://secret.example said no' })
    }),
  )
  await expect(work).rejects.toThrow()
  await spans.root('other', {}, '00-not-valid-01', async () => undefined)
  expect(currentTraceparent()).toBeUndefined()
  await close()
  collector.close()
  const [{ url, key }] = bodies as [(typeof bodies)[0]]
  // In one message, unless the machine is so busy that its time was up in between.
  const sent = bodies.flatMap(({ body }) => body.resourceSpans[0].scopeSpans[0].spans)
  expect([url, key]).toEqual(['/v1/traces', 'k'])
  const [scrape, root, other] = sent as Record<string, string>[]
  expect(root).toMatchObject({ traceId, parentSpanId: parentId, name: 'POST /v2/scrape', kind: 2 })
  expect(root!.attributes).toEqual([{ key: 'pages', value: { doubleValue: 2 } }])
  expect(scrape).toMatchObject({ traceId, parentSpanId: root!.spanId, status: { code: 2, message: 'site_failed' } })
  expect(passedOn).toBe(`00-${traceId}-${scrape!.spanId}-01`)
  expect(BigInt(root!.endTimeUnixNano!) >= BigInt(root!.startTimeUnixNano!)).toBe(true)
  expect(other!.traceId).not.toBe(traceId)
  expect(other).not.toHaveProperty('parentSpanId')
  expect(JSON.stringify(bodies)).not.toContain('secret.example')
})

it('a collector that is away costs one line in the log', async () => {
  const lines: string[] = []
  const log = { ...silentLog, warn: (_fields: object, message: string) => void lines.push(message) }
  const { spans, close } = openOtlpExporter({
    endpoint: 'http://127.0.0.1:1',
    headers: {},
    service,
    dnsServers: [],
    log,
  })
  for (let n = 0; n < 1_000; n += 1) await spans.root('request', {}, undefined, async () => undefined)
  await close()
  expect(lines).toEqual(['traces could not be sent'])
})
