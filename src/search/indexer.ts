// Fills the index: takes the outbox, builds in a thread and commits in one transaction, so that a crash loses nothing.

import { type Clock, DAY_MS } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { haveSamePath, pageKeyOf } from '../base/url-key.ts'
import { appendTo } from '../base/values.ts'
import { COMMON_TEAM_ID } from '../store/search-tables.ts'
import type { BuildSegmentsRequest, MergeSegmentsRequest } from './build-segments.ts'
import { hashLinkTarget, linkBucketOf } from './engine/extract-links.ts'
import type { SearchThreads } from './search-threads.ts'
import type { LinkTarget } from './store/incoming-links.ts'
import type {
  CurrentPageVersions,
  OutboxPage,
  PageNumberRow,
  SearchIndexStore,
  SegmentRow,
} from './store/search-segments-and-outbox.ts'

interface IndexerParts {
  store: SearchIndexStore
  threads: SearchThreads
  clock: Clock
  log: Log
  /** `always`: index all teams; `auto`: teams that searched recently. */
  mode: 'auto' | 'always'
  /** Hosts whose pages every team may find; `*`: all. */
  commonHosts: readonly string[]
}

export interface IndexLag {
  indexed: number
  waiting: number
  secondsLeft: number
}

export interface Indexer {
  /** Indexes a team's pending pages, or the newest when there are many; undefined: nothing is pending. */
  catchUp(teamId: string, signal: AbortSignal): Promise<IndexLag | undefined>
  settled(): Promise<void>
  /** Runs work while this process indexes and merges nothing. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

const BATCH_PAGES = 200
/** A search waits for its first batch without limit, so it is small. */
const FIRST_BATCH_PAGES = 50
const BATCH_BYTES = 16 * 1024 * 1024
/** Maximum wait of a search for pending pages. */
const MAX_CATCH_UP_MS = 1000
/** A search triggers indexing itself, so pages may wait to share a segment. */
const CHECK_EVERY_MS = 15_000
/** Teams without a search for this long are not indexed. */
const SEARCHING_TEAM_MS = 30 * DAY_MS
/** Number of similar-sized segments that triggers a merge. */
const SEGMENTS_PER_MERGE = 8

export function startIndexer(parts: IndexerParts): Indexer {
  const { store, log, clock, commonHosts } = parts
  // Common pages are found by other teams than the one that fetched them.
  const isForAll = parts.mode === 'always' || commonHosts.length > 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let isStopped = false
  let msPerPage = 1
  let isMeasured = false

  /** Serialised: two batches with the same page would overwrite each other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work, work)
    turn = next.catch(() => undefined)
    return next
  }
  async function batch(teamId: string | undefined, limit: number, after?: number): Promise<OutboxPage[]> {
    const waiting = isStopped ? [] : await store.waiting({ teamId, after, limit, maxBytes: BATCH_BYTES })
    if (waiting.length === 0) return []
    const began = performance.now()
    await indexBatch(parts, waiting)
    msPerPage += ((performance.now() - began) / waiting.length - msPerPage) / (isMeasured ? 4 : 1)
    isMeasured = true
    return waiting
  }
  async function step(): Promise<boolean> {
    const teamId = isForAll ? undefined : await store.teamWaiting(clock.now() - SEARCHING_TEAM_MS)
    if (!isForAll && teamId === undefined) return false
    const done = await inTurn(() => batch(teamId, BATCH_PAGES))
    for (const team of teamsOf(done, commonHosts)) if (!isStopped) await inTurn(() => mergeSome(parts, team))
    return done.length > 0
  }
  async function work(): Promise<void> {
    while (!isStopped && (await step()));
  }
  function run(): Promise<void> {
    running ??= work()
      .catch((error: unknown) => {
        if (!isStopped) log.warn({ err: error }, 'pages could not be put into the search index; it will be tried again')
      })
      .finally(() => {
        running = undefined
        if (!isStopped) plan(CHECK_EVERY_MS)
      })
    return running
  }
  function plan(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), ms)
    timer.unref()
  }
  plan(CHECK_EVERY_MS)
  return {
    async catchUp(teamId, signal) {
      await store.searched(teamId)
      const all = await store.countWaiting(teamId)
      if (all === 0) return undefined
      const ends = performance.now() + MAX_CATCH_UP_MS
      const most = Math.max(BATCH_PAGES, Math.floor(MAX_CATCH_UP_MS / msPerPage))
      const after = all > most ? await store.newestAfter(teamId, most) : 0
      for (let done = 0; done < most && !signal.aborted; ) {
        // A batch cannot be interrupted, so it is no larger than the time left allows.
        const fitting = Math.floor((ends - performance.now()) / msPerPage)
        const limit = Math.min(done === 0 ? FIRST_BATCH_PAGES : fitting, BATCH_PAGES, most - done)
        if (limit < 1) break
        const { length } = await inTurn(() => batch(teamId, limit, after))
        if (length === 0) break
        done += length
      }
      const waiting = await store.countWaiting(teamId)
      if (waiting === 0) return undefined
      if (!running) plan(0)
      return { waiting, indexed: await store.countPages(teamId), secondsLeft: Math.ceil((waiting * msPerPage) / 1000) }
    },
    async settled() {
      await run()
      while (!isStopped && (await step()));
    },
    inTurn,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
      await turn
    },
  }
}

const teamOf = ({ teamId, url, kind }: OutboxPage, commonHosts: readonly string[]): string =>
  kind !== 'private' && isCommon(url, commonHosts) ? COMMON_TEAM_ID : teamId

const teamsOf = (waiting: readonly OutboxPage[], commonHosts: readonly string[]): Set<string> =>
  new Set(waiting.map((page) => teamOf(page, commonHosts)))

function isCommon(url: string, hosts: readonly string[]): boolean {
  if (hosts.length === 0 || !URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hosts.some((host) => host === '*' || hostname === host || hostname.endsWith(`.${host}`))
}

type KeyedPage = OutboxPage & { urlKey: string }

async function indexBatch(
  { store, threads, clock, commonHosts }: IndexerParts,
  waiting: readonly OutboxPage[],
): Promise<void> {
  const byPage = new Map<string, KeyedPage[]>()
  for (const page of waiting) {
    const keyed = { ...page, teamId: teamOf(page, commonHosts), urlKey: pageKeyOf(page.url) }
    const name = `${keyed.teamId} ${keyed.urlKey}`
    const rows = byPage.get(name) ?? []
    const last = rows.at(-1)
    // A page stays when only another spelling of its address is gone.
    if (page.kind === 'gone' && last && last.kind !== 'gone' && !haveSamePath(last.url, page.url)) continue
    byPage.set(name, [...rows, keyed])
  }
  const all = [...byPage.values()]
  const newest = all.map((rows) => rows.at(-1)!)
  const present = newest.filter(({ kind, body }) => kind !== 'gone' && body !== undefined)
  const known = new Map((await store.numbers(present)).map((row, at) => [present[at]!, row]))
  const fresh = present
    .map((page) => ({ ...page, row: known.get(page)! }))
    .filter(({ row, at }) => row.version === 0 || row.seenAt < at)
  const linked = await store.linksTo(fresh.map(({ teamId, urlKey }) => placeOf(teamId, hashLinkTarget(urlKey))))
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
  const earlier = all.flatMap((rows) => earlierOf(rows, known.get(rows.at(-1)!)))
  const built =
    documents.length + earlier.length > 0
      ? await threads.build({ documents, earlier, now: clock.now() })
      : { rows: [], segments: [], versions: [], links: '[]' }
  await store.commit({
    done: waiting,
    rows: built.rows,
    segments: built.segments,
    versions: built.versions,
    links: built.links,
    gone: all
      .filter((rows) => rows.at(-1)!.kind === 'gone')
      .flatMap((rows) => rows.filter(({ kind }) => kind === 'gone'))
      .map(({ teamId, urlKey, url, id }) => ({ teamId, urlKey, url, version: id })),
  })
}

/** Fetches replaced by a newer text: stored as versions, not searchable. */
function earlierOf(rows: readonly KeyedPage[], known: PageNumberRow | undefined): BuildSegmentsRequest['earlier'] {
  const newest = rows.at(-1)!
  const isReplaced = known !== undefined && known.version > 0 && newest.at < known.seenAt
  return (isReplaced ? rows : rows.slice(0, -1)).flatMap(({ teamId, urlKey, url, at, kind, body, documentId }) => {
    const isSame = documentId === newest.documentId && !isReplaced
    return kind === 'gone' || !body || isSame ? [] : [{ teamId, urlKey, url, seenAt: at, body }]
  })
}

const placeOf = (teamId: string, target: number): LinkTarget => ({ teamId, target, bucket: linkBucketOf(target) })

/** Few large segments are faster to search, and merging drops outdated pages. */
async function mergeSome({ store, threads }: IndexerParts, teamId: string): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const segments = await store.segments([teamId])
    // Counting reads all rows of the team, so only after a merge.
    const chosen = toMerge(segments, isFirst ? Number.POSITIVE_INFINITY : await store.countPages(teamId))
    if (chosen.length === 0) return
    const bytes = await Promise.all(chosen.map(({ id }) => store.segmentBytes(id)))
    if (bytes.some((part) => part === undefined)) return
    const numbers = new Set<number>()
    for (const part of bytes) for (const number of readSegmentPageNumbers(part!)) numbers.add(number)
    const current = await store.current([...numbers])
    const merged = await threads.merge(
      makeMergeRequest(
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

export const makeMergeRequest = (
  segments: readonly Uint8Array[],
  { versions, linked }: CurrentPageVersions,
): MergeSegmentsRequest => ({
  segments,
  numbers: Float64Array.from(versions.keys()),
  versions: Float64Array.from(versions.values()),
  linked: Float64Array.from(linked),
})

/** The smallest size class with enough segments; all when more than half of their pages are outdated. */
function toMerge(segments: readonly SegmentRow[], pages: number): readonly SegmentRow[] {
  const held = segments.reduce((sum, segment) => sum + segment.pages, 0)
  if (segments.length > 1 && held > 2 * pages + 1000) return segments
  const sizes = new Map<number, SegmentRow[]>()
  for (const segment of segments) {
    const size = Math.floor(Math.log(Math.max(1, segment.pages / 50)) / Math.log(SEGMENTS_PER_MERGE))
    appendTo(sizes, size, segment)
  }
  const full = [...sizes].sort(([a], [b]) => a - b).find(([, group]) => group.length >= SEGMENTS_PER_MERGE)
  return full?.[1] ?? []
}

export function readSegmentPageNumbers(bytes: Uint8Array): Uint32Array {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const { sections } = JSON.parse(Buffer.from(bytes.subarray(4, 4 + length)).toString()) as {
    sections: { numbers: [number, number] }
  }
  const start = ((4 + length + 3) & ~3) + sections.numbers[0]
  const part = bytes.slice(start, start + sections.numbers[1])
  return new Uint32Array(part.buffer, 0, part.byteLength / 4)
}
