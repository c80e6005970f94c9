// Worker thread that checks a large database.
import { parentPort, workerData } from 'node:worker_threads'
import { checkSqliteIntegrity } from './check-sqlite-integrity.ts'

parentPort?.postMessage(checkSqliteIntegrity(workerData as string))
parentPort?.close()
