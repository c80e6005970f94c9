// Worker thread that runs one sweep or one forget request of SQLite on its own connection.
import { parentPort, workerData } from 'node:worker_threads'
import { asProblem } from '../base/problem.ts'
import { forget } from './forget.ts'
import { openSecond } from './sqlite.ts'
import { sweepSqlite, type ThreadAnswer, type ThreadOrder } from './sweep-runs.ts'

const order = workerData as ThreadOrder
const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())

async function answer(): Promise<ThreadAnswer> {
  try {
    const second = openSecond(order.path)
    try {
      if ('forget' in order) return { done: await forget(second.db, order.forget) }
      return { done: await sweepSqlite(second, order.sweep, stopping.signal) }
    } finally {
      second.connection.close()
    }
  } catch (error) {
    const problem = asProblem(error)
    if (problem.kind !== 'internal') return { problem: problem.toJSON() }
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.postMessage(await answer())
parentPort?.close()
