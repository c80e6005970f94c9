// Blobs as rows of PostgreSQL, in chunks: every machine on the database can read them without a bucket.
import { Readable } from 'node:stream'
import { Problem } from '../base/problem.ts'
import type { BlobSource, BlobStorage, ByteRange } from './blob-storage.ts'
import { type Db, toBuffer } from './tables.ts'

const CHUNK_BYTES = 1024 * 1024
const LISTED_AT_ONCE = 500

export function openBlobTable(db: Db): BlobStorage {
  const remove = async (id: string) => {
    await db.deleteFrom('blob_chunks').where('id', '=', id).execute()
  }
  const chunk = async (id: string, n: number): Promise<Uint8Array | undefined> => {
    const row = await db
      .selectFrom('blob_chunks')
      .select('body')
      .where('id', '=', id)
      .where('n', '=', n)
      .executeTakeFirst()
    return row && toBuffer(row.body)
  }
  const chunks = async function* (id: string, first: Uint8Array, n: number, part: ByteRange | undefined) {
    const { start, end } = part ?? { start: 0, end: Number.POSITIVE_INFINITY }
    for (let at = n, bytes: Uint8Array | undefined = first; bytes; bytes = await chunk(id, at)) {
      const begins = at * CHUNK_BYTES
      yield bytes.subarray(Math.max(0, start - begins), end + 1 - begins)
      at += 1
      if (bytes.byteLength < CHUNK_BYTES || at * CHUNK_BYTES > end) return
    }
  }
  const stream: BlobStorage['stream'] = async (id, part) => {
    const n = Math.floor((part?.start ?? 0) / CHUNK_BYTES)
    const first = await chunk(id, n)
    return first && Readable.from(chunks(id, first, n, part), { objectMode: false })
  }
  return {
    async write(id, source, maxBytes) {
      let bytes = 0
      try {
        let n = 0
        for await (const body of inChunks(source)) {
          bytes += body.byteLength
          if (bytes > maxBytes) throw new Problem('too_large', { because: `more than ${maxBytes} bytes` })
          await db.insertInto('blob_chunks').values({ id, n, body }).execute()
          n += 1
        }
        return bytes
      } catch (error) {
        await remove(id).catch(() => undefined)
        throw error
      }
    },
    async read(id) {
      const parts = await stream(id)
      return parts && Buffer.concat(await parts.toArray())
    },
    stream,
    remove,
    async *list(signal) {
      for (let after = ''; !signal.aborted; ) {
        const rows = await db
          .selectFrom('blob_chunks')
          .select('id')
          .where('n', '=', 0)
          .where('id', '>', after)
          .orderBy('id')
          .limit(LISTED_AT_ONCE)
          .execute()
        for (const { id } of rows) yield { name: id, modifiedAt: async () => madeAt(id), remove: () => remove(id) }
        if (rows.length < LISTED_AT_ONCE) return
        after = rows.at(-1)!.id
      }
    },
  }
}

/** Ids are UUIDv7 and begin with the time. */
const madeAt = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

/** At least one, and all but the last full: an empty blob exists as well, and a range finds its chunk by division. */
async function* inChunks(source: BlobSource): AsyncGenerator<Buffer> {
  let waiting = Buffer.alloc(0)
  for await (const piece of source instanceof Uint8Array ? [source] : source) {
    waiting = Buffer.concat([waiting, piece])
    while (waiting.byteLength >= CHUNK_BYTES) {
      yield waiting.subarray(0, CHUNK_BYTES)
      waiting = waiting.subarray(CHUNK_BYTES)
    }
  }
  yield waiting
}
