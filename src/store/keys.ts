// API keys as the store knows them: a hash and a hint, never the key itself.
import type { Clock } from '../base/time.ts'
import { newId } from './id.ts'
import type { Db, ZeroDataRetention } from './tables.ts'

export interface KeyRow {
  id: string
  teamId: string
  name: string
  /** The last characters of the key, to tell keys apart in a list. */
  hint: string
  createdAt: number
  revokedAt: number | null
}

/** All that a request needs to know about the key it came with. */
export interface KeyHolder {
  keyId: string
  hash: string
  teamId: string
  teamName: string
  plan: string
  zeroDataRetention: ZeroDataRetention
}

export interface Keys {
  add(key: { teamId: string; name: string; hash: string; hint: string }): Promise<KeyRow>
  /** One point read; undefined for an unknown or revoked key. */
  byHash(hash: string): Promise<KeyHolder | undefined>
  list(teamId?: string): Promise<KeyRow[]>
  /** False when there was nothing to revoke. */
  revoke(id: string): Promise<boolean>
}

const COLUMNS = [
  'id',
  'team_id as teamId',
  'name',
  'hint',
  'created_at as createdAt',
  'revoked_at as revokedAt',
] as const

export function openKeys(db: Db, clock: Clock): Keys {
  return {
    async add({ teamId, name, hash, hint }) {
      const createdAt = clock.now()
      const id = newId(createdAt)
      await db.insertInto('api_keys').values({ id, team_id: teamId, name, hash, hint, created_at: createdAt }).execute()
      return { id, teamId, name, hint, createdAt, revokedAt: null }
    },
    byHash: (hash) =>
      db
        .selectFrom('api_keys')
        .innerJoin('teams', 'teams.id', 'api_keys.team_id')
        .select([
          'api_keys.id as keyId',
          'api_keys.hash as hash',
          'teams.id as teamId',
          'teams.name as teamName',
          'teams.plan as plan',
          'teams.zero_data_retention as zeroDataRetention',
        ])
        .where('api_keys.hash', '=', hash)
        .where('api_keys.revoked_at', 'is', null)
        .executeTakeFirst(),
    list: (teamId) =>
      db
        .selectFrom('api_keys')
        .select(COLUMNS)
        .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    async revoke(id) {
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set({ revoked_at: clock.now() })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}
