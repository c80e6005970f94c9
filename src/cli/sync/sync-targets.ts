// Where `orb sync --to` writes chunks. Each kind of index has a file; a command gets the lines as they are.
import { UsageError } from '../command.ts'
import type { Chunk, ChunkIndex, OpenChunkIndex } from './chunk-index.ts'
import { type Embed, makeEmbedder } from './embeddings.ts'

type SyncTarget = (lines: Iterable<string>, signal: AbortSignal) => Promise<void>

const BATCH = 64

const indexes: Readonly<Record<string, () => Promise<OpenChunkIndex>>> = {
  'postgres:': async () => (await import('./pgvector-index.ts')).openPgvectorChunkIndex,
  'postgresql:': async () => (await import('./pgvector-index.ts')).openPgvectorChunkIndex,
  'qdrant+http:': async () => (await import('./qdrant-index.ts')).openQdrantChunkIndex,
  'qdrant+https:': async () => (await import('./qdrant-index.ts')).openQdrantChunkIndex,
  'opensearch+http:': async () => (await import('./opensearch-index.ts')).openOpenSearchChunkIndex,
  'opensearch+https:': async () => (await import('./opensearch-index.ts')).openOpenSearchChunkIndex,
}

export async function openSyncTarget(to: string): Promise<SyncTarget> {
  const address = URL.canParse(to) ? new URL(to) : undefined
  const open = address && indexes[address.protocol]
  if (address && !open && /^[\w+.-]+:\/\//.test(to))
    throw new UsageError(`--to knows ${Object.keys(indexes).join(' ')} and commands, not ${address.protocol}`)
  if (!address || !open) {
    const { pipeChunksToCommand } = await import('./pipe-to-command.ts')
    return (lines, signal) => pipeChunksToCommand(to, lines, signal)
  }
  const connect = await open()
  return async (lines, signal) => {
    const { readConfig } = await import('../../config.ts')
    const embed = makeEmbedder(readConfig())
    const [probe] = embed ? await embed(['dimensions'], signal) : []
    const index = await connect(address, probe?.length)
    try {
      await writeChunksToIndex(index, lines, embed, signal)
    } finally {
      await index.close()
    }
  }
}

export async function writeChunksToIndex(
  index: ChunkIndex,
  lines: Iterable<string>,
  embed: Embed | undefined,
  signal: AbortSignal,
): Promise<void> {
  let waiting: Chunk[] = []
  const flush = async () => {
    const known = await index.known(waiting.map(({ id }) => id))
    const fresh = waiting.filter(({ id }) => !known.has(id))
    waiting = []
    if (fresh.length === 0) return
    const vectors = await embed?.(
      fresh.map(({ headings, text }) => [...headings, text].join('\n')),
      signal,
    )
    await index.put(fresh, vectors)
  }
  for (const line of lines) {
    const { op, ...rest } = JSON.parse(line) as { op: 'upsert' | 'delete' } & Chunk
    if (op === 'upsert') waiting.push(rest as Chunk)
    else await index.drop(rest.url, rest.except as string[])
    if (waiting.length >= BATCH) await flush()
  }
  if (waiting.length > 0) await flush()
}
