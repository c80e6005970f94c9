// Manages the child processes that read documents, since native PDF code may crash.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { lowerProcessPriority } from '../../base/cpu-priority.ts'
import { problemOfAbort } from '../../base/deadline.ts'
import { Problem, type SerialisedProblem } from '../../base/problem.ts'
import type { DocumentRequest, PageDigest, RenderedPdfPage, RenderPdfPageRequest } from './digest-page.ts'
import type { DocumentMaterialsMessage, RenderPdfPageMessage } from './document-child.ts'

export interface DocumentProcessPool {
  digest(request: DocumentRequest, budgetMs: number, signal: AbortSignal): Promise<PageDigest>
  draw(request: RenderPdfPageRequest, budgetMs: number, signal: AbortSignal): Promise<RenderedPdfPage>
  close(): Promise<void>
}

interface ChildrenOptions {
  script: URL
  most: number
  memoryMb: number
  /** Language data that was added. */
  ocrFolder?: string
}

const IDLE_MS = 20_000
/** A child beyond either limit is replaced, because native code may leak memory. */
const MAX_CHILD_MB = 300
const MAX_CHILD_DOCUMENTS = 100
const LOOK_MS = 200
/** Reserved from the time budget for the reply. */
const RESERVED_FOR_REPLY_MS = 500

interface Child {
  process: ChildProcess
  folder: string
  bytes: Writable
  ready: Promise<void>
  read: number
  idle: NodeJS.Timeout | undefined
}

export function openDocumentProcessPool({ script, most, memoryMb, ocrFolder }: ChildrenOptions): DocumentProcessPool {
  const resting: Child[] = []
  const all = new Set<Child>()
  const waiting: (() => void)[] = []
  const end = (child: Child) => {
    clearTimeout(child.idle)
    all.delete(child)
    killWithDescendants(child.process)
    removeFolderAfterExit(child)
    waiting.shift()?.()
  }
  const take = async (signal: AbortSignal): Promise<Child> => {
    for (;;) {
      const rested = resting.pop()
      if (rested) {
        clearTimeout(rested.idle)
        return rested
      }
      if (all.size < most) {
        const child = start(script, memoryMb, ocrFolder)
        all.add(child)
        return child
      }
      await turn(waiting, signal)
    }
  }
  const giveBack = async (child: Child) => {
    if (!all.has(child)) return
    child.read += 1
    const megabytes = await readResidentMb(child.process.pid)
    if (child.read >= MAX_CHILD_DOCUMENTS || megabytes > MAX_CHILD_MB) return end(child)
    child.idle = setTimeout(() => {
      resting.splice(resting.indexOf(child), 1)
      end(child)
    }, IDLE_MS)
    child.idle.unref()
    resting.push(child)
    waiting.shift()?.()
  }
  const answer = async <T extends object>(
    request: DocumentRequest | RenderPdfPageRequest,
    budgetMs: number,
    signal: AbortSignal,
  ): Promise<T> => {
    if (signal.aborted) throw problemOfAbort(signal)
    const child = await take(signal)
    let reply: T | { problem: SerialisedProblem }
    try {
      reply = await ask<T>(
        child,
        request,
        Math.max(RESERVED_FOR_REPLY_MS, budgetMs - RESERVED_FOR_REPLY_MS),
        memoryMb,
        signal,
      )
    } catch (error) {
      // The child may be stuck: kill it.
      end(child)
      throw error
    }
    await giveBack(child)
    if ('problem' in reply) throw Problem.revive(reply.problem)
    return reply
  }
  return {
    digest: async (...asked) => (await answer<{ digest: PageDigest }>(...asked)).digest,
    draw: async (...asked) => (await answer<{ picture: RenderedPdfPage }>(...asked)).picture,
    async close() {
      for (const child of [...all]) end(child)
    },
  }
}

