// Reads reputation lists from files into one sorted set, in a thread of its own: millions of lines take seconds, and the
// service must not notice.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parentPort, workerData } from 'node:worker_threads'
import { nameSetBuilder } from './host-set.ts'
import { listed } from './list-lines.ts'

export interface ListOrder {
  files: string[]
  key: number
}

export interface ListReply {
  sorted: Float64Array
  /** Entries of each file, in order; -1 for one that could not be read. */
  counts: number[]
}

const MAX_LINE = 4096

export async function readLists({ files, key }: ListOrder): Promise<ListReply> {
  const builder = nameSetBuilder(key)
  const counts: number[] = []
  for (const file of files) {
    const before = builder.count()
    try {
      const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
      for await (const line of lines) {
        const found = line.length > MAX_LINE ? undefined : listed(line)
        if (found) builder.add('name' in found ? `.${found.name}` : found.address)
      }
      counts.push(builder.count() - before)
    } catch {
      counts.push(-1)
    }
  }
  return { sorted: builder.finish(), counts }
}

if (parentPort) {
  const reply = await readLists(workerData as ListOrder)
  parentPort.postMessage(reply, [reply.sorted.buffer as ArrayBuffer])
}
