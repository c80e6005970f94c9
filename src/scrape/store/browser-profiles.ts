// Browser profiles: encrypted browser state, with a claim for the session that may save it.
import { sql } from 'kysely'
import type { StorageContext } from '../../store/capability-storage.ts'
import type { Bytes } from '../../store/column-types.ts'
import { toBuffer } from '../../store/tables.ts'

declare module '../../store/tables.ts' {
  interface Tables {
    profiles: {
      team_id: string
      name: string
      state: Bytes
      updated_at: number
      saver: string | null
      saver_until: number
    }
  }
}

interface ProfileRef {
  teamId: string
  name: string
}

export type BrowserProfiles = ReturnType<typeof openBrowserProfiles>

export function openBrowserProfiles({ db, clock, secrets }: StorageContext) {
  return {
    async load({ teamId, name }: ProfileRef) {
      const row = await db
        .selectFrom('profiles')
        .select('state')
        .where('team_id', '=', teamId)
        .where('name', '=', name)
        .executeTakeFirst()
      return row?.state ? secrets.open(toBuffer(row.state).toString('base64'), labelOf(teamId, name)) : undefined
    },
    async claim({ teamId, name }: ProfileRef, saver: string, forMs: number) {
      const now = clock.now()
      const claimed = await db
        .insertInto('profiles')
        .values({ team_id: teamId, name, state: null, updated_at: now, saver, saver_until: now + forMs })
        .onConflict((conflict) =>
          conflict
            .columns(['team_id', 'name'])
            .doUpdateSet({ saver, saver_until: now + forMs })
            .where((where) =>
              where.or([where('profiles.saver', 'is', null), where('profiles.saver_until', '<=', now)]),
            ),
        )
        .returning('saver')
        .executeTakeFirst()
      return claimed?.saver === saver
    },
    /** False, without a change, when the claim was lost. */
    async save({ teamId, name }: ProfileRef, saver: string, state: string) {
      const sealed = Buffer.from(secrets.seal(state, labelOf(teamId, name)), 'base64')
      const { numUpdatedRows } = await db
        .updateTable('profiles')
        .set({ state: sealed, updated_at: clock.now(), saver: null, saver_until: 0 })
        .where('team_id', '=', teamId)
        .where('name', '=', name)
        .where('saver', '=', saver)
        .executeTakeFirst()
      return Number(numUpdatedRows) === 1
    },
    async release({ teamId, name }: ProfileRef, saver: string) {
      await db
        .updateTable('profiles')
        .set({ saver: null, saver_until: 0 })
        .where('team_id', '=', teamId)
        .where('name', '=', name)
        .where('saver', '=', saver)
        .execute()
    },
    async list(teamId: string) {
      const rows = await db
        .selectFrom('profiles')
        .select(['name', 'updated_at', 'saver', 'saver_until', sql<number>`length(state)`.as('bytes')])
        .where('team_id', '=', teamId)
        .where('state', 'is not', null)
        .orderBy('name')
        .limit(1000)
        .execute()
      const now = clock.now()
      return rows.map((row) => ({
        name: row.name,
        updatedAt: Number(row.updated_at),
        inUse: row.saver !== null && Number(row.saver_until) > now,
        bytes: Number(row.bytes),
      }))
    },
    async remove({ teamId, name }: ProfileRef) {
      const own = db.selectFrom('profiles').select('saver').where('team_id', '=', teamId).where('name', '=', name)
      if (!(await own.executeTakeFirst())) return 'unknown'
      const { numDeletedRows } = await db
        .deleteFrom('profiles')
        .where('team_id', '=', teamId)
        .where('name', '=', name)
        .where((where) => where.or([where('saver', 'is', null), where('saver_until', '<=', clock.now())]))
        .executeTakeFirst()
      return Number(numDeletedRows) === 1 ? 'removed' : 'in use'
    },
  }
}

// Authenticated label, so that one team's state cannot be moved into another's row.
const labelOf = (teamId: string, name: string): string => `${teamId} ${name}`
