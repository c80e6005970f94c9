// Worker thread that checks a large database.
import { parentPort, workerData } from 'node:worker_threads'
import { lookThrough } from './soundness.ts'

parentPort?.postMessage(lookThrough(workerData as string))
parentPort?.close()
