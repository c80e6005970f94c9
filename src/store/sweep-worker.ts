// The thread in which a sweep of SQLite runs: one order in, one report out, then it ends.
import { parentPort, workerData } from 'node:worker_threads'
import { sweepHere, type ThreadAnswer, type ThreadOrder } from './sweep-runs.ts'

const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())

const answer: ThreadAnswer = await sweepHere(workerData as ThreadOrder, stopping.signal).then(
  (report) => ({ report }),
  (error: unknown) => ({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
)
parentPort?.postMessage(answer)
parentPort?.close()
