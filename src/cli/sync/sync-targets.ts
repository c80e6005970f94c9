// Where `orb sync --to` writes chunks. Each kind of index has a file; a command gets the lines as they are.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../config.ts'
import { CommandExitError, UsageError } from '../command.ts'
import type { Chunk, ChunkIndex, OpenChunkIndex } from './chunk-index.ts'
import { postJson } from './post-json.ts'

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
  if (!address || !open) return (lines, signal) => pipeChunksToCommand(to, lines, signal)
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

type SyncSettings = Pick<Config, 'embeddingsUrl' | 'embeddingsModel' | 'embeddingsKey'>
type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<number[][]>

/** Vectors by an endpoint that speaks OpenAI's `/embeddings`. Undefined when none is set: an index then holds text only. */
function makeEmbedder({ embeddingsUrl, embeddingsModel, embeddingsKey }: SyncSettings): Embed | undefined {
  if (!embeddingsUrl) return undefined
  return async (texts, signal) => {
    const { data } = await postJson<{ data: { index: number; embedding: number[] }[] }>(
      `${embeddingsUrl}/embeddings`,
      { model: embeddingsModel, input: texts },
      { headers: embeddingsKey ? { authorization: `Bearer ${embeddingsKey}` } : {}, signal },
    )
    return [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding)
  }
}

/** As JSONL on its standard input. */
async function pipeChunksToCommand(command: string, lines: Iterable<string>, signal: AbortSignal): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], signal })
  const ended = once(child, 'close')
  const text = function* () {
    for (const line of lines) yield `${line}\n`
  }
  // A command that stops reading says why with its exit code.
  await pipeline(Readable.from(text()), child.stdin).catch(() => undefined)
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new CommandExitError(`The command of --to exited with ${code ?? 'a signal'}: ${command}`)
}
