// Change tracking for one scrape: loads the previous snapshot, compares in a worker, and holds the new snapshot until
// the scrape is recorded.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { JsonBytes } from '../base/json-bytes.ts'
import type {
  NewTrackedSnapshot,
  TrackedPageSnapshot,
  TrackedPageSnapshots,
  TrackedSnapshotKey,
} from '../store/tracked-page-snapshots.ts'
import { type ComparedValues, compareJson, listAllAsUnchanged } from '../understanding/changes/compare-json.ts'
import type { ChangeTracker, PageVisibility, TrackedDataOptions } from './change-tracking-types.ts'
import type { ContentWorkerPool } from './workshop/content-worker-pool.ts'

/** Longer texts are not tracked: the comparison would take too long. */
const MAX_TRACKED_TEXT_BYTES = 8 * 1024 * 1024
const GONE = new Set([404, 410])

export type DiffFormat = 'string' | 'object'

interface HistoryParts {
  snapshots: Pick<TrackedPageSnapshots, 'find'>
  workshop: Pick<ContentWorkerPool, 'compare'>
  diffFormat: DiffFormat
}

interface VisitedPage extends Omit<TrackedSnapshotKey, 'tag'> {
  status: number
  seenAt: number
  visibility: PageVisibility
  /** False: nothing of this scrape may be stored, so it creates no snapshot. */
  keep: boolean
}

export function makeChangeTracker(parts: HistoryParts, sighting: VisitedPage): ChangeTracker {
  const { teamId, url, status, seenAt, visibility, keep } = sighting
  let fresh: NewTrackedSnapshot | undefined
  return {
    toKeep: () => fresh,
    async track({ markdown, lines, tag, wantsDiff, data }, signal) {
      const previous = await parts.snapshots.find({ teamId, url, tag })
      const previousScrapeAt = previous ? new Date(previous.takenAt).toISOString() : null
      if (previous && GONE.has(status))
        return { tracked: { previousScrapeAt, changeStatus: 'removed', visibility }, warnings: [] }
      const obstacle = obstacleOf(status, markdown)
      if (obstacle) return makeUntracked(obstacle)
      const pageText = pageTextOf(markdown, lines)
      const diff = wantsDiff ? parts.diffFormat : undefined
      const compared =
        previous &&
        (await parts.workshop.compare({ previous: await unpackBody(previous), current: pageText, diff }, signal))
      const { now, json } = data ? await compareData(previous, data, compared) : {}
      const changed = compared?.changed === true || Object.keys(json ?? {}).length > 0
      // An older cached copy must not replace a newer snapshot.
      if (keep && (previous?.takenAt ?? 0) <= seenAt) {
        const body = await zip(pageText)
        fresh = { teamId, url, tag, takenAt: seenAt, body, data: dataToKeep(previous, data, now) }
      }
      return {
        tracked: {
          previousScrapeAt,
          changeStatus: changed ? 'changed' : compared ? 'same' : 'new',
          visibility,
          ...(compared?.diff ? { diff: new JsonBytes(compared.diff) } : {}),
          // Of an unchanged page all values, so that a caller has them in any case.
          ...(json ? { json: changed ? json : listAllAsUnchanged(now) } : {}),
        },
        warnings: keep ? [] : ['This scrape is not stored, so the next one cannot be compared with it.'],
      }
    },
  }
}

function obstacleOf(status: number, { bytes }: JsonBytes<string>): string | undefined {
  if (status >= 400) return `the site returned status ${status} instead of the page`
  return bytes.byteLength > MAX_TRACKED_TEXT_BYTES ? 'the page is too large to be compared' : undefined
}

/** The values now, and their differences from those before. */
async function compareData(
  previous: TrackedPageSnapshot | undefined,
  data: TrackedDataOptions,
  compared: { changed: boolean } | undefined,
): Promise<{ now: unknown; json?: ComparedValues }> {
  const before = dataIn(previous, data)
  const now = !compared || compared.changed || data.exact ? await data.extract() : before
  return compared ? { now, json: compareJson(before, now) } : { now }
}

const makeUntracked = (because: string) => ({ tracked: null, warnings: [`Changes were not tracked: ${because}.`] })

const zip = promisify<Uint8Array, Buffer>(gzip)
const unzip = promisify(gunzip) as (bytes: Uint8Array, limits: { maxOutputLength: number }) => Promise<Buffer>
const unpackBody = ({ body }: TrackedPageSnapshot): Promise<Buffer> =>
  unzip(body, { maxOutputLength: 2 * MAX_TRACKED_TEXT_BYTES })

/** Builds the JSON of a `TextVersion` without parsing the markdown. */
const pageTextOf = (markdown: JsonBytes<string>, lines: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from('{"text":'), markdown.bytes, Buffer.from(`,"lines":${JSON.stringify(lines)}}`)])

/** Results of different schemas or prompts are not comparable. */
const keyOf = ({ schema, prompt }: TrackedDataOptions): string =>
  createHash('sha256')
    .update(JSON.stringify([schema ?? null, prompt ?? null]))
    .digest('base64url')

const dataToKeep = (
  previous: TrackedPageSnapshot | undefined,
  options: TrackedDataOptions | undefined,
  now: unknown,
): string | null => (options ? JSON.stringify({ key: keyOf(options), value: now ?? null }) : (previous?.data ?? null))

function dataIn(previous: TrackedPageSnapshot | undefined, options: TrackedDataOptions): unknown {
  if (!previous?.data) return undefined
  const { key, value } = JSON.parse(previous.data) as { key: string; value: unknown }
  return key === keyOf(options) ? value : undefined
}
