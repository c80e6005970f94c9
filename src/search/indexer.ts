// Fills the index behind the requests: takes what waits in the outbox, has it built in a thread and makes it true in one
// transaction. Whoever dies in between has done nothing; the outbox still has it.
import type { Log } from '../base/log.ts'
import type { Clock } from '../base/time.ts'
import { pageKey } from '../base/url-key.ts'
import type { CurrentPages, SearchIndexStore, SegmentRow, Waiting } from '../store/search-index.ts'
import type { LinkTarget } from '../store/search-links.ts'
import { COMMON } from '../store/search-tables.ts'
import type { MergeRequest } from './build.ts'
import { bucketOf, targetOf } from './engine/links.ts'
import type { PageSink } from './finder.ts'
import { dailyPrune } from './prune.ts'
import type { SearchThreads } from './threads.ts'

export interface IndexerParts {
  store: SearchIndexStore
  threads: SearchThreads
  clock: Clock
  log: Log
  /** Hosts whose pages every team may find; `*`: all. */
  commonHosts: readonly string[]
  /** Another engine that pages go to instead of our own segments. */
  sink?: PageSink | undefined
}

export interface Indexer {
  /** Something may wait: looks soon. */
  wake(): void
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const BATCH_PAGES = 200
const BATCH_BYTES = 16 * 1024 * 1024
/** Pages that come one after the other within this time share a segment. */
const GATHER_MS = 250
/** Without being woken: another process may have written. */
const LOOK_EVERY_MS = 1_000
/** Segments of about one size that become one. */
const MERGE_AT = 8

export function startIndexer(parts: IndexerParts): Indexer {
  const { store, log, sink } = parts
  const prune = sink && dailyPrune(store, sink, parts)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStopped = false

  async function work(): Promise<void> {
    for (;;) {
      const waiting = isStopped ? [] : await store.waiting(BATCH_PAGES, BATCH_BYTES)
      if (waiting.length === 0) return isStopped ? undefined : prune?.()
      await indexBatch(parts, waiting)
      for (const teamId of teamsOf(waiting, parts.commonHosts)) if (!isStopped) await mergeSome(parts, teamId)
    }
  }
  function run(): Promise<void> {
    running ??= work()
      .catch((error: unknown) => {
        if (!isStopped) log.warn({ err: error }, 'pages could not be put into the search index; it will be tried again')
      })
      .finally(() => {
        running = undefined
        if (!isStopped) plan(LOOK_EVERY_MS)
      })
    return running
  }
  function plan(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), ms)
    timer.unref()
  }
  plan(GATHER_MS)
  return {
    wake() {
      if (!running && !isStopped) plan(GATHER_MS)
    },
    async settled() {
      while ((await store.waiting(1, 1)).length > 0) await run()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}

const teamOf = ({ teamId, url, kind }: Waiting, commonHosts: readonly string[]): string =>
  kind !== 'private' && isCommon(url, commonHosts) ? COMMON : teamId

const teamsOf = (waiting: readonly Waiting[], commonHosts: readonly string[]): Set<string> =>
  new Set(waiting.map((page) => teamOf(page, commonHosts)))

function isCommon(url: string, hosts: readonly string[]): boolean {
  if (hosts.length === 0 || !URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hosts.some((host) => host === '*' || hostname === host || hostname.endsWith(`.${host}`))
}

async function indexBatch(
  { store, threads, clock, commonHosts, sink }: IndexerParts,
  waiting: readonly Waiting[],
): Promise<void> {
  // The last word on a page is the one that counts.
  const last = new Map<string, Waiting & { urlKey: string }>()
  for (const page of waiting) {
    const urlKey = pageKey(page.url)
    const teamId = teamOf(page, commonHosts)
    last.set(`${teamId} ${urlKey}`, { ...page, teamId, urlKey })
  }
  const pages = [...last.values()]
  const present = pages.filter(({ kind, body }) => kind !== 'gone' && body !== undefined)
  const rows = await store.numbers(present)
  const fresh = present
    .map((page, at) => ({ ...page, row: rows[at]! }))
    .filter(({ row, at }) => row.version === 0 || row.seenAt < at)
  const linked = await store.linksTo(fresh.map(({ teamId, urlKey }) => placeOf(teamId, targetOf(urlKey))))
  const documents = fresh.map(({ teamId, id, url, urlKey, at, body, row }, n) => ({
    teamId,
    number: row.number,
    version: id,
    url,
    urlKey,
    seenAt: at,
    body: body!,
    linked: linked[n]!,
  }))
  const built =
    documents.length > 0
      ? await threads.build({ documents, now: clock.now(), isForOther: sink !== undefined })
      : { rows: [], segments: [], filed: [], links: '[]' }
  // Before it counts as put in: whoever dies in between does it again, and the engine has the same pages then.
  await sink?.put(built.filed)
  const isDone = await store.commit({
    done: waiting,
    rows: built.rows,
    segments: built.segments,
    links: built.links,
    gone: pages
      .filter(({ kind }) => kind === 'gone')
      .map(({ teamId, urlKey, id }) => ({ teamId, urlKey, version: id })),
  })
  if (isDone || !sink) return
  // Somebody else did it, or it was forgotten while it was on its way.
  const { versions } = await store.current(built.filed.map(({ number }) => number))
  await sink.drop(built.filed.filter(({ number }) => !versions.has(number)))
}

const placeOf = (teamId: string, target: number): LinkTarget => ({ teamId, target, bucket: bucketOf(target) })

/** Few large segments are searched faster than many small ones, and merging leaves out what is not there any more. */
async function mergeSome({ store, threads }: IndexerParts, teamId: string): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const segments = await store.segments([teamId])
    // Counting looks at every row of the team: only after a merge, which is seldom.
    const chosen = toMerge(segments, isFirst ? Number.POSITIVE_INFINITY : await store.countPages(teamId))
    if (chosen.length === 0) return
    const bytes = await Promise.all(chosen.map(({ id }) => store.segmentBytes(id)))
    if (bytes.some((part) => part === undefined)) return
    const numbers = new Set<number>()
    for (const part of bytes) for (const number of numbersIn(part!)) numbers.add(number)
    const current = await store.current([...numbers])
    const merged = await threads.merge(
      mergeOf(
        bytes.map((part) => part!),
        current,
      ),
    )
    if (
      !(await store.replace(
        chosen.map(({ id }) => id),
        { teamId, ...merged },
      ))
    )
      return
  }
}

