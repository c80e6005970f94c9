// Teams, which own keys, credits and results.
import { type Selectable, sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { newId } from './id.ts'
import { parseStringList } from './keys.ts'
import { type Db, inTransaction, type Tables, type Tx, type ZeroDataRetention } from './tables.ts'

export interface Team {
  id: string
  name: string
  plan: string
  zeroDataRetention: ZeroDataRetention
  ipAllow: string[]
  createdAt: number
}

interface NewTeam {
  name: string
  plan?: string
  creditLimit?: number
  zeroDataRetention?: ZeroDataRetention
  ipAllow?: string[]
  /** Fails when there is an operator's team already. */
  isOperator?: boolean
}

const makeNameTakenProblem = (name: string) =>
  new Problem('conflict', { because: `a team named "${name}" exists already` })

export type Teams = ReturnType<typeof openTeams>

export function openTeams(db: Db, clock: Clock) {
  const one = async (column: 'id' | 'name', value: string) => {
    const row = await db.selectFrom('teams').selectAll().where(column, '=', value).executeTakeFirst()
    return row && teamOf(row)
  }
  return {
    create: (options: NewTeam, tx?: Tx) =>
      inTransaction(db, tx, async (tx) => {
        const at = clock.now()
        const team: Team = {
          id: newId(at),
          name: options.name,
          plan: options.plan ?? 'unlimited',
          zeroDataRetention: options.zeroDataRetention ?? 'allowed',
          ipAllow: options.ipAllow ?? [],
          createdAt: at,
        }
        const { zeroDataRetention, createdAt, ipAllow, ...plain } = team
        const row = {
          zero_data_retention: zeroDataRetention,
          created_at: createdAt,
          ip_allow: JSON.stringify(ipAllow),
          is_operator: options.isOperator ? 1 : 0,
        }
        const made = await tx
          .insertInto('teams')
          .values({ ...plain, ...row })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .executeTakeFirst()
        if (made.numInsertedOrUpdatedRows !== 1n) throw makeNameTakenProblem(team.name)
        const granted = options.creditLimit ?? null
        await tx.insertInto('balances').values({ team_id: team.id, granted, spent: 0, reserved: 0 }).execute()
        if (granted !== null)
          await tx.insertInto('ledger').values({ team_id: team.id, kind: 'grant', credits: granted, at }).execute()
        return team
      }),
    get: (id: string) => one('id', id),
    byName: (name: string) => one('name', name),
    async operator() {
      const row = await db.selectFrom('teams').selectAll().where('is_operator', '=', 1).executeTakeFirst()
      return row && teamOf(row)
    },
    async list() {
      const rows = await db.selectFrom('teams').selectAll().orderBy('created_at').orderBy('id').execute()
      return rows.map(teamOf)
    },
    /** Throws `conflict` when the name is taken; false for an unknown team. */
    change: (
      id: string,
      { name, plan, zeroDataRetention, ipAllow }: Partial<Omit<Team, 'id' | 'createdAt'>>,
      tx?: Tx,
    ) =>
      inTransaction(db, tx, async (tx) => {
        if (name !== undefined) {
          const other = await tx.selectFrom('teams').select('id').where('name', '=', name).executeTakeFirst()
          if (other && other.id !== id) throw makeNameTakenProblem(name)
        }
        const { numUpdatedRows } = await tx
          .updateTable('teams')
          .set({
            name: name ?? sql<string>`name`,
            ...(plan === undefined ? {} : { plan }),
            ...(zeroDataRetention === undefined ? {} : { zero_data_retention: zeroDataRetention }),
            ...(ipAllow === undefined ? {} : { ip_allow: JSON.stringify(ipAllow) }),
          })
          .where('id', '=', id)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),
  }
}

const teamOf = (row: Selectable<Tables['teams']>): Team => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  zeroDataRetention: row.zero_data_retention,
  ipAllow: parseStringList(row.ip_allow),
  createdAt: row.created_at,
})
