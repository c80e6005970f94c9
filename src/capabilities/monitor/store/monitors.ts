// Monitors and their schedule. A tick is taken by compare-and-set on the next run time, so exactly one process gets
// it.
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Clock } from '../../../base/clock.ts'
import { compileStatementOnce, compileStatementPerColumns } from '../../../store/compiled-statements.ts'
import { makeRowCodec, type RowFields } from '../../../store/row-codec.ts'
import type { HeaderSealer } from '../../../store/sealed-headers.ts'
import type { Db, Dialect, Tx } from '../../../store/tables.ts'
import type { MonitorTable } from './tables.ts'

interface DecodedMonitor {
  targets: unknown
  webhook: unknown
  notification: unknown
  watch: unknown
  judgeEnabled: boolean
  lastSummary: unknown
}

export type Monitor = RowFields<MonitorTable, DecodedMonitor>

const rows = makeRowCodec<MonitorTable, Monitor>({
  json: ['targets', 'webhook', 'notification', 'watch', 'lastSummary'],
  flags: ['judgeEnabled'],
})

export type NewMonitor = Omit<
  Monitor,
  'lastRunAt' | 'currentCheckId' | 'lastSummary' | 'calm' | 'createdAt' | 'updatedAt'
>
export type MonitorChange = Partial<Omit<Monitor, 'id' | 'teamId' | 'createdAt' | 'updatedAt' | 'feedToken'>>

export interface DueMonitor {
  id: string
  cron: string
  timezone: string
  intervalMs: number
  nextRunAt: number
}

export type Monitors = ReturnType<typeof openMonitors>

export function openMonitors(db: Db, dialect: Dialect, clock: Clock) {
  const byId = (held: boolean) =>
    compileStatementOnce(({ id }: { id: string }) =>
      db
        .selectFrom('monitors')
        .selectAll()
        .where('id', '=', id)
        .$if(held, (query) => query.forUpdate())
        .compile(),
    )
  const [plain, holding] = [byId(false), byId(dialect === 'postgres')]
  const update = compileStatementPerColumns(({ id, ...columns }: Updateable<MonitorTable> & { id: string }) =>
    db.updateTable('monitors').set(columns).where('id', '=', id).compile(),
  )
  const readFirst = ({ rows: [row] }: { rows: readonly Selectable<MonitorTable>[] }) => row && rows.read(row)
  return {
    ...ticks(db, clock),
    async add(tx: Tx, monitor: NewMonitor) {
      const now = clock.now()
      await tx
        .insertInto('monitors')
        .values(rows.write({ ...monitor, createdAt: now, updatedAt: now }))
        .execute()
    },
    get: async (id: string) => readFirst(await plain(db, { id })),
    hold: async (tx: Tx, id: string) => readFirst(await holding(tx, { id })),
    async list(teamId: string, { limit, offset }: { limit: number; offset: number }) {
      const found = await db
        .selectFrom('monitors')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('status', '!=', 'deleted')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return found.map(rows.read)
    },
    async count(teamId: string) {
      const row = await db
        .selectFrom('monitors')
        .select((from) => from.fn.countAll<number>().as('monitors'))
        .where('team_id', '=', teamId)
        .where('status', '!=', 'deleted')
        .executeTakeFirstOrThrow()
      return Number(row.monitors)
    },
    async byFeed(token: string) {
      const row = await db
        .selectFrom('monitors')
        .selectAll()
        .where('feed_token', '=', token)
        .where('status', '!=', 'deleted')
        .executeTakeFirst()
      return row && rows.read(row)
    },
    async change(tx: Tx, id: string, change: MonitorChange) {
      await update(tx, { ...rows.write({ ...change, updatedAt: clock.now() }), id })
    },
  }
}

const active = sql<boolean>`status = 'active'`
const dueColumns = ['id', 'cron', 'timezone', 'interval_ms as intervalMs', 'next_run_at as nextRunAt'] as const

function ticks(db: Db, clock: Clock) {
  const due = compileStatementOnce(({ now, limit }: { now: number; limit: number }) =>
    db
      .selectFrom('monitors')
      .select(dueColumns)
      .where(active)
      .where('next_run_at', '<=', now)
      .orderBy('next_run_at')
      .orderBy('id')
      .limit(limit)
      .compile(),
  )
  const move = compileStatementOnce(({ id, seen, next }: { id: string; seen: number; next: number | null }) =>
    db
      .updateTable('monitors')
      .set({ next_run_at: next })
      .where('id', '=', id)
      .where('next_run_at', '=', seen)
      .where('status', '=', 'active')
      .compile(),
  )
  return {
    async due(limit: number) {
      const { rows } = await due(db, { now: clock.now(), limit })
      return rows as DueMonitor[]
    },
    /** False when another process has taken the tick. */
    async takeTick(tx: Tx, id: string, seen: number, next: number | null) {
      const { numAffectedRows } = await move(tx, { id, seen, next })
      return numAffectedRows === 1n
    },
    async nextDueAt() {
      const row = await db
        .selectFrom('monitors')
        .select('next_run_at')
        .where(active)
        .where('next_run_at', 'is not', null)
        .orderBy('next_run_at')
        .limit(1)
        .executeTakeFirst()
      return row?.next_run_at ?? undefined
    },
    /** Used when the clock was set back. */
    async scheduled(after: string, limit: number) {
      const rows = await db
        .selectFrom('monitors')
        .select(dueColumns)
        .where('status', '=', 'active')
        .where('next_run_at', 'is not', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows as DueMonitor[]
    },
    /** Overdue by more than twice their interval: no process takes ticks. */
    async stalled() {
      const now = clock.now()
      const { rows } = await sql<{ monitors: number; since: number | null }>`
        select count(*) as monitors, min(next_run_at) as since from monitors
        where status = 'active' and next_run_at < ${now} and next_run_at + 2 * interval_ms < ${now}`.execute(db)
      return { monitors: Number(rows[0]?.monitors ?? 0), since: rows[0]?.since ?? null }
    },
  }
}

export function wrapMonitorsWithHeaderSealer(monitors: Monitors, { seal, open }: HeaderSealer): Monitors {
  const openMonitor = (monitor: Monitor): Monitor => ({
    ...monitor,
    targets: open(monitor.targets),
    webhook: open(monitor.webhook),
  })
  const one = async (monitor: Promise<Monitor | undefined>): Promise<Monitor | undefined> => {
    const found = await monitor
    return found && openMonitor(found)
  }
  const sealMonitor = <T extends { targets?: unknown; webhook?: unknown }>(given: T): T => ({
    ...given,
    ...('targets' in given ? { targets: seal(given.targets) } : {}),
    ...('webhook' in given ? { webhook: seal(given.webhook) } : {}),
  })
  return {
    ...monitors,
    add: (tx, monitor) => monitors.add(tx, sealMonitor(monitor)),
    change: (tx, id, change) => monitors.change(tx, id, sealMonitor(change)),
    get: (id) => one(monitors.get(id)),
    hold: (tx, id) => one(monitors.hold(tx, id)),
    byFeed: (token) => one(monitors.byFeed(token)),
    list: async (teamId, which) => (await monitors.list(teamId, which)).map(openMonitor),
  }
}
