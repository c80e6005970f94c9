// Retention of a team shorter than the default; the sweep applies it.

import { sql } from 'kysely'
import { HOUR_MS } from '../base/clock.ts'
import type { TeamRetentionRule } from './capability-storage.ts'
import { expireRowsOfTeam } from './expire-rows.ts'
import { BATCH_ROWS } from './sweep-batches.ts'
import { deleteAgedSearchPages, deleteOutdatedLinks } from './sweep-search.ts'
import type { Db } from './tables.ts'

interface Retention {
  pages?: number | undefined
  media?: number | undefined
  [setting: string]: number | undefined
}

const PREFIX = 'retention '

export const teamRetentionSettingName = (teamId: string): string => `${PREFIX}${teamId}`

export async function hasAnyTeamRetention(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('settings')
    .select('name')
    .where('name', 'like', `${PREFIX}%`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function expireByTeamRetention(db: Db, rules: readonly TeamRetentionRule[], now: number): Promise<number> {
  const rows = await db.selectFrom('settings').selectAll().where('name', 'like', `${PREFIX}%`).execute()
  let done = 0
  for (const { name, value } of rows) {
    const retention = JSON.parse(value) as Retention
    done += await expireOf(db, rules, name.slice(PREFIX.length), retention, now)
  }
  return done
}

async function expireOf(
  db: Db,
  rules: readonly TeamRetentionRule[],
  teamId: string,
  retention: Retention,
  now: number,
): Promise<number> {
  const before = (hours: number | undefined) => (hours === undefined ? undefined : now - hours * HOUR_MS)
  let done = 0
  const [pages, media] = [retention.pages, retention.media].map(before)
  if (pages !== undefined) {
    // The rest of the sweep handles pages of jobs and monitors left without a scrape.
    const aged = await db
      .selectFrom('scrapes')
      .select('id')
      .where('team_id', '=', teamId)
      .where('created_at', '<', pages)
      .limit(BATCH_ROWS)
      .execute()
    const ids = aged.map(({ id }) => id)
    if (ids.length > 0) await db.deleteFrom('scrapes').where('id', 'in', ids).execute()
    done += ids.length
    const versions = await db
      .deleteFrom('page_versions')
      .where('team_id', '=', teamId)
      .where('seen_at', '<', pages)
      .executeTakeFirst()
    done +=
      Number(versions.numDeletedRows) +
      (await deleteAgedSearchPages(db, pages, teamId)) +
      (await deleteOutdatedLinks(db, pages, teamId))
  }
  if (media !== undefined) {
    const { numUpdatedRows } = await db
      .updateTable('blobs')
      .set({ expires_at: now })
      .where('team_id', '=', teamId)
      .where('created_at', '<', media)
      .where(sql<boolean>`expires_at > ${now}`)
      .executeTakeFirst()
    done += Number(numUpdatedRows)
  }
  for (const rule of rules) {
    const aged = before(retention[rule.setting])
    if (aged !== undefined) done += await expireRowsOfTeam(db, rule, teamId, aged)
  }
  return done
}