export const mergeOf = (segments: readonly Uint8Array[], { versions, linked }: CurrentPages): MergeRequest => ({
  segments,
  numbers: Float64Array.from(versions.keys()),
  versions: Float64Array.from(versions.values()),
  linked: Float64Array.from(linked),
})

/** The smallest size of which there are enough; all, when more than half of what they hold is old. */
export function toMerge(segments: readonly SegmentRow[], pages: number): readonly SegmentRow[] {
  const held = segments.reduce((sum, segment) => sum + segment.pages, 0)
  if (segments.length > 1 && held > 2 * pages + 1000) return segments
  const sizes = new Map<number, SegmentRow[]>()
  for (const segment of segments) {
    const size = Math.floor(Math.log(Math.max(1, segment.pages / 50)) / Math.log(MERGE_AT))
    sizes.set(size, [...(sizes.get(size) ?? []), segment])
  }
  const full = [...sizes].sort(([a], [b]) => a - b).find(([, group]) => group.length >= MERGE_AT)
  return full?.[1] ?? []
}

/** The numbers of a segment's pages, without opening it. */
export function numbersIn(bytes: Uint8Array): Uint32Array {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const { sections } = JSON.parse(Buffer.from(bytes.subarray(4, 4 + length)).toString()) as {
    sections: { numbers: [number, number] }
  }
  const start = ((4 + length + 3) & ~3) + sections.numbers[0]
  const part = bytes.slice(start, start + sections.numbers[1])
  return new Uint32Array(part.buffer, 0, part.byteLength / 4)
}
