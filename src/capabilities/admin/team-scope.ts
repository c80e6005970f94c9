// Resolves the team of an administrator's call: its own, or, for the operator, any or all.
import { Problem } from '../../base/problem.ts'
import type { Store } from '../../store/index.ts'
import type { KeyRow } from '../../store/keys.ts'
import type { Team } from '../../store/teams.ts'
import { assertOperator, mayManageTeam } from '../../teams/key-rights.ts'
import type { Caller } from '../../teams/keys.ts'

export async function resolveTeamScope(
  store: Store,
  caller: Caller,
  asked: string | undefined,
): Promise<string | undefined> {
  if (asked === undefined || asked === caller.teamId) return caller.teamId
  if (asked === 'all') {
    assertOperator(caller)
    return undefined
  }
  return (await findManageableTeam(store, caller, asked)).id
}

/** A team that the caller may manage; any other is a 404. */
export async function findManageableTeam(store: Store, caller: Caller, teamId: string): Promise<Team> {
  const id = teamId.toLowerCase()
  const team = mayManageTeam(caller, id) ? await store.teams.get(id) : undefined
  if (!team) throw new Problem('not_found', { instead: 'There is no such team' })
  return team
}

export async function findManageableKey(store: Store, caller: Caller, keyId: string): Promise<KeyRow> {
  const key = await store.keys.get(keyId.toLowerCase())
  if (!key || !mayManageTeam(caller, key.teamId)) throw new Problem('not_found', { instead: 'There is no such key' })
  return key
}

/** One page of rows and the next cursor. The query fetches one extra row to detect a next page. */
export function makeCursorPage<T extends { id: string }>(
  rows: readonly T[],
  limit: number,
): { rows: T[]; cursor: string | null } {
  const shown = rows.slice(0, limit)
  return { rows: shown, cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
}
