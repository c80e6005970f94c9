// E-mail recipients, and the outbox of notices. A notice is written in the transaction of its event and sent at
// least once.
import type { Selectable } from 'kysely'
import type { Clock } from '../base/time.ts'
import type { MonitorNoticeTable, NoticeState } from './monitor-tables.ts'
import type { Db, Tx } from './tables.ts'

const LIFE_MS = 30 * 86_400_000

export type RecipientStatus = 'pending' | 'confirmed' | 'unsubscribed'

export interface Recipient {
  email: string
  status: RecipientStatus
  source: string
}

export interface Notice {
  id: string
  monitorId: string
  teamId: string
  checkId: string | null
  channel: string
  address: string
  state: NoticeState
  attempts: number
  nextAt: number
  message: unknown
  error: string | null
  createdAt: number
  endedAt: number | null
}

export type NewNotice = Omit<Notice, 'attempts' | 'error' | 'createdAt' | 'endedAt'>

export interface Notices {
  recipients(monitorId: string, on?: Db | Tx): Promise<Recipient[]>
  setRecipient(tx: Tx, monitorId: string, recipient: Recipient): Promise<void>
  add(tx: Tx, notices: readonly NewNotice[]): Promise<void>
  get(id: string): Promise<Notice | undefined>
  overdue(before: number, limit: number): Promise<string[]>
  /** Pending notices of one monitor to one address that are due at the same time. */
  together(monitorId: string, address: string): Promise<Notice[]>
  end(tx: Tx, ids: readonly string[], state: NoticeState, error: string | null): Promise<void>
  retry(tx: Tx, id: string, nextAt: number, error: string): Promise<void>
  list(teamId: string, wish: { monitorId?: string | undefined; limit: number }): Promise<Notice[]>
}

export function openNotices(db: Db, clock: Clock): Notices {
  return {
    ...outbox(db, clock),
    async recipients(monitorId, on: Db | Tx = db) {
      const rows = await on
        .selectFrom('monitor_recipients')
        .select(['email', 'status', 'source'])
        .where('monitor_id', '=', monitorId)
        .orderBy('email')
        .execute()
      return rows as Recipient[]
    },
    async setRecipient(tx, monitorId, { email, status, source }) {
      const now = clock.now()
      await tx
        .insertInto('monitor_recipients')
        .values({ monitor_id: monitorId, email, status, source, asked_at: now, updated_at: now })
        .onConflict((conflict) => conflict.columns(['monitor_id', 'email']).doUpdateSet({ status, updated_at: now }))
        .execute()
    },
  }
}

function outbox(db: Db, clock: Clock): Omit<Notices, 'recipients' | 'setRecipient'> {
  return {
    async add(tx, notices) {
      const now = clock.now()
      for (const notice of notices)
        await tx
          .insertInto('monitor_notices')
          .values({
            id: notice.id,
            monitor_id: notice.monitorId,
            team_id: notice.teamId,
            check_id: notice.checkId,
            channel: notice.channel,
            address: notice.address,
            state: notice.state,
            next_at: notice.nextAt,
            message: JSON.stringify(notice.message),
            created_at: now,
            expires_at: now + LIFE_MS,
          })
          .execute()
    },
    async get(id) {
      const row = await db.selectFrom('monitor_notices').selectAll().where('id', '=', id).executeTakeFirst()
      return row && noticeOf(row)
    },
    async overdue(before, limit) {
      const rows = await db
        .selectFrom('monitor_notices')
        .select('id')
        .where('state', '=', 'pending')
        .where('next_at', '<', before)
        .orderBy('next_at')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    async together(monitorId, address) {
      const rows = await db
        .selectFrom('monitor_notices')
        .selectAll()
        .where('monitor_id', '=', monitorId)
        .where('address', '=', address)
        .where('state', '=', 'pending')
        .where('next_at', '<=', clock.now())
        .orderBy('id')
        .limit(100)
        .execute()
      return rows.map(noticeOf)
    },
    async end(tx, ids, state, error) {
      if (ids.length === 0) return
      await tx
        .updateTable('monitor_notices')
        .set((row) => ({ state, error, ended_at: clock.now(), attempts: row('attempts', '+', 1) }))
        .where('id', 'in', ids)
        .execute()
    },
    async retry(tx, id, nextAt, error) {
      await tx
        .updateTable('monitor_notices')
        .set((row) => ({ next_at: nextAt, error, attempts: row('attempts', '+', 1) }))
        .where('id', '=', id)
        .execute()
    },
    async list(teamId, { monitorId, limit }) {
      const rows = await db
        .selectFrom('monitor_notices')
        .selectAll()
        .where('team_id', '=', teamId)
        .$if(monitorId !== undefined, (query) => query.where('monitor_id', '=', monitorId!))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(noticeOf)
    },
  }
}

const noticeOf = (row: Selectable<MonitorNoticeTable>): Notice => ({
  id: row.id,
  monitorId: row.monitor_id,
  teamId: row.team_id,
  checkId: row.check_id,
  channel: row.channel,
  address: row.address,
  state: row.state,
  attempts: row.attempts,
  nextAt: row.next_at,
  message: JSON.parse(row.message),
  error: row.error,
  createdAt: row.created_at,
  endedAt: row.ended_at,
})
