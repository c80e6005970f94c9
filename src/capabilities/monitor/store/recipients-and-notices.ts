// E-mail recipients, and the outbox of notices. A notice is written in the transaction of its event and sent at
// least once.
import { type Clock, DAY_MS } from '../../../base/clock.ts'
import { makeRowCodec, type RowFields } from '../../../store/row-codec.ts'
import type { Db, Tx } from '../../../store/tables.ts'
import type { MonitorNoticeTable, NoticeState } from './tables.ts'

const LIFE_MS = 30 * DAY_MS

export type RecipientStatus = 'pending' | 'confirmed' | 'unsubscribed'

export type Recipient = { email: string; status: RecipientStatus; source: string }

export type Notice = RowFields<MonitorNoticeTable, { message: unknown }>

const noticeRows = makeRowCodec<MonitorNoticeTable, Notice>({ json: ['message'] })

type NewNotice = Omit<Notice, 'attempts' | 'error' | 'createdAt' | 'endedAt' | 'expiresAt'>

export function openRecipientsAndNotices(db: Db, clock: Clock) {
  return {
    ...outbox(db, clock),
    ...asks(clock),
    async recipients(monitorId: string, on: Db | Tx = db) {
      const rows = await on
        .selectFrom('monitor_recipients')
        .select(['email', 'status', 'source'])
        .where('monitor_id', '=', monitorId)
        .orderBy('email')
        .execute()
      return rows as Recipient[]
    },
    async setRecipient(tx: Tx, monitorId: string, { email, status, source }: Recipient) {
      const now = clock.now()
      await tx
        .insertInto('monitor_recipients')
        .values({ monitor_id: monitorId, email, status, source, asked_at: now, updated_at: now })
        .onConflict((conflict) => conflict.columns(['monitor_id', 'email']).doUpdateSet({ status, updated_at: now }))
        .execute()
    },
    /** Confirms the address in every monitor of the team that waits for its consent. */
    async confirmWaiting(tx: Tx, teamId: string, email: string) {
      await tx
        .updateTable('monitor_recipients')
        .set({ status: 'confirmed', updated_at: clock.now() })
        .where('email', '=', email)
        .where('status', '=', 'pending')
        .where('monitor_id', 'in', (from) => from.selectFrom('monitors').select('id').where('team_id', '=', teamId))
        .execute()
    },
  }
}

const asks = (clock: Clock) => ({
  /** Reserves the one consent request per address and day of the installation; a retry of the same notice keeps it. */
  async claimAsk(tx: Tx, print: string, noticeId: string) {
    const now = clock.now()
    const claimed = await tx
      .insertInto('asked_addresses')
      .values({ print, notice_id: noticeId, asked_at: now, declined_at: null })
      .onConflict((conflict) =>
        conflict
          .column('print')
          .doUpdateSet({ notice_id: noticeId, asked_at: now })
          .where('asked_addresses.declined_at', 'is', null)
          .where(({ eb, or }) =>
            or([eb('asked_addresses.asked_at', '<=', now - DAY_MS), eb('asked_addresses.notice_id', '=', noticeId)]),
          ),
      )
      .returning('print')
      .executeTakeFirst()
    if (claimed) return 'claimed'
    const row = await tx.selectFrom('asked_addresses').selectAll().where('print', '=', print).executeTakeFirst()
    if (row && row.declined_at !== null) return 'declined'
    return { freeAt: (row?.asked_at ?? now) + DAY_MS }
  },
  /** A confirmed address may be asked again the same day, a declined one never. */
  async answerAsk(tx: Tx, print: string, answer: 'confirmed' | 'declined') {
    const now = clock.now()
    if (answer === 'confirmed') {
      await tx.deleteFrom('asked_addresses').where('print', '=', print).where('declined_at', 'is', null).execute()
      return
    }
    await tx
      .insertInto('asked_addresses')
      .values({ print, notice_id: '', asked_at: now, declined_at: now })
      .onConflict((conflict) => conflict.column('print').doUpdateSet({ declined_at: now }))
      .execute()
  },
})

function outbox(db: Db, clock: Clock) {
  return {
    async add(tx: Tx, notices: readonly NewNotice[]) {
      const now = clock.now()
      for (const notice of notices)
        await tx
          .insertInto('monitor_notices')
          .values(noticeRows.write({ ...notice, createdAt: now, expiresAt: now + LIFE_MS }))
          .execute()
    },
    async get(id: string) {
      const row = await db.selectFrom('monitor_notices').selectAll().where('id', '=', id).executeTakeFirst()
      return row && noticeRows.read(row)
    },
    async overdue(before: number, limit: number) {
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
    /** Pending notices of one monitor to one address that are due at the same time. */
    async together(monitorId: string, address: string) {
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
      return rows.map(noticeRows.read)
    },
    async end(tx: Tx, ids: readonly string[], state: NoticeState, error: string | null) {
      if (ids.length === 0) return
      await tx
        .updateTable('monitor_notices')
        .set((row) => ({ state, error, ended_at: clock.now(), attempts: row('attempts', '+', 1) }))
        .where('id', 'in', ids)
        .execute()
    },
    async retry(tx: Tx, id: string, nextAt: number, error: string) {
      await tx
        .updateTable('monitor_notices')
        .set((row) => ({ next_at: nextAt, error, attempts: row('attempts', '+', 1) }))
        .where('id', '=', id)
        .execute()
    },
    async postpone(tx: Tx, id: string, nextAt: number, error: string) {
      await tx.updateTable('monitor_notices').set({ next_at: nextAt, error }).where('id', '=', id).execute()
    },
    async list(teamId: string, { monitorId, limit }: { monitorId?: string | undefined; limit: number }) {
      const rows = await db
        .selectFrom('monitor_notices')
        .selectAll()
        .where('team_id', '=', teamId)
        .$if(monitorId !== undefined, (query) => query.where('monitor_id', '=', monitorId!))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(noticeRows.read)
    },
  }
}
