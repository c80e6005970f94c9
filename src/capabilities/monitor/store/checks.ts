// Checks of monitors. A page ends in one transaction, so a resumed check neither loses nor repeats one.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Clock } from '../../../base/clock.ts'
import { compileStatementOnce, compileStatementPerColumns } from '../../../store/compiled-statements.ts'
import type { Db, Dialect, Tx } from '../../../store/tables.ts'
import {
  type CheckPages,
  type CheckSummary,
  openCheckPages,
  openWatchedPages,
  type WatchedPages,
} from './check-pages-and-watched-pages.ts'
import type { BillingStatus, CheckStatus, CheckTrigger, MonitorCheckTable } from './tables.ts'

export interface Check {
  id: string
  monitorId: string
  teamId: string
  status: CheckStatus
  trigger: CheckTrigger
  scheduledFor: number | null
  startedAt: number | null
  finishedAt: number | null
  estimatedCredits: number | null
  reservedCredits: number | null
  actualCredits: number | null
  billing: BillingStatus
  summary: CheckSummary
  /** Per target: what notices report, and the state that a resumed check needs. */
  targets: unknown[]
  notified: unknown
  error: string | null
  createdAt: number
  updatedAt: number
}

type NewCheck = Omit<Check, 'updatedAt' | 'createdAt'> & { expiresAt: number }
type CheckChange = Partial<Omit<Check, 'id' | 'monitorId' | 'teamId' | 'createdAt' | 'updatedAt'>>

interface MonitorChecks extends CheckPages, WatchedPages {
  add(tx: Tx, check: NewCheck): Promise<void>
  get(id: string): Promise<Check | undefined>
  hold(tx: Tx, id: string): Promise<Check | undefined>
  change(tx: Tx, id: string, change: CheckChange): Promise<void>
  list(
    monitorId: string,
    options: { limit: number; offset: number; status?: CheckStatus | undefined },
  ): Promise<Check[]>
  count(monitorId: string, status?: CheckStatus): Promise<number>
  still(before: number, limit: number): Promise<string[]>
}

export function openMonitorChecks(db: Db, dialect: Dialect, clock: Clock): MonitorChecks {
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
  const first = ({ rows: [row] }: { rows: readonly Selectable<MonitorCheckTable>[] }) => row && checkOf(row)
  return {
    ...openCheckPages(db, clock),
    ...openWatchedPages(db),
    async add(tx, { expiresAt, ...check }) {
      const now = clock.now()
      const fixed = { id: check.id, monitor_id: check.monitorId, team_id: check.teamId, expires_at: expiresAt }
      await insert(tx, { ...fixed, ...checkColumns(check), created_at: now, updated_at: now } as never)
    },
    get: async (id) => first(await plain(db, { id })),
    hold: async (tx, id) => first(await holding(tx, { id })),
    async change(tx, id, change) {
      await update(tx, { ...checkColumns(change), updated_at: clock.now(), id })
    },
    async list(monitorId, { limit, offset, status }) {
      const rows = await db
        .selectFrom('monitor_checks')
        .selectAll()
        .where('monitor_id', '=', monitorId)
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map(checkOf)
    },
    async count(monitorId, status) {
      const row = await db
        .selectFrom('monitor_checks')
        .select((from) => from.fn.countAll<number>().as('checks'))
        .where('monitor_id', '=', monitorId)
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .executeTakeFirstOrThrow()
      return Number(row.checks)
    },
    async still(before, limit) {
      const rows = await db
        .selectFrom('monitor_checks')
        .select('id')
        .where(sql<boolean>`status in ('queued', 'running')`)
        .where('updated_at', '<', before)
        .orderBy('updated_at')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value))
const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

const checkOf = (row: Selectable<MonitorCheckTable>): Check => ({
  id: row.id,
  monitorId: row.monitor_id,
  teamId: row.team_id,
  status: row.status,
  trigger: row.trigger,
  scheduledFor: row.scheduled_for,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  estimatedCredits: row.estimated_credits,
  reservedCredits: row.reserved_credits,
  actualCredits: row.actual_credits,
  billing: row.billing,
  summary: JSON.parse(row.summary) as CheckSummary,
  targets: JSON.parse(row.targets) as unknown[],
  notified: parsed(row.notified),
  error: row.error,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

function checkColumns(change: CheckChange): Record<string, unknown> {
  const columns: [string, unknown][] = [
    ['status', change.status],
    ['trigger', change.trigger],
    ['scheduled_for', change.scheduledFor],
    ['started_at', change.startedAt],
    ['finished_at', change.finishedAt],
    ['estimated_credits', change.estimatedCredits],
    ['reserved_credits', change.reservedCredits],
    ['actual_credits', change.actualCredits],
    ['billing', change.billing],
    ['summary', change.summary && JSON.stringify(change.summary)],
    ['targets', change.targets && JSON.stringify(change.targets)],
    ['notified', change.notified === undefined ? undefined : json(change.notified)],
    ['error', change.error],
  ]
  return Object.fromEntries(columns.filter(([, value]) => value !== undefined))
}
