// Teams: who owns keys, credits and results.
import { Problem } from '../base/problem.ts'
import type { Clock } from '../base/time.ts'
import { newId } from './id.ts'
import { type Db, type Tx, within, type ZeroDataRetention } from './tables.ts'

export interface Team {
  id: string
  name: string
  plan: string
  zeroDataRetention: ZeroDataRetention
  createdAt: number
}

export interface NewTeam {
  name: string
  /** A row of the plan table in teams/; unlimited unless said otherwise. */
  plan?: string
  /** Credits the team may spend in all; no limit unless said otherwise. */
  creditLimit?: number
  zeroDataRetention?: ZeroDataRetention
}

export interface Teams {
  /** Throws `conflict` when the name is taken. */
  create(team: NewTeam, tx?: Tx): Promise<Team>
  get(id: string): Promise<Team | undefined>
  byName(name: string): Promise<Team | undefined>
  list(): Promise<Team[]>
}

const COLUMNS = ['id', 'name', 'plan', 'zero_data_retention as zeroDataRetention', 'created_at as createdAt'] as const

export function openTeams(db: Db, clock: Clock): Teams {
  return {
    create: (wish, tx) =>
      within(db, tx, async (tx) => {
        const at = clock.now()
        const team: Team = {
          id: newId(at),
          name: wish.name,
          plan: wish.plan ?? 'unlimited',
          zeroDataRetention: wish.zeroDataRetention ?? 'allowed',
          createdAt: at,
        }
        const { zeroDataRetention, createdAt, ...plain } = team
        const made = await tx
          .insertInto('teams')
          .values({ ...plain, zero_data_retention: zeroDataRetention, created_at: createdAt })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .executeTakeFirst()
        if (made.numInsertedOrUpdatedRows !== 1n)
          throw new Problem('conflict', { because: `a team named "${team.name}" exists already` })
        const granted = wish.creditLimit ?? null
        await tx.insertInto('balances').values({ team_id: team.id, granted, spent: 0, reserved: 0 }).execute()
        if (granted !== null)
          await tx.insertInto('ledger').values({ team_id: team.id, kind: 'grant', credits: granted, at }).execute()
        return team
      }),
    get: (id) => db.selectFrom('teams').select(COLUMNS).where('id', '=', id).executeTakeFirst(),
    byName: (name) => db.selectFrom('teams').select(COLUMNS).where('name', '=', name).executeTakeFirst(),
    list: () => db.selectFrom('teams').select(COLUMNS).orderBy('created_at').orderBy('id').execute(),
  }
}
