// Leases of browser contexts: which process holds one, for whom and until when. A process that dies leaves its rows behind;
// they are found when their time is up. What a browser is is not known here.
import type { Clock } from '../base/time.ts'
import type { Db } from './tables.ts'

export interface BrowserLease {
  id: string
  /** The process that holds it; nobody else can use the context. */
  process: string
  owner: string
  since: number
  until: number
}

export interface Leases {
  take(lease: { id: string; process: string; owner: string; ttlMs: number }): Promise<void>
  find(id: string): Promise<BrowserLease | undefined>
  /** False when the lease has ended or run out. */
  prolong(id: string, ttlMs: number): Promise<boolean>
  end(id: string): Promise<void>
  /** All of a process that stops. */
  endOf(process: string): Promise<void>
  /** Ends those whose time is up; each is told to one caller only. */
  endExpired(): Promise<BrowserLease[]>
}

export function openLeases(db: Db, clock: Clock): Leases {
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
