// Sweep of expired checks, old notices and deleted monitors.
import type { Db } from './tables.ts'

const BATCH_ROWS = 500
const FEW = 20
/** A deleted monitor's last check may still run. */
const GRACE_MS = 3_600_000
/** After a day an address may be asked again; a refusal stays. */
const ASKED_MS = 86_400_000

/** The state of watched pages stays: the next check is compared with it. */
export async function expireChecks(db: Db, now: number): Promise<number> {
  const old = await db
    .selectFrom('monitor_checks')
    .select('id')
    .where('expires_at', '<=', now)
    .where('status', 'not in', ['queued', 'running'])
    .orderBy('expires_at')
    .limit(FEW)
    .execute()
  if (old.length === 0) return 0
  const ids = old.map(({ id }) => id)
  const pages = await db
    .selectFrom('monitor_check_pages')
    .select('id')
    .where('check_id', 'in', ids)
    .limit(BATCH_ROWS)
    .execute()
  const found = pages.map(({ id }) => id)
  if (found.length > 0) await db.deleteFrom('monitor_check_pages').where('id', 'in', found).execute()
  if (found.length < BATCH_ROWS) await db.deleteFrom('monitor_checks').where('id', 'in', ids).execute()
  return found.length + ids.length
}

export async function expireNotices(db: Db, now: number): Promise<number> {
  await db
    .deleteFrom('asked_addresses')
    .where('asked_at', '<=', now - ASKED_MS)
    .where('declined_at', 'is', null)
    .execute()
  const old = await db
    .selectFrom('monitor_notices')
    .select('id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(BATCH_ROWS)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('monitor_notices').where('id', 'in', ids).execute()
  return ids.length
}

/** Removes a deleted monitor only once its checks are gone. */
export async function dropDeletedMonitors(db: Db, now: number): Promise<number> {
  const [gone] = await db
    .selectFrom('monitors')
    .select('id')
    .where('status', '=', 'deleted')
    .where('updated_at', '<=', now - GRACE_MS)
    .limit(1)
    .execute()
  if (!gone) return 0
  const pages = await db
    .selectFrom('monitor_check_pages')
    .select('id')
    .where('monitor_id', '=', gone.id)
    .limit(BATCH_ROWS)
    .execute()
  const ids = pages.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('monitor_check_pages').where('id', 'in', ids).execute()
  else await db.deleteFrom('monitors').where('id', '=', gone.id).execute()
  return ids.length + 1
}
