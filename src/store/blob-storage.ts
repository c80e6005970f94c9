// Where the bytes of blobs lie: files in the data folder, rows of PostgreSQL, or objects in a bucket.
import type { Readable } from 'node:stream'

export interface ByteRange {
  start: number
  end: number
}

export type BlobSource = AsyncIterable<Uint8Array> | Uint8Array

export interface ListedBlob {
  name: string
  modifiedAt(): Promise<number>
  remove(): Promise<void>
}

export interface BlobStorage {
  /** Returns the bytes written. Longer sources fail with `too_large` and leave nothing behind. */
  write(id: string, source: BlobSource, maxBytes: number): Promise<number>
  read(id: string): Promise<Uint8Array | undefined>
  stream(id: string, part?: ByteRange): Promise<Readable | undefined>
  remove(id: string): Promise<void>
  /** A short-lived URL at which the bytes are served without us; undefined when gone. Absent where there is none. */
  link?(id: string, contentType: string): Promise<string | undefined>
  list(signal: AbortSignal): AsyncIterable<ListedBlob>
}

/** Writes go to the first place; what an earlier configuration left in the others is still found and removed. */
export function combineBlobStorages(places: readonly [BlobStorage, ...BlobStorage[]]): BlobStorage {
  const [first] = places
  if (places.length === 1) return first
  const firstOf = async <T>(ask: (files: BlobStorage) => Promise<T | undefined>): Promise<T | undefined> => {
    for (const files of places) {
      const found = await ask(files)
      if (found !== undefined) return found
    }
    return undefined
  }
  return {
    ...first,
    read: (id) => firstOf((files) => files.read(id)),
    stream: (id, part) => firstOf((files) => files.stream(id, part)),
    async remove(id) {
      for (const files of places) await files.remove(id)
    },
    async *list(signal) {
      for (const files of places) yield* files.list(signal)
    },
  }
}
