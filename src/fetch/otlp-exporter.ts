// Sends spans to an OpenTelemetry collector by OTLP over HTTP, as JSON, in batches behind the work.
import { abortAfter } from '../base/abort-after.ts'
import { type Log, silentLog } from '../base/log.ts'
import { type FinishedSpan, openSpans, type Spans } from '../base/spans.ts'
import { openEgress } from './egress.ts'

const EVERY_MS = 2_000
const BATCH = 512
const MAX_WAITING = 4_096
const LIMIT_MS = 10_000

interface OtlpOptions {
  endpoint: string
  headers: Readonly<Record<string, string>>
  service: { name: string; version: string; role: string; instance: string }
  dnsServers: readonly string[]
  log: Log
}

export function openOtlpExporter({ endpoint, headers, service, dnsServers, log }: OtlpOptions): {
  spans: Spans
  close(): Promise<void>
} {
  const egress = openEgress({
    // The operator named it: it may be private.
    allowPrivate: [new URL(endpoint).host],
    dnsServers,
    log: silentLog,
  })
  let waiting: FinishedSpan[] = []
  let dropped = 0
  let failing = false
  let sending: Promise<void> = Promise.resolve()

  async function send(spans: readonly FinishedSpan[]): Promise<void> {
    try {
      const { status } = await egress.fetch(
        {
          url: `${endpoint}/v1/traces`,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: Buffer.from(JSON.stringify(payload(service, spans))),
          skipTlsVerification: false,
          proxy: 'basic',
          maxRedirects: 0,
          maxBytes: 64 * 1024,
        },
        abortAfter(LIMIT_MS),
      )
      if (status >= 300) throw new Error(`it returned ${status}`)
      failing = false
    } catch (error) {
      dropped += spans.length
      // Once for each outage: a collector that is away must not fill the log.
      if (!failing) log.warn({ endpoint, dropped, error: (error as Error).message }, 'traces could not be sent')
      failing = true
    }
  }

  const flush = (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      sending = sending.then(() => send(batch))
    }
    return sending
  }
  const timer = setInterval(() => void flush(), EVERY_MS)
  timer.unref()
  return {
    spans: openSpans((span) => {
      if (waiting.length < MAX_WAITING) waiting.push(span)
      else dropped += 1
    }),
    async close() {
      clearInterval(timer)
      await flush()
      await egress.close()
    },
  }
}

const SERVER_KIND = 2
const INTERNAL_KIND = 1
const ERROR_STATUS = 2

const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n)

const attribute = ([key, value]: [string, string | number | boolean]) => ({
  key,
  value:
    typeof value === 'string'
      ? { stringValue: value }
      : typeof value === 'boolean'
        ? { boolValue: value }
        : { doubleValue: value },
})

function payload({ name, version, role, instance }: OtlpOptions['service'], spans: readonly FinishedSpan[]) {
  const resource = {
    'service.name': name,
    'service.version': version,
    'service.instance.id': instance,
    'orb.role': role,
  }
  return {
    resourceSpans: [
      {
        resource: { attributes: Object.entries(resource).map(attribute) },
        scopeSpans: [{ scope: { name: 'orbweaver', version }, spans: spans.map(spanOf) }],
      },
    ],
  }
}

const spanOf = (span: FinishedSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId ? { parentSpanId: span.parentId } : {}),
  name: span.name,
  kind: span.isRoot ? SERVER_KIND : INTERNAL_KIND,
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.endMs),
  attributes: Object.entries(span.facts).map(attribute),
  ...(span.error ? { status: { code: ERROR_STATUS, message: span.error } } : {}),
})
