// API keys: a hash and a hint, never the key itself.
import { type Selectable, sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { compileStatementOnce } from './compiled-statements.ts'
import { newId } from './id.ts'
import { type Db, inTransaction, type Tables, type Tx, type ZeroDataRetention } from './tables.ts'

/** What a key may do, and until when. Empty lists of endpoints and formats allow all; IP allowlists belong to the team. */
export interface KeyPermissions {
  rights: string[]
  endpoints: string[]
  formats: string[]
  expiresAt: number | null
  /** Of the language model; null: no limit. */
  modelTokensPerMonth: number | null
  modelCostPerMonth: number | null
}

export interface KeyRow extends KeyPermissions {
  id: string
  teamId: string
  name: string
  hint: string
  createdAt: number
  revokedAt: number | null
}

interface KeyHolder extends Omit<KeyPermissions, 'expiresAt'> {
  keyId: string
  keyName: string
  hash: string
  teamId: string
  teamName: string
  plan: string
  zeroDataRetention: ZeroDataRetention
  ipAllow: string[]
  isLimited: boolean
  ofOperator: boolean
}

export interface Keys {
  add(
    key: { teamId: string; name: string; hash: string; hint: string } & Partial<KeyPermissions>,
    tx?: Tx,
  ): Promise<KeyRow>
  /** One point read; undefined for an unknown, revoked or expired key. */
  byHash(hash: string): Promise<KeyHolder | undefined>
  get(id: string): Promise<KeyRow | undefined>
  list(teamId?: string): Promise<KeyRow[]>
  change(id: string, change: Partial<KeyPermissions & { name: string }>, tx?: Tx): Promise<boolean>
  /** Another secret for the same key; false when it is no longer the one that `hash` is of. */
  replace(id: string, hash: string, next: { hash: string; hint: string; expiresAt: number }): Promise<boolean>
  revoke(id: string, tx?: Tx): Promise<boolean>
}

export function openKeys(db: Db, clock: Clock): Keys {
  const holderOf = holderReader(db)
  return {
    add: (options, tx) =>
      inTransaction(db, tx, async (tx) => {
        const { teamId, name, hash, hint, rights = [], endpoints = [], formats = [], expiresAt = null } = options
        const { modelTokensPerMonth = null, modelCostPerMonth = null } = options
        const limits = { modelTokensPerMonth, modelCostPerMonth }
        const createdAt = clock.now()
        const id = newId(createdAt)
        await tx
          .insertInto('api_keys')
          .values({
            ...{ id, team_id: teamId, name, hash, hint, created_at: createdAt },
            rights: JSON.stringify(rights),
            endpoints: JSON.stringify(endpoints),
            formats: JSON.stringify(formats),
            expires_at: expiresAt,
            model_tokens: modelTokensPerMonth,
            model_cost: modelCostPerMonth,
          })
          .execute()
        return { id, teamId, name, hint, createdAt, revokedAt: null, rights, endpoints, formats, expiresAt, ...limits }
      }),
    byHash: (hash) => holderOf(hash, clock.now()),
    async get(id) {
      const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
      return row && rowOf(row)
    },
    async list(teamId) {
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(rowOf)
    },
    change: (id, { name, rights, endpoints, formats, expiresAt, modelTokensPerMonth, modelCostPerMonth }, tx) =>
      inTransaction(db, tx, async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('api_keys')
          .set({
            // Setting a column to itself keeps the statement valid when nothing else changes.
            name: name ?? sql<string>`name`,
            ...(rights ? { rights: JSON.stringify(rights) } : {}),
            ...(endpoints ? { endpoints: JSON.stringify(endpoints) } : {}),
            ...(formats ? { formats: JSON.stringify(formats) } : {}),
            ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
            ...(modelTokensPerMonth === undefined ? {} : { model_tokens: modelTokensPerMonth }),
            ...(modelCostPerMonth === undefined ? {} : { model_cost: modelCostPerMonth }),
          })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),
    async replace(id, known, { hash, hint, expiresAt }) {
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set({ hash, hint, expires_at: expiresAt })
        .where('id', '=', id)
        .where('hash', '=', known)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    revoke: (id, tx) =>
      inTransaction(db, tx, async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('api_keys')
          .set({ revoked_at: clock.now() })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),
  }
}

function holderReader(db: Db): (hash: string, now: number) => Promise<KeyHolder | undefined> {
  const find = compileStatementOnce(({ hash }: { hash: string }) =>
    db
      .selectFrom('api_keys')
      .innerJoin('teams', 'teams.id', 'api_keys.team_id')
      .leftJoin('balances', 'balances.team_id', 'api_keys.team_id')
      .select([
        'balances.granted as granted',
        'api_keys.id as keyId',
        'api_keys.name as keyName',
        'api_keys.hash as hash',
        'teams.id as teamId',
        'teams.name as teamName',
        'teams.plan as plan',
        'teams.zero_data_retention as zeroDataRetention',
        'teams.ip_allow as ipAllow',
        'teams.is_operator as isOperator',
        'rights',
        'endpoints',
        'formats',
        'expires_at as expiresAt',
        'api_keys.model_tokens as modelTokens',
        'api_keys.model_cost as modelCost',
      ])
      .where('api_keys.hash', '=', hash)
      .where('api_keys.revoked_at', 'is', null)
      .compile(),
  )
  return async (hash, now) => {
    const row = await find.first(db, { hash })
    if (!row || hasExpired(row.expiresAt, now)) return undefined
    const { granted, isOperator, expiresAt: _, modelTokens, modelCost, ...holder } = row
    return {
      ...holder,
      ...listsOf(row),
      ipAllow: parseStringList(row.ipAllow),
      isLimited: granted !== null,
      ofOperator: Number(isOperator) === 1,
      modelTokensPerMonth: numberOrNull(modelTokens),
      modelCostPerMonth: numberOrNull(modelCost),
    }
  }
}

export const hasExpired = (expiresAt: number | null, now: number): boolean => expiresAt !== null && expiresAt <= now

/** Throws on an unreadable list: an empty one would allow everything. */
export function parseStringList(text: string): string[] {
  // Most lists are empty, and every request reads four of them.
  if (text === '[]') return []
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) throw new Error(`A list was expected, not ${text.slice(0, 100)}`)
  return list.map(String)
}

const listsOf = ({ rights, endpoints, formats }: { rights: string; endpoints: string; formats: string }) => ({
  rights: parseStringList(rights),
  endpoints: parseStringList(endpoints),
  formats: parseStringList(formats),
})

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value))

const rowOf = (row: Selectable<Tables['api_keys']>): KeyRow => ({
  id: row.id,
  teamId: row.team_id,
  name: row.name,
  hint: row.hint,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
  expiresAt: row.expires_at,
  modelTokensPerMonth: numberOrNull(row.model_tokens),
  modelCostPerMonth: numberOrNull(row.model_cost),
  ...listsOf(row),
})
