// The last seen state of a tracked page, per team, exact address and branch (the caller's tag).
import { sql } from 'kysely'
import { type Clock, DAY_MS } from '../base/clock.ts'
import { newId } from './id.ts'
import { deleteOldestRows } from './sweep-batches.ts'
import { type Db, type Tx, toBuffer } from './tables.ts'

/** A page not checked for this long starts anew. */
export const TRACKED_SNAPSHOT_LIFE_MS = 365 * DAY_MS

export interface TrackedSnapshotKey {
  teamId: string
  url: string
  /** Null is a separate branch. */
  tag: string | null
}

export interface TrackedPageSnapshot {
  takenAt: number
  body: Uint8Array
  data: string | null
}

export interface NewTrackedSnapshot extends TrackedSnapshotKey, TrackedPageSnapshot {}

export type TrackedPageSnapshots = ReturnType<typeof openTrackedPageSnapshots>

export function openTrackedPageSnapshots(db: Db, clock: Clock) {
  return {
    async find({ teamId, url, tag }: TrackedSnapshotKey) {
      const row = await db
        .selectFrom('snapshots')
        .select(['taken_at', 'body', 'data'])
        .where('team_id', '=', teamId)
        .where('branch', '=', branchOf(tag))
        .where('url', '=', url)
        .where('taken_at', '>', clock.now() - TRACKED_SNAPSHOT_LIFE_MS)
        .executeTakeFirst()
      return row && { takenAt: Number(row.taken_at), body: toBuffer(row.body), data: row.data }
    },
    async keep(tx: Tx, { teamId, url, tag, takenAt, body, data }: NewTrackedSnapshot) {
      const fresh = { taken_at: takenAt, bytes: body.byteLength + (data?.length ?? 0), body, data }
      await tx
        .insertInto('snapshots')
        .values({ id: newId(takenAt), team_id: teamId, url, branch: branchOf(tag), ...fresh })
        .onConflict((conflict) =>
          conflict.columns(['team_id', 'branch', 'url']).doUpdateSet(fresh).where('snapshots.taken_at', '<=', takenAt),
        )
        .execute()
    },
    async knownUrls(teamId: string, tag: string | null, origins: readonly string[], limit: number) {
      const urls: string[] = []
      for (const origin of origins) {
        if (urls.length >= limit) break
        const rows = await db
          .selectFrom('snapshots')
          .select('url')
          .where('team_id', '=', teamId)
          .where('branch', '=', branchOf(tag))
          .where(sql<boolean>`substr(url, 1, ${origin.length + 1}) = ${`${origin}/`}`)
          .where('taken_at', '>', clock.now() - TRACKED_SNAPSHOT_LIFE_MS)
          .orderBy('url')
          .limit(limit - urls.length)
          .execute()
        urls.push(...rows.map(({ url }) => url))
      }
      return urls
    },
  }
}

/** Null and the empty tag differ. */
const branchOf = (tag: string | null): string => (tag === null ? '' : `=${tag}`)

export const deleteOldTrackedSnapshots = (db: Db, now: number, maxBytes: number): Promise<number> =>
  deleteOldestRows(db, { table: 'snapshots', time: 'taken_at', before: now - TRACKED_SNAPSHOT_LIFE_MS, maxBytes })
