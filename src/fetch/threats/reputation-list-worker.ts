// Reads reputation lists in a worker thread: millions of lines take seconds.
import { createReadStream } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { makeNameSetBuilder, type PackedNames } from './compact-name-set.ts'
import { parseReputationListLine } from './parse-reputation-list.ts'

export interface ReadListsRequest {
  files: string[]
  key: number
}

export interface ReadListsReply {
  names: PackedNames
  counts: number[]
}

const MAX_LINE = 4096

export async function readReputationLists({ files, key }: ReadListsRequest): Promise<ReadListsReply> {
  const builder = makeNameSetBuilder(key)
  const counts: number[] = []
  for (const file of files) counts.push(await namesIn(file, builder.count).catch(() => -1))
  for (const [at, file] of files.entries()) if (counts[at]! >= 0) await namesIn(file, builder.place)
  return { names: builder.finish(), counts }
}

async function namesIn(file: string, take: (name: string) => void): Promise<number> {
  let count = 0
  let rest = ''
  const line = (text: string) => {
    const found = text.length > MAX_LINE ? undefined : parseReputationListLine(text)
    if (!found) return
    take('name' in found ? `.${found.name}` : found.address)
    count++
  }
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    // Of an overlong line keep only enough to detect its length.
    if (rest.length > MAX_LINE) rest = rest.slice(0, MAX_LINE + 1)
    for (const one of lines) line(one)
  }
  line(rest)
  return count
}

if (parentPort) {
  const reply = await readReputationLists(workerData as ReadListsRequest)
  parentPort.postMessage(reply, [reply.names.starts.buffer, reply.names.rests.buffer])
}
