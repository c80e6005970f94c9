// Acting for another team: whoever runs the service may look at it as one of its teams does, and work in its name. Who that
// is, is decided here from the key and the store; a caller can only ask.
import { isUuid } from '../base/id.ts'
import { Problem } from '../base/problem.ts'
import type { Store } from '../store/index.ts'
import type { Caller } from './keys.ts'
import { isOperator } from './rights.ts'

/**
 * The caller as a member of the team: its plan, its credits, its results. The key and the addresses it may come from stay
 * the caller's, and so does its name in every book; what only the operator may do is not done in another team's name.
 */
export async function actingFor(
  store: Pick<Store, 'teams' | 'ledger'>,
  caller: Caller,
  teamId: string,
): Promise<Caller> {
  const id = teamId.toLowerCase()
  if (id === caller.teamId) return caller
  const team = isOperator(caller) && isUuid(id) ? await store.teams.get(id) : undefined
  // Whether there is one is told to nobody else.
  if (!team) throw new Problem('not_found', { instead: 'There is no such team, or it is not yours to act for' })
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
