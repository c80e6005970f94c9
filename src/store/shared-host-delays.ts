// When a host may be visited next, for all processes on one PostgreSQL. Times are the database's, since the clocks of
// machines differ.
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

export type SharedHostDelays = ReturnType<typeof openSharedHostDelays>

const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

export function openSharedHostDelays(db: Db, key: Buffer) {
  const printOf = (host: string) => createHmac('sha256', key).update(`turn ${host}`).digest('base64url')
  return {
    /**
     * Takes the next turn of the host, `delayMs` after the one before, when it comes within `patienceMs`. Returns the
     * time until it, or until a later attempt makes sense.
     */
    async take(host: string, delayMs: number, patienceMs: number) {
      const print = printOf(host)
      const { rows } = await sql<{ wait: number }>`
        insert into host_turns as known (print, next_at, rest_until, strikes, seen_at)
        values (${print}, ${NOW} + ${delayMs}::bigint, 0, 0, ${NOW})
        on conflict (print) do update
          set next_at = greatest(known.next_at, ${NOW}) + ${delayMs}::bigint, seen_at = ${NOW}
          where known.rest_until <= ${NOW} and known.next_at <= ${NOW} + ${patienceMs}::bigint
        returning next_at - ${delayMs}::bigint - ${NOW} as wait`.execute(db)
      if (rows[0]) return { taken: true, waitMs: Math.max(0, rows[0].wait) }
      const { rows: later } = await sql<{ wait: number }>`
        select greatest(next_at, rest_until) - ${NOW} as wait from host_turns where print = ${print}`.execute(db)
      return { taken: false, waitMs: Math.max(0, later[0]?.wait ?? 0) }
    },
    async rest(host: string) {
      const { rows } = await sql<{ rest: number; strikes: number }>`
        select rest_until - ${NOW} as rest, strikes from host_turns where print = ${printOf(host)}`.execute(db)
      return { restMs: Math.max(0, rows[0]?.rest ?? 0), strikes: rows[0]?.strikes ?? 0 }
    },
    async setRest(host: string, restMs: number, strikes: number) {
      await sql`
        insert into host_turns as known (print, next_at, rest_until, strikes, seen_at)
        values (${printOf(host)}, 0, ${NOW} + ${restMs}::bigint, ${strikes}, ${NOW})
        on conflict (print) do update set seen_at = ${NOW}, strikes = greatest(known.strikes, excluded.strikes),
          rest_until = greatest(known.rest_until, excluded.rest_until)`.execute(db)
    },
    async endRest(host: string) {
      await sql`update host_turns set rest_until = 0, strikes = 0 where print = ${printOf(host)}`.execute(db)
    },
  }
}
