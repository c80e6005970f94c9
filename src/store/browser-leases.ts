// Leases of browser contexts. Rows of a process that died are removed when they expire.
import type { Clock } from '../base/clock.ts'
import type { Db } from './tables.ts'

export type BrowserLeases = ReturnType<typeof openBrowserLeases>

export function openBrowserLeases(db: Db, clock: Clock) {
  return {
    async take({ id, process, owner, ttlMs }: { id: string; process: string; owner: string; ttlMs: number }) {
      const since = clock.now()
      await db
        .insertInto('browser_leases')
        .values({ id, process, owner, since, until: since + ttlMs })
        .execute()
    },
    async find(id: string) {
      const row = await db.selectFrom('browser_leases').selectAll().where('id', '=', id).executeTakeFirst()
      return row && { ...row, since: Number(row.since), until: Number(row.until) }
    },
    async prolong(id: string, ttlMs: number) {
      const now = clock.now()
      const { numUpdatedRows } = await db
        .updateTable('browser_leases')
        .set({ until: now + ttlMs })
        .where('id', '=', id)
        .where('until', '>', now)
        .executeTakeFirst()
      return Number(numUpdatedRows) === 1
    },
    async end(id: string) {
      await db.deleteFrom('browser_leases').where('id', '=', id).execute()
    },
    async endOf(process: string) {
      await db.deleteFrom('browser_leases').where('process', '=', process).execute()
    },
    /** Each expired lease is returned to one caller only. */
    async endExpired() {
      const rows = await db.deleteFrom('browser_leases').where('until', '<=', clock.now()).returningAll().execute()
      return rows.map((row) => ({ ...row, since: Number(row.since), until: Number(row.until) }))
    },
  }
}
