// Leases of browser contexts. Rows of a process that died are removed when they expire.
import type { Selectable } from 'kysely'
import type { Clock } from '../base/clock.ts'
import type { Db, Tables } from './tables.ts'

type BrowserLease = Selectable<Tables['browser_leases']>

export interface BrowserLeases {
  take(lease: { id: string; process: string; owner: string; ttlMs: number }): Promise<void>
  find(id: string): Promise<BrowserLease | undefined>
  prolong(id: string, ttlMs: number): Promise<boolean>
  end(id: string): Promise<void>
  endOf(process: string): Promise<void>
  /** Each expired lease is returned to one caller only. */
  endExpired(): Promise<BrowserLease[]>
}

export function openBrowserLeases(db: Db, clock: Clock): BrowserLeases {
  return {
    async take({ id, process, owner, ttlMs }) {
      const since = clock.now()
      await db
        .insertInto('browser_leases')
        .values({ id, process, owner, since, until: since + ttlMs })
        .execute()
    },
    async find(id) {
      const row = await db.selectFrom('browser_leases').selectAll().where('id', '=', id).executeTakeFirst()
      return row && { ...row, since: Number(row.since), until: Number(row.until) }
    },
    async prolong(id, ttlMs) {
      const now = clock.now()
      const { numUpdatedRows } = await db
        .updateTable('browser_leases')
        .set({ until: now + ttlMs })
        .where('id', '=', id)
        .where('until', '>', now)
        .executeTakeFirst()
      return Number(numUpdatedRows) === 1
    },
    async end(id) {
      await db.deleteFrom('browser_leases').where('id', '=', id).execute()
    },
    async endOf(process) {
      await db.deleteFrom('browser_leases').where('process', '=', process).execute()
    },
    async endExpired() {
      const rows = await db.deleteFrom('browser_leases').where('until', '<=', clock.now()).returningAll().execute()
      return rows.map((row) => ({ ...row, since: Number(row.since), until: Number(row.until) }))
    },
  }
}
