// Limits that several processes share. A single process on SQLite counts in memory (teams/rate-limits.ts,
// teams/concurrency-slots.ts).
import { sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import type { Db, Dialect } from '../../store/tables.ts'

/** First number of PostgreSQL's advisory lock pair; the second is the team's hash. */
const SLOT_LOCK = 7_026

export type SharedLimits = ReturnType<typeof openSharedLimits>

export function openSharedLimits(db: Db, dialect: Dialect, clock: Clock) {
  const live = (on: Db, teamId: string) =>
    on
      .selectFrom('slots')
      .select((from) => from.fn.countAll<number>().as('taken'))
      .where('team_id', '=', teamId)
      .where('lease_until', '>', clock.now())
      .executeTakeFirstOrThrow()
  return {
    /** Undefined when the window is used up, else the count. */
    async count({
      teamId,
      bucket,
      windowStart,
      limit,
    }: {
      teamId: string
      bucket: string
      windowStart: number
      limit: number
    }) {
      // One statement: the row lock serialises the count across processes.
      const row = await db
        .insertInto('rate_windows')
        .values({ team_id: teamId, bucket, window_start: windowStart, used: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['team_id', 'bucket'])
            .doUpdateSet({
              // A process whose clock is behind counts in the newer window and does not restore the old one.
              window_start: sql`case when rate_windows.window_start < ${windowStart} then ${windowStart} else rate_windows.window_start end`,
              used: sql`case when rate_windows.window_start < ${windowStart} then 1 else rate_windows.used + 1 end`,
            })
            .where(sql<boolean>`rate_windows.window_start < ${windowStart} or rate_windows.used < ${limit}`),
        )
        .returning('used')
        .executeTakeFirst()
      return row?.used
    },
    async counted(teamId: string, windowStart: number) {
      const rows = await db
        .selectFrom('rate_windows')
        .select(['bucket', 'used'])
        .where('team_id', '=', teamId)
        .where('window_start', '=', windowStart)
        .execute()
      return Object.fromEntries(rows.map(({ bucket, used }) => [bucket, used]))
    },
    takeSlot: ({ id, teamId, slots, leaseUntil }: { id: string; teamId: string; slots: number; leaseUntil: number }) =>
      db.transaction().execute(async (tx) => {
        // Otherwise two transactions could both find the last slot free.
        if (dialect === 'postgres')
          await sql`select pg_advisory_xact_lock(${sql.lit(SLOT_LOCK)}, hashtext(${teamId}))`.execute(tx)
        if ((await live(tx, teamId)).taken >= slots) return false
        await tx.deleteFrom('slots').where('team_id', '=', teamId).where('lease_until', '<=', clock.now()).execute()
        await tx.insertInto('slots').values({ id, team_id: teamId, lease_until: leaseUntil }).execute()
        return true
      }),
    async extendSlots(ids: readonly string[], leaseUntil: number) {
      if (ids.length === 0) return
      await db.updateTable('slots').set({ lease_until: leaseUntil }).where('id', 'in', ids).execute()
    },
    async freeSlot(id: string) {
      await db.deleteFrom('slots').where('id', '=', id).execute()
    },
    slotsTaken: async (teamId: string) => (await live(db, teamId)).taken,
  }
}
