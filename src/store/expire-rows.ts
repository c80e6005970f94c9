// Runs the expiry and retention rules of capabilities, one batch at a time.
import { sql } from 'kysely'
import type { ExpiryRule, TeamRetentionRule } from './capability-storage.ts'
import { BATCH_ROWS } from './sweep-batches.ts'
import type { Db } from './tables.ts'

export async function expireByRule(db: Db, rule: ExpiryRule, now: number): Promise<number> {
  const { table, id: key = 'id', time, afterMs = 0, only, empty, except, children, batch = BATCH_ROWS } = rule
  const { rows } = await sql<{ id: string }>`select ${sql.ref(key)} as id from ${sql.table(table)}
    where ${sql.ref(time)} <= ${now - afterMs}
    ${only ? sql`and ${sql.ref(only.column)} in (${sql.join(only.values)})` : sql``}
    ${empty ? sql`and ${sql.ref(empty)} is null` : sql``}
    ${except ? sql`and ${sql.ref(except.column)} not in (${sql.join(except.values)})` : sql``}
    order by ${sql.ref(time)} limit ${batch}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  const removed = children ? await removeChildren(db, children, ids) : 0
  // The next batch removes the rest of the children.
  if (removed < BATCH_ROWS)
    await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${sql.join(ids)})`.execute(db)
  return removed + ids.length
}

async function removeChildren(
  db: Db,
  { table, column }: { table: string; column: string },
  parents: readonly string[],
) {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where ${sql.ref(column)} in (${sql.join(parents)}) limit ${BATCH_ROWS}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await sql`delete from ${sql.table(table)} where id in (${sql.join(ids)})`.execute(db)
  return ids.length
}

export async function expireRowsOfTeam(
  db: Db,
  rule: TeamRetentionRule,
  teamId: string,
  before: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(rule.table)}
    where team_id = ${teamId} and ${sql.ref(rule.time)} < ${before}`.execute(db)
  return Number(numAffectedRows)
}
