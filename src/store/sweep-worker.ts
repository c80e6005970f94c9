// Worker thread that runs one sweep of SQLite on its own connection.
import { parentPort, workerData } from 'node:worker_threads'
import { openSecond } from './sqlite.ts'
import { sweepSqlite, type ThreadAnswer, type ThreadOrder } from './sweep-runs.ts'

const order = workerData as ThreadOrder
const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())

async function answer(): Promise<ThreadAnswer> {
  try {
    const second = openSecond(order.path)
    try {
      return { report: await sweepSqlite(second, order, stopping.signal) }
    } finally {
      second.connection.close()
    }
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.postMessage(await answer())
parentPort?.close()
