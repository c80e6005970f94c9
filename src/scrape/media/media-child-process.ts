// Runs one media child process per item, with a memory limit; killed when its request ends.

import { type ChildProcess, fork } from 'node:child_process'
import { abortAfter } from '../../base/abort-after.ts'
import { lowerProcessPriority } from '../../base/cpu-priority.ts'
import { problemOfAbort } from '../../base/deadline.ts'
import { Problem } from '../../base/problem.ts'
import { killWithDescendants, readResidentMb } from '../workshop/document-process-pool.ts'
import type {
  ConvertedMedia,
  ConvertMediaRequest,
  MediaChildReply,
  MediaChildRequest,
  ReadManifestReply,
  ReadManifestRequest,
} from './media-child-messages.ts'

/** This URL does not have the requested media; another may. */
export class MediaCandidateError extends Error {
  readonly denied: boolean
  constructor(message: string, denied = false) {
    super(message)
    this.denied = denied
  }
}

export interface MediaChildProcess {
  read(order: Omit<ReadManifestRequest, 'do'>, signal: AbortSignal): Promise<ReadManifestReply>
  make(order: Omit<ConvertMediaRequest, 'do'>, signal: AbortSignal): Promise<ConvertedMedia>
  end(): void
}

export interface MediaChildOptions {
  script: URL
  memoryMb: number
  /** Where the native file of the audio decoder is; it may have to be fetched. */
  audioDecoder(signal: AbortSignal): Promise<string>
}

const LOOK_MS = 200
const MANIFEST_MS = 10_000

export function openMediaChildProcess({ script, memoryMb, audioDecoder }: MediaChildOptions): MediaChildProcess {
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
  const ask = async <T>(order: MediaChildRequest, signal: AbortSignal): Promise<T> => {
    const worker = start()
    await ready
    if (signal.aborted) throw problemOfAbort(signal)
    const reply = await oneAnswer<T>(worker, order, memoryMb, signal)
    if ('made' in reply) return reply.made
    if ('problem' in reply) throw Problem.revive(reply.problem)
    if ('unfit' in reply) throw new MediaCandidateError(reply.unfit, reply.denied)
    if (order.do !== 'make' || order.audioDecoder) throw new Error('the media reader asks for what it was given')
    return await ask({ ...order, audioDecoder: await locateDecoder(audioDecoder, signal) }, signal)
  }
  return {
    async read(order, signal) {
      const limit = AbortSignal.any([signal, abortAfter(MANIFEST_MS)])
      try {
        return await ask<ReadManifestReply>({ do: 'manifest', ...order }, limit)
      } catch (error) {
        if (signal.aborted || !limit.aborted) throw error
        if (child) killWithDescendants(child)
        throw new MediaCandidateError('its manifest takes too long to read')
      }
    },
    make: (order, signal) => ask<ConvertedMedia>({ do: 'make', ...order }, signal),
    end() {
      if (child) killWithDescendants(child)
    },
  }
}

async function locateDecoder(locate: MediaChildOptions['audioDecoder'], signal: AbortSignal): Promise<string> {
  try {
    return await locate(signal)
  } catch (error) {
    if (signal.aborted) throw problemOfAbort(signal)
    throw new MediaCandidateError(
      `the audio decoder is not available (${(error as Error).message}); set ORB_FFMPEG instead`,
    )
  }
}

function oneAnswer<T>(
  child: ChildProcess,
  order: MediaChildRequest,
  memoryMb: number,
  signal: AbortSignal,
): Promise<MediaChildReply<T>> {
  return new Promise((resolve, reject) => {
    let isTooBig = false
    const stopAndFinish = (finish: () => void) => {
      clearInterval(watch)
      child.off('message', onMessage).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
      finish()
    }
    const onMessage = (reply: MediaChildReply<T>) => stopAndFinish(() => resolve(reply))
    const onExit = () =>
      stopAndFinish(() =>
        reject(new MediaCandidateError(isTooBig ? 'it needs more memory than media may' : 'its reader crashed on it')),
      )
    const onAbort = () => stopAndFinish(() => reject(problemOfAbort(signal)))
    const watch = setInterval(() => {
      void readResidentMb(child.pid).then((megabytes) => {
        if (megabytes <= memoryMb) return
        isTooBig = true
        killWithDescendants(child)
      })
    }, LOOK_MS)
    child.on('message', onMessage).once('exit', onExit)
    signal.addEventListener('abort', onAbort, { once: true })
    child.send(order)
  })
}