/** A killed child cannot clean up; the upload may still be in its folder. */
function removeFolderAfterExit({ process: child, folder }: Child): void {
  const tidy = () => void rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  if (child.exitCode !== null || child.signalCode !== null) tidy()
  else child.once('exit', tidy)
}

function start(script: URL, memoryMb: number, ocrFolder: string | undefined): Child {
  const folder = mkdtempSync(join(tmpdir(), 'orb-document-'))
  const child = fork(script, ocrFolder === undefined ? [] : [ocrFolder], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    // No other environment: its input is hostile.
    env: { TMPDIR: folder },
    // Own process group, so that its children are killed with it.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  })
  child.on('error', () => undefined)
  lowerProcessPriority(child.pid, 'helpers')
  const bytes = child.stdio[4] as Writable
  bytes.on('error', () => undefined)
  const ready = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Problem('internal', { because: 'the document reader did not start' })))
  })
  ready.catch(() => undefined)
  return { process: child, folder, bytes, ready, read: 0, idle: undefined }
}

/** Rejects when the child dies, exceeds its memory or the request ends. */
async function ask<T>(
  child: Child,
  request: DocumentRequest | RenderPdfPageRequest,
  budgetMs: number,
  memoryMb: number,
  signal: AbortSignal,
): Promise<T | { problem: SerialisedProblem }> {
  await child.ready
  if (signal.aborted) throw problemOfAbort(signal)
  const { bytes, ...rest } = request
  const order = { ...rest, size: bytes.byteLength, budgetMs } as DocumentMaterialsMessage | RenderPdfPageMessage
  return new Promise((resolve, reject) => {
    let isTooBig = false
    const stopAndFinish = (finish: () => void) => {
      clearInterval(watch)
      clearTimeout(timer)
      child.process.off('message', onMessage).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
      finish()
    }
    const onMessage = (reply: T | { problem: SerialisedProblem }) => stopAndFinish(() => resolve(reply))
    const onExit = () => stopAndFinish(() => reject(makeDeathProblem(isTooBig)))
    const onAbort = () => stopAndFinish(() => reject(problemOfAbort(signal)))
    const timer = setTimeout(
      () =>
        stopAndFinish(() =>
          reject(new Problem('timeout', { because: 'the document took longer to read than the time given' })),
        ),
      budgetMs,
    )
    const watch = setInterval(() => {
      void readResidentMb(child.process.pid).then((megabytes) => {
        if (megabytes <= memoryMb) return
        isTooBig = true
        killWithDescendants(child.process)
      })
    }, LOOK_MS)
    child.process.on('message', onMessage).once('exit', onExit)
    signal.addEventListener('abort', onAbort, { once: true })
    child.process.send(order)
    child.bytes.write(bytes)
  })
}

const makeDeathProblem = (isTooBig: boolean): Problem =>
  new Problem('unreadable_file', {
    because: isTooBig ? 'it needs more memory than a document may' : 'its reader crashed on it',
  })

function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const stop = () => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(problemOfAbort(signal))
    }
    waiting.push(go)
    signal.addEventListener('abort', stop, { once: true })
  })
}

const PAGE_BYTES = 4096

/** How deep child processes are counted: LibreOffice runs below two wrapper scripts. */
const MAX_PROCESS_DEPTH = 4

/** Including child processes; 0 without /proc. */
export async function readResidentMb(pid: number | string | undefined, generation = 0): Promise<number> {
  try {
    const statm = await readFile(`/proc/${pid}/statm`, 'utf8')
    const own = (Number(statm.split(' ')[1]) * PAGE_BYTES) / 1e6
    if (generation === MAX_PROCESS_DEPTH) return own
    const started = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    const theirs = await Promise.all(
      started
        .split(' ')
        .filter(Boolean)
        .map((one) => readResidentMb(one, generation + 1)),
    )
    return theirs.reduce((sum, megabytes) => sum + megabytes, own)
  } catch {
    return 0
  }
}

export function killWithDescendants(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {}
}
