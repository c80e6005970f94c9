// An index of chunks, as `orb sync --to` writes to it. Each kind has a file of its own.

export interface Chunk {
  id: string
  url: string
  text: string
  headings: string[]
  hash: string
  [fact: string]: unknown
}

/** An index that holds chunks. Everything may be done twice: a run that broke off is repeated. */
export interface ChunkIndex {
  /** Ids that it has already; their vectors need not be made again. */
  known(ids: readonly string[]): Promise<ReadonlySet<string>>
  put(chunks: readonly Chunk[], vectors: readonly number[][] | undefined): Promise<void>
  /** All chunks of an address except these. */
  drop(url: string, except: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** `dimensions` of a vector; undefined: text only. */
export type OpenChunkIndex = (address: URL, dimensions: number | undefined) => Promise<ChunkIndex>
