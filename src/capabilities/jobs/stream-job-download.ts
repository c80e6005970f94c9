// Streams all results of a job as one file.
import { Readable } from 'node:stream'
import { Zip, ZipPassThrough } from 'fflate'
import { readDocumentsAfter } from '../../jobs/job-status.ts'
import type { Job } from '../../store/jobs.ts'
import { makeFileNamer } from './archive-file-names.ts'
import type { HandlerServices } from './needs.ts'
import { writeCsv } from './write-csv.ts'
import { writeWarc } from './write-warc.ts'

const BATCH = 100

interface Download {
  stream: Readable
  contentType: string
  ending: string
}

const types = {
  jsonl: 'application/jsonl',
  csv: 'text/csv',
  markdown: 'application/zip',
  warc: 'application/warc',
} as const
export const DOWNLOAD_CONTENT_TYPES: readonly string[] = Object.values(types)

export function streamJobDownload(
  services: HandlerServices,
  job: Job,
  format: keyof typeof types,
  signal: AbortSignal,
): Download {
  const parts = { jsonl: lines, csv: table, markdown: zip, warc: writeWarc }[format](services, job, signal)
  const stream = Readable.from(parts, { objectMode: false, highWaterMark: 256 * 1024 })
  const contentType = types[format]
  return { stream, contentType, ending: format === 'markdown' ? 'zip' : format }
}

async function* documents({ store }: HandlerServices, job: Job, signal: AbortSignal): AsyncGenerator<string> {
  // Not the pages that a running job ends meanwhile: CSV reads the same documents twice.
  for (let seen = 0; seen < job.completed && !signal.aborted; ) {
    const { count, texts } = await readDocumentsAfter(store, job.id, seen, Math.min(BATCH, job.completed - seen))
    if (count === 0) return
    yield* texts
    seen += count
  }
}

async function* lines(services: HandlerServices, job: Job, signal: AbortSignal): AsyncGenerator<string> {
  for await (const text of documents(services, job, signal)) yield `${text}\n`
}

const table = (services: HandlerServices, job: Job, signal: AbortSignal): AsyncGenerator<string> =>
  writeCsv(() => documents(services, job, signal))

/** Stored without compression, which would block the event loop. */
async function* zip(services: HandlerServices, job: Job, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const archive = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  const name = makeFileNamer()
  for await (const text of documents(services, job, signal)) {
    const { markdown, metadata } = JSON.parse(text) as { markdown?: string; metadata: { sourceURL?: string } }
    const file = new ZipPassThrough(name(metadata.sourceURL ?? 'page'))
    archive.add(file)
    file.push(new TextEncoder().encode(markdown ?? ''), true)
    yield Buffer.concat(ready.splice(0))
    // A document may be large: yield to other requests between two.
    await new Promise((resolve) => setImmediate(resolve))
  }
  archive.end()
  yield Buffer.concat(ready.splice(0))
}
