// Worker thread that runs one sweep or one forget request of SQLite on its own connection.
import { parentPort, workerData } from 'node:worker_threads'
import { asProblem } from '../base/problem.ts'
import { forgetRows } from './forget-rows.ts'
import { type SweepThreadReply, type SweepThreadRequest, sweepSqlite } from './run-sweep.ts'
import { openSecondConnection } from './sqlite.ts'

const order = workerData as SweepThreadRequest
const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())

async function answer(): Promise<SweepThreadReply> {
  try {
    const second = openSecondConnection(order.path)
    try {
      if ('forget' in order) return { done: await forgetRows(second.db, order.forget) }
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
