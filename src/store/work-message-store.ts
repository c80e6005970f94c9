// Storage of the queue. A message sent again while pending stays one; sent again while in progress, it is delivered
// once more afterwards. Times are the database's on PostgreSQL, since the clocks of machines differ.
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { compileStatementOnce } from './compiled-statements.ts'
import { executeInOneRoundTrip } from './pipelined-statements.ts'
import type { Db, Dialect, Tx } from './tables.ts'

export const WORK_QUEUE_CHANNEL = 'orb_wake_up'

export interface WorkMessage {
  kind: string
  id: string
  attempts: number
}

export interface WorkQueueSignals {
  listen(onSignal: (kind: string) => void): () => Promise<void>
}

interface Parts {
  now(value: { now: number }): RawBuilder<unknown>
  list(ids: string): RawBuilder<unknown>
  least: RawBuilder<unknown>
  /** Messages that another process claims now are left to it. */
  skipLocked: RawBuilder<unknown>
}

const sqliteParts: Parts = {
  now: (value) => sql`${value.now}`,
  list: (ids) => sql`(select value from json_each(${ids}))`,
  least: sql`min`,
  skipLocked: sql``,
}

const postgresParts: Parts = {
  // Not clock_timestamp(), which no index scan can compare with.
  now: () => sql`(extract(epoch from statement_timestamp()) * 1000)::bigint`,
  list: (ids) => sql`(select jsonb_array_elements_text(${ids}::jsonb) as value)`,
  least: sql`least`,
  skipLocked: sql`for update skip locked`,
}

export type WorkMessageStore = ReturnType<typeof openWorkMessageStore>

export function openWorkMessageStore(db: Db, clock: Clock, dialect: Dialect) {
  const { now, list, least, skipLocked } = dialect === 'postgres' ? postgresParts : sqliteParts
  const wake = compileStatementOnce(
    (value: { kind: string; ids: string; inMs: number; priority: number; now: number }) =>
      sql`
      insert into bells (kind, id, run_at, priority)
      select cast(${value.kind} as text), ids.value, ${now(value)} + cast(${value.inMs} as bigint), cast(${value.priority} as integer)
      from ${list(value.ids)} as ids where true
      on conflict (kind, id) do update set
        run_at = case when bells.lease_until > ${now(value)} then bells.run_at
          else ${least}(bells.run_at, excluded.run_at) end,
        again_at = case when bells.lease_until > ${now(value)} then excluded.run_at else bells.again_at end`.compile(
        db,
      ),
  )
  const signal = compileStatementOnce(({ kind }: { kind: string }) =>
    sql`select pg_notify(${WORK_QUEUE_CHANNEL}, ${kind})`.compile(db),
  )
  const nextIds = (value: { kind: string; limit: number; now: number }) => sql`
    select id from bells where kind = ${value.kind} and run_at <= ${now(value)} and lease_until <= ${now(value)}
    order by priority, run_at limit ${value.limit} ${skipLocked}`
  const claim = compileStatementOnce((value: { kind: string; limit: number; leaseMs: number; now: number }) =>
    sql<WorkMessage>`
      update bells set lease_until = ${now(value)} + cast(${value.leaseMs} as bigint), attempts = attempts + 1
      where kind = ${value.kind}
        and ${dialect === 'postgres' ? sql`id = any(array(${nextIds(value)}))` : sql`id in (${nextIds(value)})`}
      returning kind, id, attempts`.compile(db),
  )
  // The index has all that is read of messages that are not due yet.
  const due = compileStatementOnce((value: { kinds: string; withinMs: number; now: number }) =>
    sql<{ kind: string; isDue: boolean | number; nextInMs: number | null }>`
      select kinds.value as kind,
        exists (select 1 from bells where kind = kinds.value and run_at <= ${now(value)} and lease_until <= ${now(value)})
          as "isDue",
        (select min(run_at) from bells where kind = kinds.value
          and run_at > ${now(value)} and run_at <= ${now(value)} + cast(${value.withinMs} as bigint)) - ${now(value)}
          as "nextInMs"
      from ${list(value.kinds)} as kinds`.compile(db),
  )
  const remove = compileStatementOnce((value: { kind: string; ids: string }) =>
    sql<{ id: string }>`
      delete from bells where kind = ${value.kind} and id in ${list(value.ids)} and again_at is null
      returning id`.compile(db),
  )
  return {
    async enqueue(
      tx: Tx,
      kind: string,
      ids: readonly string[],
      { inMs, priority }: { inMs: number; priority: number },
    ) {
      if (ids.length === 0) return
      const sent = wake.of({ kind, ids: JSON.stringify(ids), inMs, priority, now: clock.now() })
      await (dialect === 'postgres' && inMs <= 0
        ? executeInOneRoundTrip(tx, sent, signal.of({ kind }))
        : executeInOneRoundTrip(tx, sent))
    },
    async claim(kind: string, limit: number, leaseMs: number) {
      const { rows } = await claim(db, { kind, limit, leaseMs, now: clock.now() })
      return rows
    },
    /** Whether a message of each kind can be claimed, and the time until the next one within `withinMs`. */
    async due(kinds: readonly string[], withinMs: number) {
      const { rows } = await due(db, { kinds: JSON.stringify(kinds), withinMs, now: clock.now() })
      return rows.map(({ kind, isDue, nextInMs }) => ({
        kind,
        isDue: Boolean(isDue),
        nextInMs: nextInMs === null ? undefined : Number(nextInMs),
      }))
    },
    async extend(kind: string, ids: readonly string[], leaseMs: number) {
      await sql`update bells set lease_until = ${now({ now: clock.now() })} + cast(${leaseMs} as bigint)
        where kind = ${kind} and id in ${list(JSON.stringify(ids))}`.execute(db)
    },
    /** Returns those that were sent again meanwhile and stay pending. */
    async done(kind: string, ids: readonly string[]) {
      const { rows } = await remove(db, { kind, ids: JSON.stringify(ids) })
      const pending = new Set(ids)
      for (const { id } of rows) pending.delete(id)
      if (pending.size > 0)
        await sql`update bells set lease_until = 0, attempts = 0, run_at = again_at, again_at = null
          where kind = ${kind} and again_at is not null and id in ${list(JSON.stringify([...pending]))}`.execute(db)
      return pending
    },
    async later(kind: string, id: string, inMs: number) {
      await sql`
        update bells set lease_until = 0, run_at = ${now({ now: clock.now() })} + cast(${inMs} as bigint), again_at = null
        where kind = ${kind} and id = ${id}`.execute(db)
    },
    /** Only one process may hold leases; it calls this at its start. */
    async freeAll() {
      await sql`update bells set lease_until = 0 where lease_until > 0`.execute(db)
    },
  }
}
