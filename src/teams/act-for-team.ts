// Lets the operator act for another team. The key and the store decide whether a caller may.

import { Problem } from '../base/problem.ts'
import { isUuid } from '../base/uuid-format.ts'
import type { Store } from '../store/index.ts'
import { isOperator } from './key-rights.ts'
import type { Caller } from './keys.ts'

/** Key, IP allowlist and audit name stay the caller's, and operator rights do not apply. */
export async function actForTeam(
  store: Pick<Store, 'teams' | 'ledger'>,
  caller: Caller,
  teamId: string,
): Promise<Caller> {
  const id = teamId.toLowerCase()
  if (id === caller.teamId) return caller
  const team = isOperator(caller) && isUuid(id) ? await store.teams.get(id) : undefined
  // The same error for everyone else, so that team ids cannot be probed.
  if (!team) throw new Problem('not_found', { instead: 'There is no such team, or you may not act for it' })
  const { granted } = await store.ledger.balance(id)
  return {
    ...caller,
    teamId: id,
    teamName: team.name,
    plan: team.plan,
    zeroDataRetention: team.zeroDataRetention,
    isLimited: granted !== null,
    ofOperator: false,
  }
}
