// The two search threads: one builds segments and ends when idle, one caches them and answers queries. Neither accesses
// the store.
import { Piscina } from 'piscina'
import { problemOfAbort } from '../base/deadline.ts'
import type { BuildSegmentsReply, BuildSegmentsRequest, MergeSegmentsRequest } from './build-segments.ts'
import type { CheckedHit, CheckHitsRequest, FindReply, SearchThreadRequest } from './find-thread.ts'

export interface SearchThreads {
  build(request: BuildSegmentsRequest): Promise<BuildSegmentsReply>
  merge(request: MergeSegmentsRequest): Promise<{ pages: number; bytes: Uint8Array }>
  load(id: string, bytes: Uint8Array): Promise<void>
  find(request: SearchThreadRequest, signal: AbortSignal): Promise<FindReply>
  judge(request: CheckHitsRequest, signal: AbortSignal): Promise<CheckedHit[]>
  close(): Promise<void>
}

interface ThreadOptions {
  buildScript: URL
  findScript: URL
  memoryBytes: number
}

const IDLE_MS = 20_000
/** Idle time after which cached segments are released. */
const IDLE_RELEASE_MS = 600_000

export function openSearchThreads({ buildScript, findScript, memoryBytes }: ThreadOptions): SearchThreads {
  const builder = new Piscina({
    filename: buildScript.href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64 },
  })
  const finder = new Piscina({
    filename: findScript.href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_RELEASE_MS,
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 },
  })
  return {
    build: (request) => builder.run(request, { name: 'build' }),
    merge: (request) => builder.run(request, { name: 'merge' }),
    load: (id, bytes) =>
      finder.run({ id, bytes, memoryBytes }, { name: 'load', transferList: [bytes.buffer as ArrayBuffer] }),
    async find(request, signal) {
      // The thread is never aborted: it would lose its cached segments.
      if (signal.aborted) throw problemOfAbort(signal)
      return (await finder.run(request, { name: 'find' })) as FindReply
    },
    async judge(request, signal) {
      if (signal.aborted) throw problemOfAbort(signal)
      return (await finder.run(request, { name: 'judge' })) as CheckedHit[]
    },
    async close() {
      await Promise.all([builder.destroy(), finder.destroy()])
    },
  }
}
