// The worker thread pool for content/: one permanent thread from the first page on, more on demand.
import { Piscina } from 'piscina'
import type { PriorityRank } from '../../base/cpu-priority.ts'
import { problemOfAbort } from '../../base/deadline.ts'
import { openFairSlots } from '../../base/fair-slots.ts'
import { Problem } from '../../base/problem.ts'
import type { LearntProgram } from '../../understanding/learn/rank-ways.ts'
import type { CompareTextsReply, CompareTextsRequest } from './compare-text-versions.ts'
import type {
  DigestReply,
  DigestRequest,
  DocumentRequest,
  PageDigest,
  RenderedPdfPage,
  RenderPdfPageRequest,
} from './digest-page.ts'
import { openDocumentProcessPool } from './document-process-pool.ts'
import type { WatchCheckReply, WatchCheckRequest } from './evaluate-watched-page.ts'
import type { LearnRequest } from './learn-from-pages.ts'
import type { RedactRequest } from './redact-fields.ts'

export interface ContentWorkerPool {
  /** Starts the first thread, so that it loads while the page is fetched. */
  warmUp(): void
  digest(request: DigestRequest, owner: string, signal: AbortSignal): Promise<PageDigest>
  /** For a file that is not a page, in a child process. */
  digestDocument(request: DocumentRequest, budgetMs: number, signal: AbortSignal): Promise<PageDigest>
  compare(request: CompareTextsRequest, signal: AbortSignal): Promise<CompareTextsReply>
  watch(request: WatchCheckRequest, signal: AbortSignal): Promise<WatchCheckReply>
  learn(request: LearnRequest, signal: AbortSignal): Promise<LearntProgram>
  redact(request: RedactRequest, signal: AbortSignal): Promise<Record<string, Uint8Array>>
  drawPage(request: RenderPdfPageRequest, budgetMs: number, signal: AbortSignal): Promise<RenderedPdfPage>
  /** In the permanent thread, once the others have ended. */
  collectGarbage(): void
  close(): Promise<void>
}

interface WorkshopOptions {
  script: URL
  threads: number
  memoryMb: number
  documentScript: URL
  documentMemoryMb: number
  ocrFolder: string
}

/** An idle thread ends, to keep an idle service small. */
const IDLE_MS = 10_000

/** Time limit per page, independent of the caller's timeout; then the thread is killed. */
const DIGEST_MS = 30_000
/** More for a page that waits until the first thread of its pool is ready. */
const THREAD_START_MS = 10_000

/**
 * Larger pages use a separate thread, one at a time: the tree takes thirty times the size, and several would exhaust
 * memory.
 */
const LARGE_PAGE_BYTES = 4 * 1024 * 1024
const HEAVY_IDLE_MS = 2000
const HEAVY_DIGEST_MS = 120_000

/** Read limit for a page that does not fit in a thread's memory. */
const REDUCED_PAGE_BYTES = 2 * 1024 * 1024

export function openContentWorkerPool(options: WorkshopOptions): ContentWorkerPool {
  const { script, threads, memoryMb, documentScript, documentMemoryMb, ocrFolder } = options
  const limits = { most: threads, memoryMb: documentMemoryMb }
  const documents = openDocumentProcessPool({ script: documentScript, ...limits, ocrFolder })
  const threadsOf = (rank: PriorityRank, minThreads: number, maxThreads: number, idleTimeout: number) =>
    new Piscina({
      filename: script.href,
      minThreads,
      maxThreads,
      idleTimeout,
      workerData: rank,
      recordTiming: false,
      // Two semi-spaces of 8 MB (V8 rounds a third of it up): a page's short-lived tree is collected without promoting it.
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 24, stackSizeMb: 8 },
    })
  // One stays alive once started: after 45 s idle the first page took 0.94 s instead of 0.03 s.
  const light = once(() => threadsOf('readers', 1, threads + 1, IDLE_MS))
  const lightShares = openFairSlots({ atOnce: threads + 1, perOwner: threads })
  const heavy = once(() => threadsOf('helpers', 0, 1, HEAVY_IDLE_MS))
  const heavyShares = openFairSlots({ atOnce: 1, perOwner: 1 })
  const ready = new WeakSet<Piscina>()
  const run = async (request: DigestRequest, owner: string, signal: AbortSignal): Promise<PageDigest> => {
    const isHeavy = request.bytes.byteLength > LARGE_PAGE_BYTES
    const [pool, shares] = isHeavy ? [heavy, heavyShares] : [light, lightShares]
    const limitMs = isHeavy ? HEAVY_DIGEST_MS : DIGEST_MS
    return shares.run(owner, () => digestIn(pool.get(), request, limitMs, signal), signal)
  }
  const digestIn = async (pool: Piscina, request: DigestRequest, limitMs: number, signal: AbortSignal) => {
    // Not AbortSignal.timeout: its timer would live for half a minute after each page.
    const ending = new AbortController()
    const end = () => ending.abort()
    const timer = setTimeout(end, limitMs + (ready.has(pool) ? 0 : THREAD_START_MS)).unref()
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    try {
      const reply: DigestReply = await pool.run(request, { name: 'digest', signal: ending.signal })
      ready.add(pool)
      if ('problem' in reply) throw Problem.revive(reply.problem)
      return reply.digest
    } catch (error) {
      throw ending.signal.aborted && !signal.aborted ? tooLong(limitMs) : error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  }
  return {
    warmUp: () => void light.get(),
    async digest(request, owner, signal) {
      try {
        return await run(request, owner, signal)
      } catch (error) {
        if (signal.aborted) throw problemOfAbort(signal)
        if (!isOutOfMemory(error)) throw error
        const bytes = request.bytes.subarray(0, REDUCED_PAGE_BYTES)
        const smaller = await run({ ...request, bytes }, owner, signal).catch(giveUp)
        const warning = `The page is too large to be read whole: only its first ${REDUCED_PAGE_BYTES / 1024 / 1024} MB were read`
        return { ...smaller, warnings: [...smaller.warnings, warning] }
      }
    },
    digestDocument: documents.digest,
    drawPage: documents.draw,
    compare: (request, signal) => light.get().run(request, { name: 'compare', signal }),
    watch: (request, signal) => light.get().run(request, { name: 'watch', signal }),
    learn: (request, signal) => light.get().run(request, { name: 'learn', signal }),
    redact: (request, signal) => light.get().run(request, { name: 'redact', signal }),
    collectGarbage: () =>
      void light
        .made()
        ?.run(undefined, { name: 'collect' })
        .catch(() => undefined),
    async close() {
      await Promise.all([light.made()?.destroy(), heavy.made()?.destroy(), documents.close()])
    },
  }
}

/** Made at first use: an idle service holds no thread. */
function once<T>(make: () => T): { get(): T; made(): T | undefined } {
  let made: T | undefined
  return {
    get() {
      made ??= make()
      return made
    },
    made: () => made,
  }
}

const tooLong = (limitMs: number): Problem =>
  new Problem('unprocessable', { because: `reading the page took longer than ${limitMs / 1000} s` })

const isOutOfMemory = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'

function giveUp(error: unknown): never {
  if (isOutOfMemory(error))
    throw new Problem('unprocessable', { because: 'the page needs more memory than is allowed' })
  throw error
}
