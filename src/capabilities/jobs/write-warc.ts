// The pages of a job as WARC 1.1 (ISO 28500): the cached bytes, or the document when the cache has evicted them.
import { createHash, randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { mergeMetadataIntoJson } from '../../base/document-json.ts'
import type { Capture, Document } from '../../base/visit-and-capture-types.ts'
import type { Job } from '../../store/jobs.ts'
import type { Services } from '../route.ts'

const BATCH = 500
/** Headers of the connection, or of an encoding that the stored bytes no longer have. */
const HEADERS_NOT_WRITTEN = /^(connection|content-encoding|content-length|keep-alive|transfer-encoding|set-cookie)$/

interface WarcRecord {
  bytes: Uint8Array
  /** Of a page as it came. */
  page?: { url: string; at: number; mime: string; status: number; digest: string }
}

export async function* writeWarc(services: Services, job: Job, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of writeWarcRecords(services, job, signal)) yield bytes
}

export async function* writeWarcRecords(
  { store, clock, version }: Services,
  job: Job,
  signal: AbortSignal,
): AsyncGenerator<WarcRecord> {
  const about = `software: Orbweaver ${version}\r\nformat: WARC File Format 1.1\r\nisPartOf: ${job.kind} ${job.id}\r\n`
  const head = { type: 'warcinfo', at: clock.now(), contentType: 'application/warc-fields' }
  yield { bytes: record(head, Buffer.from(about)) }
  for (let after = ''; !signal.aborted; ) {
    const pages = await store.frontier.seen(job.id, after, BATCH)
    for (const { url, scrapeId, at } of pages) {
      if (scrapeId === null || signal.aborted) continue
      const capture = await store.pages.captureOf(scrapeId)
      if (capture) yield { bytes: writeCapture(capture), page: pageOf(capture) }
      else {
        const kept = await store.pages.getScrape(job.teamId, scrapeId)
        if (!kept) continue
        const head = { type: 'conversion', url, at: at ?? clock.now(), contentType: 'application/json' }
        const body = mergeMetadataIntoJson(kept.documentBody, kept.overlay as Document['metadata'])()
        yield { bytes: record(head, body) }
      }
    }
    if (pages.length < BATCH) return
    after = pages.at(-1)!.key
  }
}

const pageOf = ({ url, fetchedAt: at, headers, status, body }: Capture) => ({
  url,
  at,
  mime: (headers['content-type'] ?? 'text/html').split(';', 1)[0]!.trim().toLowerCase(),
  status,
  digest: `sha256:${createHash('sha256').update(body).digest('hex')}`,
})

function writeCapture({ engine, url, status, headers, body, fetchedAt: at }: Capture): Buffer {
  if (engine === 'browser') {
    const contentType = line(headers['content-type'] ?? 'text/html; charset=utf-8')
    return record({ type: 'resource', url, at, contentType }, body)
  }
  const kept = Object.entries(headers).filter(([name]) => !HEADERS_NOT_WRITTEN.test(name))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...kept.map(([name, value]) => `${line(name)}: ${line(value)}`),
    `content-length: ${body.byteLength}`,
  ]
  const block = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
  return record({ type: 'response', url, at, contentType: 'application/http; msgtype=response' }, block)
}

type Head = { type: string; url?: string; at: number; contentType: string }

function record({ type, url, at, contentType }: Head, block: Uint8Array): Buffer {
  const head = [
    'WARC/1.1',
    `WARC-Type: ${type}`,
    ...(url === undefined ? [] : [`WARC-Target-URI: ${line(url)}`]),
    `WARC-Date: ${new Date(at).toISOString()}`,
    `WARC-Record-ID: <urn:uuid:${randomUUID()}>`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${block.byteLength}`,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), block, Buffer.from('\r\n\r\n')])
}

/** Untrusted text must not inject a header line. */
const line = (text: string): string => text.replace(/[\0-\x1f\x7f]+/g, ' ').trim()
