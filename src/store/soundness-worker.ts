// Worker thread that checks a large database.
import { parentPort, workerData } from 'node:worker_threads'
import { checkSoundness } from './soundness.ts'

parentPort?.postMessage(checkSoundness(workerData as string))
parentPort?.close()
