// Where the bytes of blobs lie: files in the data folder, or objects in a bucket that several machines share.
import type { Readable } from 'node:stream'

export interface ByteRange {
  start: number
  end: number
}

export type BlobSource = AsyncIterable<Uint8Array> | Uint8Array

export interface ListedBlob {
  /** The id of its blob, unless it is a leftover of an unfinished write. */
  name: string
  modifiedAt(): Promise<number>
  remove(): Promise<void>
}

export interface BlobFiles {
  /** Returns the bytes written. Longer sources fail with `too_large` and leave nothing behind. */
  write(id: string, source: BlobSource, maxBytes: number): Promise<number>
  /** Reads all of it into memory; undefined when gone. */
  read(id: string): Promise<Uint8Array | undefined>
  /** The stream must be read to its end or destroyed. */
  stream(id: string, part?: ByteRange): Promise<Readable | undefined>
  remove(id: string): Promise<void>
  list(signal: AbortSignal): AsyncIterable<ListedBlob>
}
