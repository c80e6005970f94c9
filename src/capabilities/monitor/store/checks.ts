// Checks of monitors. A page ends in one transaction, so a resumed check neither loses nor repeats one.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Clock } from '../../../base/clock.ts'
import { compileStatementOnce, compileStatementPerColumns } from '../../../store/compiled-statements.ts'
import { makeRowCodec, type RowFields } from '../../../store/row-codec.ts'
import type { Db, Dialect, Tx } from '../../../store/tables.ts'
import { type CheckSummary, openCheckPages, openWatchedPages } from './check-pages-and-watched-pages.ts'
import type { CheckStatus, MonitorCheckTable } from './tables.ts'

interface DecodedCheck {
  summary: CheckSummary
  /** Per target: what notices report, and the state that a resumed check needs. */
  targets: unknown[]
  notified: unknown
}

export type Check = RowFields<MonitorCheckTable, DecodedCheck>

const rows = makeRowCodec<MonitorCheckTable, Check>({ json: ['summary', 'targets', 'notified'] })

type NewCheck = Omit<Check, 'updatedAt' | 'createdAt'>
type CheckChange = Partial<Omit<Check, 'id' | 'monitorId' | 'teamId' | 'createdAt' | 'updatedAt'>>

export function openMonitorChecks(db: Db, dialect: Dialect, clock: Clock) {
  const byId = (held: boolean) =>
    compileStatementOnce(({ id }: { id: string }) =>
      db
        .selectFrom('monitor_checks')
        .selectAll()
        .where('id', '=', id)
        .$if(held, (query) => query.forUpdate())
        .compile(),
    )
  const [plain, holding] = [byId(false), byId(dialect === 'postgres')]
  const insert = compileStatementPerColumns((row: Insertable<MonitorCheckTable>) =>
    db.insertInto('monitor_checks').values(row).compile(),
  )
  const update = compileStatementPerColumns(({ id, ...columns }: Updateable<MonitorCheckTable> & { id: string }) =>
    db.updateTable('monitor_checks').set(columns).where('id', '=', id).compile(),
  )
  const readFirst = ({ rows: [row] }: { rows: readonly Selectable<MonitorCheckTable>[] }) => row && rows.read(row)
  return {
    ...openCheckPages(db, clock),
    ...openWatchedPages(db),
    async add(tx: Tx, check: NewCheck) {
      const now = clock.now()
      await insert(tx, rows.write({ ...check, createdAt: now, updatedAt: now }))
    },
    get: async (id: string) => readFirst(await plain(db, { id })),
    hold: async (tx: Tx, id: string) => readFirst(await holding(tx, { id })),
    async change(tx: Tx, id: string, change: CheckChange) {
      await update(tx, { ...rows.write({ ...change, updatedAt: clock.now() }), id })
    },
    async list(
      monitorId: string,
      { limit, offset, status }: { limit: number; offset: number; status?: CheckStatus | undefined },
    ) {
      const found = await db
        .selectFrom('monitor_checks')
        .selectAll()
        .where('monitor_id', '=', monitorId)
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return found.map(rows.read)
    },
    async count(monitorId: string, status?: CheckStatus) {
      const row = await db
        .selectFrom('monitor_checks')
        .select((from) => from.fn.countAll<number>().as('checks'))
        .where('monitor_id', '=', monitorId)
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .executeTakeFirstOrThrow()
      return Number(row.checks)
    },
    async still(before: number, limit: number) {
      const found = await db
        .selectFrom('monitor_checks')
        .select('id')
        .where(sql<boolean>`status in ('queued', 'running')`)
        .where('updated_at', '<', before)
        .orderBy('updated_at')
        .limit(limit)
        .execute()
      return found.map(({ id }) => id)
    },
  }
}
