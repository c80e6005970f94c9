// Runs one media child process per item, with a memory limit; killed when its request ends.
import { type ChildProcess, fork } from 'node:child_process'
import { abortProblem } from '../../base/clock.ts'
import { lowerProcessPriority } from '../../base/priority.ts'
import { Problem } from '../../base/problem.ts'
import { killAll, residentMb } from '../workshop/document-children.ts'
import type { MadeMedia, MakeOrder, ManifestFound, ManifestOrder, MediaOrder, MediaReply } from './child-messages.ts'

/** This URL does not have the requested media; another may. */
export class UnfitMedia extends Error {
  readonly denied: boolean
  constructor(message: string, denied = false) {
    super(message)
    this.denied = denied
  }
}

export interface MediaChild {
  read(order: Omit<ManifestOrder, 'do'>, signal: AbortSignal): Promise<ManifestFound>
  make(order: Omit<MakeOrder, 'do'>, signal: AbortSignal): Promise<MadeMedia>
  end(): void
}

export interface MediaChildOptions {
  script: URL
  memoryMb: number
}

const LOOK_MS = 200
const MANIFEST_MS = 10_000

export function startMediaChild({ script, memoryMb }: MediaChildOptions): MediaChild {
  let child: ChildProcess | undefined
  let ready: Promise<void> | undefined
  const start = (): ChildProcess => {
    if (child && child.exitCode === null && child.signalCode === null) return child
    const started = fork(script, [], {
      execArgv: [`--max-old-space-size=${memoryMb}`],
      // No environment: its input is hostile.
      env: {},
      detached: true,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    started.on('error', () => undefined)
    lowerProcessPriority(started.pid, 'helpers')
    ready = new Promise((resolve, reject) => {
      started.once('message', () => resolve())
      started.once('exit', () => reject(new Problem('internal', { because: 'the media reader did not start' })))
    })
    ready.catch(() => undefined)
    child = started
    return started
  }
  const ask = async <T>(order: MediaOrder, signal: AbortSignal): Promise<T> => {
    const worker = start()
    await ready
    if (signal.aborted) throw abortProblem(signal)
    const reply = await oneAnswer<T>(worker, order, memoryMb, signal)
    if ('made' in reply) return reply.made
    if ('problem' in reply) throw Problem.revive(reply.problem)
    throw new UnfitMedia(reply.unfit, reply.denied)
  }
  return {
    async read(order, signal) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(MANIFEST_MS)])
      try {
        return await ask<ManifestFound>({ do: 'manifest', ...order }, limit)
      } catch (error) {
        if (signal.aborted || !limit.aborted) throw error
        if (child) killAll(child)
        throw new UnfitMedia('its manifest takes too long to read')
      }
    },
    make: (order, signal) => ask<MadeMedia>({ do: 'make', ...order }, signal),
    end() {
      if (child) killAll(child)
    },
  }
}

function oneAnswer<T>(
  child: ChildProcess,
  order: MediaOrder,
  memoryMb: number,
  signal: AbortSignal,
): Promise<MediaReply<T>> {
  return new Promise((resolve, reject) => {
    let isTooBig = false
    const done = (finish: () => void) => {
      clearInterval(watch)
      child.off('message', onMessage).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
      finish()
    }
    const onMessage = (reply: MediaReply<T>) => done(() => resolve(reply))
    const onExit = () =>
      done(() => reject(new UnfitMedia(isTooBig ? 'it needs more memory than media may' : 'its reader crashed on it')))
    const onAbort = () => done(() => reject(abortProblem(signal)))
    const watch = setInterval(() => {
      void residentMb(child.pid).then((megabytes) => {
        if (megabytes <= memoryMb) return
        isTooBig = true
        killAll(child)
      })
    }, LOOK_MS)
    child.on('message', onMessage).once('exit', onExit)
    signal.addEventListener('abort', onAbort, { once: true })
    child.send(order)
  })
}
