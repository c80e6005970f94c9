// The children that read documents: separate processes, because what reads a PDF is native code and may crash on one.
// Started on demand, limited in memory and time, killed when their request is over, ended when idle.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { giveWay } from '../../base/priority.ts'
import { Problem, type SerialisedProblem } from '../../base/problem.ts'
import { abortProblem } from '../../base/time.ts'
import type { Digest, DocumentRequest, PagePicture, PictureRequest } from './digest.ts'
import type { DocumentOrder, PictureOrder } from './document-child.ts'

export interface DocumentChildren {
  digest(request: DocumentRequest, budgetMs: number, signal: AbortSignal): Promise<Digest>
  /** A page of a PDF as a picture. */
  draw(request: PictureRequest, budgetMs: number, signal: AbortSignal): Promise<PagePicture>
  close(): Promise<void>
}

export interface ChildrenOptions {
  /** The compiled document-child.ts. */
  script: URL
  most: number
  /** Most megabytes a child may hold, whatever holds them. */
  memoryMb: number
}

const IDLE_MS = 20_000
/** A little below: on a full machine a document must still be read in its time. */
/** A child that grew beyond this, or has read this many, makes room for a fresh one. */
const RETIRE_MB = 300
const RETIRE_DOCUMENTS = 100
const LOOK_MS = 200
/** What is left for telling the caller, of the time that a document may take. */
const MARGIN_MS = 500

interface Child {
  process: ChildProcess
  /** What it writes; gone when it is. */
  folder: string
  bytes: Writable
  ready: Promise<void>
  read: number
  idle: NodeJS.Timeout | undefined
}

export function openDocumentChildren({ script, most, memoryMb }: ChildrenOptions): DocumentChildren {
  const resting: Child[] = []
  const all = new Set<Child>()
  const waiting: (() => void)[] = []
  const end = (child: Child) => {
    clearTimeout(child.idle)
    all.delete(child)
    killAll(child.process)
    gone(child)
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
        const child = start(script, memoryMb)
        all.add(child)
        return child
      }
      await turn(waiting, signal)
    }
  }
  const giveBack = async (child: Child) => {
    if (!all.has(child)) return
    child.read += 1
    const megabytes = await residentMb(child.process.pid)
    if (child.read >= RETIRE_DOCUMENTS || megabytes > RETIRE_MB) return end(child)
    child.idle = setTimeout(() => {
      resting.splice(resting.indexOf(child), 1)
      end(child)
    }, IDLE_MS)
    child.idle.unref()
    resting.push(child)
    waiting.shift()?.()
  }
  const answer = async <T extends object>(
    request: DocumentRequest | PictureRequest,
    budgetMs: number,
    signal: AbortSignal,
  ): Promise<T> => {
    if (signal.aborted) throw abortProblem(signal)
    const child = await take(signal)
    let reply: T | { problem: SerialisedProblem }
    try {
      reply = await ask<T>(child, request, Math.max(MARGIN_MS, budgetMs - MARGIN_MS), memoryMb, signal)
    } catch (error) {
      // Whatever it was doing, it is not to be waited for.
      end(child)
      throw error
    }
    await giveBack(child)
    if ('problem' in reply) throw Problem.revive(reply.problem)
    return reply
  }
  return {
    digest: async (...asked) => (await answer<{ digest: Digest }>(...asked)).digest,
    draw: async (...asked) => (await answer<{ picture: PagePicture }>(...asked)).picture,
    async close() {
      for (const child of [...all]) end(child)
    },
  }
}

/** A reader that is killed in the middle cannot tidy up: the upload may still lie there. */
function gone({ process: child, folder }: Child): void {
  const tidy = () => void rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  if (child.exitCode !== null || child.signalCode !== null) tidy()
  else child.once('exit', tidy)
}

function start(script: URL, memoryMb: number): Child {
  const folder = mkdtempSync(join(tmpdir(), 'orb-document-'))
  const child = fork(script, [], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    // It needs nothing of ours; what it reads is hostile.
    env: { TMPDIR: folder },
    // The leader of a group of its own: what it starts is ended with it.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  })
  child.on('error', () => undefined)
  giveWay(child.pid, 'helpers')
  const bytes = child.stdio[4] as Writable
  bytes.on('error', () => undefined)
  const ready = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Problem('internal', { because: 'the document reader did not start' })))
  })
  ready.catch(() => undefined)
  return { process: child, folder, bytes, ready, read: 0, idle: undefined }
}

/** One document, from order to answer; rejects when the child dies, outgrows its memory or the request is over. */
async function ask<T>(
  child: Child,
  request: DocumentRequest | PictureRequest,
  budgetMs: number,
  memoryMb: number,
  signal: AbortSignal,
): Promise<T | { problem: SerialisedProblem }> {
  await child.ready
  if (signal.aborted) throw abortProblem(signal)
  const { bytes, ...rest } = request
  const order = { ...rest, size: bytes.byteLength, budgetMs } as DocumentOrder | PictureOrder
  return new Promise((resolve, reject) => {
    let isTooBig = false
    const done = (finish: () => void) => {
      clearInterval(watch)
      clearTimeout(timer)
      child.process.off('message', onMessage).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
      finish()
    }
    const onMessage = (reply: T | { problem: SerialisedProblem }) => done(() => resolve(reply))
    const onExit = () => done(() => reject(died(isTooBig)))
    const onAbort = () => done(() => reject(abortProblem(signal)))
    const timer = setTimeout(
      () =>
        done(() => reject(new Problem('timeout', { because: 'the document took longer to read than the time given' }))),
      budgetMs,
    )
    const watch = setInterval(() => {
      void residentMb(child.process.pid).then((megabytes) => {
        if (megabytes <= memoryMb) return
        isTooBig = true
        killAll(child.process)
      })
    }, LOOK_MS)
    child.process.on('message', onMessage).once('exit', onExit)
    signal.addEventListener('abort', onAbort, { once: true })
    child.process.send(order)
    child.bytes.write(bytes)
  })
}

const died = (isTooBig: boolean): Problem =>
  new Problem('unreadable_file', {
    because: isTooBig ? 'it needs more memory than a document may' : 'its reader crashed on it',
  })

/** Waits until a child is free. */
function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const stop = () => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(abortProblem(signal))
    }
    waiting.push(go)
    signal.addEventListener('abort', stop, { once: true })
  })
}

const PAGE_BYTES = 4096

/** How deep a program starts programs: LibreOffice is two scripts deep. */
const MAX_GENERATIONS = 4

/** With what it started; 0 where the system does not tell. */
export async function residentMb(pid: number | string | undefined, generation = 0): Promise<number> {
  try {
    const statm = await readFile(`/proc/${pid}/statm`, 'utf8')
    const own = (Number(statm.split(' ')[1]) * PAGE_BYTES) / 1e6
    if (generation === MAX_GENERATIONS) return own
    const started = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    const theirs = await Promise.all(
      started
        .split(' ')
        .filter(Boolean)
        .map((one) => residentMb(one, generation + 1)),
    )
    return theirs.reduce((sum, megabytes) => sum + megabytes, own)
  } catch {
    return 0
  }
}

export function killAll(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
