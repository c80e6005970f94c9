// The two search threads: one builds segments and ends when idle, one caches them and answers queries. Neither accesses
// the store.
import { Piscina } from 'piscina'
import { abortProblem } from '../base/clock.ts'
import type { BuildReply, BuildRequest, MergeRequest } from './build.ts'
import type { FindReply, FindRequest, JudgeRequest, PageJudgement } from './find-thread.ts'

export interface SearchThreads {
  build(request: BuildRequest): Promise<BuildReply>
  merge(request: MergeRequest): Promise<{ pages: number; bytes: Uint8Array }>
  load(id: string, bytes: Uint8Array): Promise<void>
  find(request: FindRequest, signal: AbortSignal): Promise<FindReply>
  judge(request: JudgeRequest, signal: AbortSignal): Promise<PageJudgement[]>
  close(): Promise<void>
}

interface ThreadOptions {
  buildScript: URL
  findScript: URL
  memoryBytes: number
}

const IDLE_MS = 20_000
/** Idle time after which cached segments are released. */
const FORGET_MS = 600_000

export function openThreads({ buildScript, findScript, memoryBytes }: ThreadOptions): SearchThreads {
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
    idleTimeout: FORGET_MS,
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 },
  })
  return {
    build: (request) => builder.run(request, { name: 'build' }),
    merge: (request) => builder.run(request, { name: 'merge' }),
    load: (id, bytes) =>
      finder.run({ id, bytes, memoryBytes }, { name: 'load', transferList: [bytes.buffer as ArrayBuffer] }),
    async find(request, signal) {
      // The thread is never aborted: it would lose its cached segments.
      if (signal.aborted) throw abortProblem(signal)
      return (await finder.run(request, { name: 'find' })) as FindReply
    },
    async judge(request, signal) {
      if (signal.aborted) throw abortProblem(signal)
      return (await finder.run(request, { name: 'judge' })) as PageJudgement[]
    },
    async close() {
      await Promise.all([builder.destroy(), finder.destroy()])
    },
  }
}
