// The pages of a job as WACZ 1.1.1: a zip of their WARC, an index by URL, the list of pages, and the digests of all.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Job } from '../../store/jobs.ts'
import type { Services } from '../route.ts'
import { writeWarcRecords } from './write-warc.ts'
import { type ZipEntry, zipEntries } from './zip-entries.ts'

const compress = promisify(gzip)
const WARC = 'archive/data.warc.gz'

type Resource = { name: string; path: string; hash: string; bytes: number }

export const writeWacz = (services: Services, job: Job, signal: AbortSignal): AsyncGenerator<Uint8Array> =>
  zipEntries(entries(services, job, signal))

async function* entries(services: Services, job: Job, signal: AbortSignal): AsyncGenerator<ZipEntry> {
  const resources: Resource[] = []
  const [index, pages]: [string[], string[]] = [[], []]
  async function* warc() {
    let offset = 0
    for await (const { bytes, page } of writeWarcRecords(services, job, signal)) {
      // A member for each record, so that a reader can begin at any of them.
      const packed = await compress(bytes)
      if (page) {
        const { url, at, mime, status, digest } = page
        const time = new Date(at).toISOString()
        const place = { filename: 'data.warc.gz', offset: String(offset), length: String(packed.length) }
        const line = { url, mime, status: String(status), digest, ...place }
        index.push(`${sortKeyOf(url)} ${time.replace(/\D/g, '').slice(0, 14)} ${JSON.stringify(line)}\n`)
        pages.push(`${JSON.stringify({ id: String(pages.length + 1), url, ts: time })}\n`)
      }
      offset += packed.length
      yield packed
    }
  }
  const noteEntry = (path: string, parts: AsyncIterable<Uint8Array>): ZipEntry => ({
    name: path,
    parts: digestParts(parts, (hash, bytes) =>
      resources.push({ name: path.slice(path.indexOf('/') + 1), path, hash: `sha256:${hash}`, bytes }),
    ),
  })
  yield noteEntry(WARC, warc())
  yield noteEntry('indexes/index.cdx', textParts(index.sort()))
  const head = { format: 'json-pages-1.0', id: 'pages', title: 'All Pages' }
  yield noteEntry('pages/pages.jsonl', textParts([`${JSON.stringify(head)}\n`, ...pages]))
  const { version, clock } = services
  const description = JSON.stringify({
    profile: 'data-package',
    wacz_version: '1.1.1',
    title: `${job.kind} ${job.id}`,
    created: new Date(clock.now()).toISOString(),
    software: `Orbweaver ${version}`,
    ...(job.url ? { mainPageUrl: job.url } : {}),
    resources,
  })
  const hash = `sha256:${createHash('sha256').update(description).digest('hex')}`
  yield { name: 'datapackage.json', parts: textParts([description]) }
  yield { name: 'datapackage-digest.json', parts: textParts([JSON.stringify({ path: 'datapackage.json', hash })]) }
}

async function* digestParts(parts: AsyncIterable<Uint8Array>, done: (hash: string, bytes: number) => void) {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of parts) {
    hash.update(part)
    bytes += part.length
    yield part
  }
  done(hash.digest('hex'), bytes)
}

async function* textParts(texts: readonly string[]) {
  for (let at = 0; at < texts.length; at += 1000) yield Buffer.from(texts.slice(at, at + 1000).join(''))
}

/** `https://www.example.com:8080/a?b` → `com,example,www:8080)/a?b` (SURT), by which the index is sorted. */
function sortKeyOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { hostname, port, pathname, search } = new URL(url)
  const host = /^[\d.]+$|^\[/.test(hostname) ? hostname : hostname.split('.').reverse().join(',')
  return `${host}${port && `:${port}`})${pathname}${search}`.toLowerCase()
}
