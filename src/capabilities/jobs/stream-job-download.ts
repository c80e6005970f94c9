// Streams all results of a job as one file.
import { Readable } from 'node:stream'
import type { ByteWriter as ParquetBytes } from 'hyparquet-writer'
import { writeCsv as csvOf } from '../../base/csv.ts'
import { readDocumentsAfter } from '../../jobs/job-status.ts'
import type { Job } from '../../store/jobs.ts'
import type { Services } from '../route.ts'
import { makeFileNamer } from './archive-file-names.ts'
import { tabulate } from './tabulate.ts'
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

type Documents = () => AsyncIterable<string>

export async function* writeCsv(documents: Documents): AsyncGenerator<string> {
  const { columns, rows } = await tabulate(documents)
  yield csvOf([columns.map(({ name }) => name)])
  for await (const row of rows) yield csvOf([row.map((cell) => String(cell ?? ''))])
}

const PARQUET_TYPES = { string: 'STRING', number: 'DOUBLE', boolean: 'BOOLEAN' } as const
/** A row group is held in memory. */
const MAX_GROUP_CELLS = 200_000
const MAX_GROUP_TEXT = 8_000_000

export async function* writeParquet(documents: Documents): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer')
  const { columns, rows } = await tabulate(documents)
  const makeGroup = () =>
    columns.map(({ name, kind }) => ({ name, type: PARQUET_TYPES[kind], nullable: true, data: [] as unknown[] }))
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({ writer: bytes, schema: schemaFromColumnData({ columnData: makeGroup() }) })
  let [group, cells, text] = [makeGroup(), 0, 0]
  const write = () => {
    writer.write({ columnData: group, rowGroupSize: Number.MAX_SAFE_INTEGER })
    ;[group, cells, text] = [makeGroup(), 0, 0]
    return takeBytes(bytes)
  }
  for await (const row of rows) {
    for (const [index, { kind }] of columns.entries()) {
      const cell = row[index]
      const value = cell !== undefined && kind === 'string' ? String(cell) : cell
      group[index]!.data.push(value)
      text += typeof value === 'string' ? value.length : 0
    }
    cells += columns.length
    if (cells >= MAX_GROUP_CELLS || text >= MAX_GROUP_TEXT) yield write()
  }
  if (cells > 0) yield write()
  writer.finish()
  yield takeBytes(bytes)
}

/** What was written so far; offsets in the file go on. */
function takeBytes(writer: ParquetBytes): Uint8Array {
  const taken = writer.getBytes().slice()
  writer.index = 0
  return taken
}
