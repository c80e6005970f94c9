// Decides which keys may reach private networks that ORB_ALLOW_PRIVATE opens: those with the right `private`, and
// the operator's admin keys.

import { callContext, type PrivateAddressAccess, withCallContext } from '../base/call-context.ts'
import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/index.ts'
import { isOperator } from './key-rights.ts'
import type { Caller } from './keys.ts'

export type PrivateNetworkReach = ReturnType<typeof openPrivateNetworkReach>

type KeyRightsHolder = Pick<Caller, 'rights' | 'teamId' | 'ofOperator'> & Partial<Pick<Caller, 'keyId'>>

interface ReachOptions {
  store: Pick<Store, 'keys' | 'teams'>
  /** The operator does not distinguish keys, or has opened nothing. */
  everyone: boolean
  /** Whether work differs by team, so that each key's team must be known. */
  byTeam: boolean
  clock: Clock
}

const REMEMBER_MS = 5000
const MAX_REMEMBERED = 10_000

const mayReach = (holder: KeyRightsHolder): boolean => holder.rights.includes('private') || isOperator(holder)

type KnownKey = { may: boolean; teamId: string | undefined; at: number }

export function openPrivateNetworkReach({ store, everyone, byTeam, clock }: ReachOptions) {
  const known = new Map<string, KnownKey>()
  const read = async (keyId: string): Promise<KnownKey> => {
    const found = known.get(keyId)
    if (found && clock.now() - found.at < REMEMBER_MS) return found
    const [key, operator] = await Promise.all([store.keys.get(keyId), store.teams.operator()])
    const may = key !== undefined && mayReach({ ...key, ofOperator: key.teamId === operator?.id })
    if (known.size >= MAX_REMEMBERED) known.clear()
    const fresh = { may, teamId: key?.teamId, at: clock.now() }
    known.set(keyId, fresh)
    return fresh
  }
  const reachFor = (may: boolean): PrivateAddressAccess => (everyone ? 'everyone' : may ? 'private' : 'public')
  return {
    /** Without a key, private networks are closed. */
    async as<T>(keyId: string | null, work: () => Promise<T>) {
      const key = keyId !== null && (byTeam || !everyone) ? await read(keyId) : undefined
      // A job may start within the context of another team's request, whose end woke the queue.
      const around = callContext()
      const teamId = key?.teamId ?? (around.keyId === (keyId ?? undefined) ? around.teamId : undefined)
      return withCallContext({ keyId: keyId ?? undefined, teamId, reach: reachFor(key?.may ?? false) }, work)
    },
    by: <T>(caller: KeyRightsHolder | undefined, work: () => Promise<T>) =>
      withCallContext(
        {
          keyId: caller?.keyId,
          teamId: caller?.teamId,
          reach: reachFor(caller !== undefined && mayReach(caller)),
        },
        work,
      ),
  }
}
