// Sweep of ledger and activity. Aged ledger rows become sums per day.
import { sql } from 'kysely'
import { DAY_MS, startOfDay } from '../base/clock.ts'
import type { Db, Tx } from './tables.ts'

/** Readers sum up the single rows, so there must be few. */
export const LEDGER_ROLL_UP_AFTER_MS = 15 * 60_000
const LEDGER_BATCH = 1000
const BATCH_ROWS = 500
/** One day is shown; the second lets late feedback find its call. */
const ACTIVITY_LIFE_MS = 2 * DAY_MS
/** About 300 MB. A service with more traffic shows less than a day. */
const MAX_ACTIVITY_ROWS = 1_000_000

/** In one transaction, so readers find every credit once. Reservations and their ends cancel out; grants stay. */
export async function rollUpLedger(db: Db, now: number): Promise<number> {
  const aged = await db
    .selectFrom('ledger')
    .select('id')
    .where('at', '<', now - LEDGER_ROLL_UP_AFTER_MS)
    .where('kind', '<>', 'grant')
    .orderBy('at')
    .limit(LEDGER_BATCH)
    .execute()
  if (aged.length === 0) return 0
  const ids = aged.map((row) => row.id)
  await db.transaction().execute(async (tx) => {
    const rows = await tx
      .deleteFrom('ledger')
      .where('id', 'in', ids)
      .returning(['team_id', 'key_id', 'endpoint', 'kind', 'credits', 'at'])
      .execute()
    const sums = new Map<string, DaySum>()
    for (const row of rows) {
      if (row.kind !== 'settle') continue
      const key = {
        day: startOfDay(row.at),
        team_id: row.team_id,
        key_id: row.key_id ?? '',
        endpoint: row.endpoint ?? '',
      }
      const name = JSON.stringify(key)
      sums.set(name, { ...key, credits: (sums.get(name)?.credits ?? 0) + row.credits })
    }
    for (const sum of sums.values()) await addCredits(tx, sum)
  })
  return aged.length
}

interface DaySum {
  day: number
  team_id: string
  key_id: string
  endpoint: string
  credits: number
}

async function addCredits(tx: Tx, sum: DaySum): Promise<void> {
  await tx
    .insertInto('usage_days')
    .values(sum)
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'day', 'key_id', 'endpoint'])
        .doUpdateSet({ credits: sql`usage_days.credits + ${sum.credits}` }),
    )
    .execute()
}

export async function expireActivity(db: Db, now: number): Promise<number> {
  const surplus = await db
    .selectFrom('activity')
    .select('id')
    .orderBy('id', 'desc')
    .offset(MAX_ACTIVITY_ROWS)
    .limit(1)
    .executeTakeFirst()
  const oldest = await db.selectFrom('activity').select(['id', 'at']).orderBy('id').limit(BATCH_ROWS).execute()
  const ids = oldest
    .filter(({ id, at }) => at <= now - ACTIVITY_LIFE_MS || (surplus !== undefined && id <= surplus.id))
    .map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('activity').where('id', 'in', ids).execute()
  return ids.length
}
