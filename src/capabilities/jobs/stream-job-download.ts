// Streams all results of a job as one file.
import { Readable } from 'node:stream'
import { readDocumentsAfter } from '../../jobs/job-status.ts'
import type { Job } from '../../store/jobs.ts'
import type { Services } from '../route.ts'
import { makeFileNamer } from './archive-file-names.ts'
import { writeCsv, writeParquet } from './write-tables.ts'
import { writeWacz } from './write-wacz.ts'
import { writeWarc } from './write-warc.ts'
import { type ZipEntry, zipEntries } from './zip-entries.ts'

const BATCH = 100

const types = {
  jsonl: 'application/jsonl',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  markdown: 'application/zip',
  warc: 'application/warc',
  wacz: 'application/wacz+zip',
} as const
export const DOWNLOAD_CONTENT_TYPES: readonly string[] = Object.values(types)

export function streamJobDownload(services: Services, job: Job, format: keyof typeof types, signal: AbortSignal) {
  const all = () => documents(services, job, signal)
  const writers = {
    jsonl: () => lines(all()),
    csv: () => writeCsv(all),
    parquet: () => writeParquet(all),
    markdown: () => zipEntries(markdownFiles(all())),
    warc: () => writeWarc(services, job, signal),
    wacz: () => writeWacz(services, job, signal),
  }
  const parts: AsyncIterable<string | Uint8Array> = writers[format]()
  const stream = Readable.from(parts, { objectMode: false, highWaterMark: 256 * 1024 })
  const contentType = types[format]
  return { stream, contentType, ending: format === 'markdown' ? 'zip' : format }
}

async function* documents({ store }: Services, job: Job, signal: AbortSignal): AsyncGenerator<string> {
  // Not the pages that a running job ends meanwhile: CSV reads the same documents twice.
  for (let seen = 0; seen < job.completed && !signal.aborted; ) {
    const { count, texts } = await readDocumentsAfter(store, job.id, seen, Math.min(BATCH, job.completed - seen))
    if (count === 0) return
    yield* texts
    seen += count
  }
}

async function* lines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield `${text}\n`
}

async function* markdownFiles(texts: AsyncIterable<string>): AsyncGenerator<ZipEntry> {
  const name = makeFileNamer()
  for await (const text of texts) {
    const { markdown = '', metadata } = JSON.parse(text) as { markdown?: string; metadata: { sourceURL?: string } }
    yield { name: name(metadata.sourceURL ?? 'page'), parts: Readable.from([Buffer.from(markdown)]) }
  }
}
