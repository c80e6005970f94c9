// The threads that host content/: one that stays, more on demand and ended when idle, limited in memory, and killed when
// the request they work for is over. Heavy work never runs on the event loop.
import { Piscina } from 'piscina'
import type { Rank } from '../../base/priority.ts'
import { Problem } from '../../base/problem.ts'
import { openShares } from '../../base/shares.ts'
import { abortProblem } from '../../base/time.ts'
import type { CompareReply, CompareRequest } from './comparing.ts'
import type { Digest, DigestReply, DigestRequest, DocumentRequest, PagePicture, PictureRequest } from './digest.ts'
import { openDocumentChildren } from './document-children.ts'
import type { RedactRequest } from './redactions.ts'
import type { WatchLooksReply, WatchLooksRequest } from './watching.ts'

export interface Workshop {
  /** `owner`: whose share of the threads it takes. */
  digest(request: DigestRequest, owner: string, signal: AbortSignal): Promise<Digest>
  /** The same of a file that is not a page, in a child process of its own. */
  digestDocument(request: DocumentRequest, budgetMs: number, signal: AbortSignal): Promise<Digest>
  /** Two texts of a page, compared. */
  compare(request: CompareRequest, signal: AbortSignal): Promise<CompareReply>
  /** One more look at a watched page. */
  watch(request: WatchLooksRequest, signal: AbortSignal): Promise<WatchLooksReply>
  /** A document's fields without what is personal or secret. */
  redact(request: RedactRequest, signal: AbortSignal): Promise<Record<string, Uint8Array>>
  /** A page of a PDF as a picture, made there too. */
  drawPage(request: PictureRequest, budgetMs: number, signal: AbortSignal): Promise<PagePicture>
  close(): Promise<void>
}

export interface WorkshopOptions {
  /** The compiled worker.ts. */
  script: URL
  threads: number
  /** Most megabytes of heap one thread may use for one page. */
  memoryMb: number
  /** The compiled document-child.ts. */
  documentScript: URL
  /** Most megabytes a child that reads documents may hold. */
  documentMemoryMb: number
}

/** A thread that had nothing to do for this long ends, so that an idle service is small. */
const IDLE_MS = 20_000

/** What one page may take of a thread, whatever its caller would wait for: beyond it the thread is ended. */
const DIGEST_MS = 30_000

/**
 * A page from here on takes a thread of its own, one at a time: its tree is thirty times as large, and several at once would
 * take all memory. The thread that ordinary pages are read in stays small.
 */
const HEAVY_BYTES = 4 * 1024 * 1024
const HEAVY_IDLE_MS = 2000

/** What is read of a page whose whole does not fit in a thread's memory. */
const SMALLER_BYTES = 2 * 1024 * 1024

export function openWorkshop(options: WorkshopOptions): Workshop {
  const { script, threads, memoryMb, documentScript, documentMemoryMb } = options
  const documents = openDocumentChildren({ script: documentScript, most: threads, memoryMb: documentMemoryMb })
  const threadsOf = (rank: Rank, minThreads: number, maxThreads: number, idleTimeout: number) =>
    new Piscina({
      filename: script.href,
      minThreads,
      maxThreads,
      idleTimeout,
      workerData: rank,
      // A page's tree is short-lived garbage: a large young generation collects it without copying it into the old one.
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 64, stackSizeMb: 8 },
    })
  // One more than one owner may have. One stays: after 45 s without work the first page took 0.94 s, most of it for a
  // thread to start, against 0.03.
  const pool = threadsOf('readers', 1, threads + 1, IDLE_MS)
  const light = { pool, shares: openShares({ atOnce: threads + 1, perOwner: threads }) }
  const heavy = { pool: threadsOf('helpers', 0, 1, HEAVY_IDLE_MS), shares: openShares({ atOnce: 1, perOwner: 1 }) }
  const run = async (request: DigestRequest, owner: string, signal: AbortSignal): Promise<Digest> => {
    const { pool, shares } = request.bytes.byteLength > HEAVY_BYTES ? heavy : light
    return shares.run(owner, () => digestIn(pool, request, signal), signal)
  }
  const digestIn = async (pool: Piscina, request: DigestRequest, signal: AbortSignal): Promise<Digest> => {
    const enough = AbortSignal.timeout(DIGEST_MS)
    const ends = AbortSignal.any([signal, enough])
    const reply: DigestReply = await pool.run(request, { name: 'digest', signal: ends }).catch((error: unknown) => {
      throw enough.aborted && !signal.aborted ? tooLong() : error
    })
    if ('problem' in reply) throw Problem.revive(reply.problem)
    return reply.digest
  }
  return {
    async digest(request, owner, signal) {
      try {
        return await run(request, owner, signal)
      } catch (error) {
        if (signal.aborted) throw abortProblem(signal)
        if (!isOutOfMemory(error)) throw error
        const bytes = request.bytes.subarray(0, SMALLER_BYTES)
        const smaller = await run({ ...request, bytes }, owner, signal).catch(giveUp)
        const warning = `The page is too large to be read whole: only its first ${SMALLER_BYTES / 1024 / 1024} MB were read`
        return { ...smaller, warnings: [...smaller.warnings, warning] }
      }
    },
    digestDocument: documents.digest,
    drawPage: documents.draw,
    compare: (request, signal) => pool.run(request, { name: 'compare', signal }),
    watch: (request, signal) => pool.run(request, { name: 'watch', signal }),
    redact: (request, signal) => pool.run(request, { name: 'redact', signal }),
    async close() {
      await Promise.all([pool.destroy(), heavy.pool.destroy(), documents.close()])
    },
  }
}

const tooLong = (): Problem =>
  new Problem('unprocessable', { because: `reading the page took longer than ${DIGEST_MS / 1000} s` })

const isOutOfMemory = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'

function giveUp(error: unknown): never {
  if (isOutOfMemory(error))
    throw new Problem('unprocessable', { because: 'the page needs more memory than is allowed' })
  throw error
}
