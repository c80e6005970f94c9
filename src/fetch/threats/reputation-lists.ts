// The operator's reputation lists, from files or URLs, reloaded in a worker thread.

import { createHash, randomInt } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { abortAfter } from '../../base/abort-after.ts'
import type { Log } from '../../base/log.ts'
import { Problem } from '../../base/problem.ts'
import { type Egress, openEgress } from '../egress.ts'
import { emptyPackedNames, type NameSet, openNameSet } from './compact-name-set.ts'
import { reputationListKeyOf } from './parse-reputation-list.ts'
import type { ReadListsReply } from './reputation-list-worker.ts'

export interface ReputationLists {
  match(url: URL): string | undefined
  ready(): boolean
  size(): number
  refresh(): Promise<void>
  close(): Promise<void>
}

interface ListOptions {
  sources: readonly string[]
  dir: string
  refreshMs: number
  dnsServers: readonly string[]
  log: Log
  script: URL
}

const MAX_LIST_BYTES = 512 * 1024 * 1024
const FETCH_MS = 120_000
/** Without a limit, garbage from parsing would use more memory than the lists. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 }

export function openReputationLists(options: ListOptions): ReputationLists {
  const { sources, dir, log } = options
  const key = randomInt(0x7fffffff)
  let set: NameSet = openNameSet(emptyPackedNames(), key)
  let isReady = sources.length === 0
  let stamp = ''
  let egress: Egress | undefined
  const listEgress = (): Egress => {
    egress ??= openEgress({
      allowPrivate: sources.filter(isWeb).map((address) => new URL(address).host),
      dnsServers: options.dnsServers,
      log,
    })
    return egress
  }
  let running: Promise<void> | undefined
  const pathOf = (source: string) =>
    isWeb(source) ? join(dir, `${createHash('sha256').update(source).digest('hex').slice(0, 24)}.list`) : source

  async function refreshAll(): Promise<void> {
    for (const source of sources.filter(isWeb))
      await fetchCopy(listEgress(), source, pathOf(source)).catch((error: Error) =>
        log.warn({ list: source, because: error.message }, 'a list could not be fetched; its last copy is used'),
      )
    const files = sources.map(pathOf)
    const stamps = await Promise.all(
      files.map((file) =>
        stat(file).then(
          ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
          () => 'none',
        ),
      ),
    )
    if (stamps.join() === stamp) return
    const { names, counts } = await inThread(options.script, { files, key })
    counts.forEach((count, at) => {
      if (count < 0) log.warn({ list: sources[at] }, 'a reputation list could not be read')
    })
    // If a list disappears, keep the previous set.
    if (counts.some((count) => count < 0) && set.size > names.count) return
    stamp = stamps.join()
    set = openNameSet(names, key)
    isReady = counts.every((count) => count >= 0)
    log.info({ entries: set.size }, 'reputation lists were read')
  }

  const refresh = () => {
    running ??= refreshAll().finally(() => {
      running = undefined
    })
    return running
  }
  const report = (error: Error) => log.error({ because: error.message }, 'reputation lists could not be read')
  const timer = sources.length > 0 ? setInterval(() => void refresh().catch(report), options.refreshMs) : undefined
  timer?.unref()
  if (sources.length > 0) void refresh().catch(report)
  return {
    match(url) {
      if (set.size === 0) return undefined
      const page = reputationListKeyOf(url)
      if (set.has(page)) return page
      const labels = url.hostname.split('.')
      for (let at = 0; at < Math.min(labels.length, 10); at++) {
        const name = labels.slice(at).join('.')
        if (set.has(`.${name}`)) return name
      }
      return undefined
    },
    ready: () => isReady,
    size: () => set.size,
    refresh,
    async close() {
      clearInterval(timer)
      await running?.catch(() => undefined)
      await egress?.close()
    },
  }
}

const isWeb = (source: string) => /^https?:\/\//.test(source)

/** A complete copy replaces the previous one atomically. */
async function fetchCopy(egress: Egress, source: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.partial`
  const file = await open(partial, 'w', 0o600)
  let bytes = 0
  try {
    const answer = await egress.fetch(
      {
        url: source,
        headers: { 'accept-encoding': 'identity', 'user-agent': 'orbweaver' },
        skipTlsVerification: false,
        proxy: 'basic',
        maxBytes: MAX_LIST_BYTES,
        into: async (chunk) => {
          bytes += chunk.byteLength
          await file.appendFile(chunk)
        },
      },
      abortAfter(FETCH_MS),
    )
    if (answer.status !== 200 || answer.truncated || bytes === 0)
      throw new Problem('unavailable', {
        because: `${new URL(source).host} returned ${answer.status} with ${bytes} bytes`,
      })
    await rename(partial, path)
  } finally {
    await file.close()
    await rm(partial, { force: true })
  }
}

function inThread(script: URL, order: { files: string[]; key: number }): Promise<ReadListsReply> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: order, resourceLimits: THREAD_LIMITS })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the reader of lists ended early')))
  })
}
