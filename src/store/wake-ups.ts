// Storage of the embedded queue. A message sent again while pending stays one; sent again while in progress, it is
// delivered once more afterwards.
import { sql } from 'kysely'
import type { Clock } from '../base/time.ts'
import { kept } from './kept.ts'
import type { Db, Tx } from './tables.ts'

export interface WakeUp {
  kind: string
  id: string
  /** Includes the current attempt. */
  attempts: number
}

export interface WakeUps {
  ring(tx: Tx, kind: string, ids: readonly string[], options: { runAt: number; priority: number }): Promise<void>
  claim(kind: string, limit: number, leaseUntil: number): Promise<WakeUp[]>
  extend(kind: string, ids: readonly string[], leaseUntil: number): Promise<void>
  /** True when it was sent again meanwhile and stays pending. */
  done(kind: string, id: string): Promise<boolean>
  later(kind: string, id: string, runAt: number): Promise<void>
  nextAt(kind: string): Promise<number | undefined>
  /** Only one process may hold leases; it calls this at its start. */
  freeAll(): Promise<void>
}

export function openWakeUps(db: Db, clock: Clock): WakeUps {
  const ring = kept((value: { kind: string; ids: string; runAt: number; priority: number; now: number }) =>
    sql`
      insert into bells (kind, id, run_at, priority) select ${value.kind}, value, ${value.runAt}, ${value.priority}
      from json_each(${value.ids}) where true
      on conflict (kind, id) do update set
        run_at = case when lease_until > ${value.now} then run_at else min(run_at, excluded.run_at) end,
        again_at = case when lease_until > ${value.now} then excluded.run_at else again_at end`.compile(db),
  )
  const claim = kept((value: { kind: string; limit: number; leaseUntil: number; now: number }) =>
    sql<WakeUp>`
      update bells set lease_until = ${value.leaseUntil}, attempts = attempts + 1 where kind = ${value.kind} and id in (
        select id from bells where kind = ${value.kind} and run_at <= ${value.now} and lease_until <= ${value.now}
        order by priority, run_at limit ${value.limit})
      returning kind, id, attempts`.compile(db),
  )
  const remove = kept((value: { kind: string; id: string }) =>
    sql<{ id: string }>`
      delete from bells where kind = ${value.kind} and id = ${value.id} and again_at is null returning id`.compile(db),
  )
  return {
    async ring(tx, kind, ids, { runAt, priority }) {
      if (ids.length > 0) await ring(tx, { kind, ids: JSON.stringify(ids), runAt, priority, now: clock.now() })
    },
    async claim(kind, limit, leaseUntil) {
      const { rows } = await claim(db, { kind, limit, leaseUntil, now: clock.now() })
      return rows
    },
    async extend(kind, ids, leaseUntil) {
      await sql`update bells set lease_until = ${leaseUntil} where kind = ${kind}
        and id in (select value from json_each(${JSON.stringify(ids)}))`.execute(db)
    },
    async done(kind, id) {
      const { rows } = await remove(db, { kind, id })
      if (rows.length > 0) return false
      await sql`update bells set lease_until = 0, attempts = 0, run_at = again_at, again_at = null
        where kind = ${kind} and again_at is not null and id = ${id}`.execute(db)
      return true
    },
    async later(kind, id, runAt) {
      await sql`update bells set lease_until = 0, run_at = ${runAt}, again_at = null
        where kind = ${kind} and id = ${id}`.execute(db)
    },
    async nextAt(kind) {
      const { rows } = await sql<{ at: number | null }>`
        select min(max(run_at, lease_until)) as at from bells where kind = ${kind}`.execute(db)
      return rows[0]?.at ?? undefined
    },
    async freeAll() {
      await sql`update bells set lease_until = 0 where lease_until > 0`.execute(db)
    },
  }
}
