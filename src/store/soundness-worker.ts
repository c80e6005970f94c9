// Worker thread that checks a large database: takes one path, posts one verdict, then ends.
import { parentPort, workerData } from 'node:worker_threads'
import { lookThrough } from './soundness.ts'

parentPort?.postMessage(lookThrough(workerData as string))
parentPort?.close()
