// The thread in which a large database is looked through: one path in, one verdict out, then it ends.
import { parentPort, workerData } from 'node:worker_threads'
import { lookThrough } from './soundness.ts'

parentPort?.postMessage(lookThrough(workerData as string))
parentPort?.close()
