// Decides which keys may reach private networks that ORB_ALLOW_PRIVATE opens: those with the right `private`, and
// the operator's admin keys.
import type { Clock } from '../base/time.ts'
import { type Reach, reachRun } from '../fetch/reach.ts'
import type { Store } from '../store/index.ts'
import { isOperator } from './rights.ts'

export interface KeyReach {
  /** Without a key, private networks are closed. */
  as<T>(keyId: string | null, work: () => Promise<T>): Promise<T>
  by<T>(caller: Holder | undefined, work: () => Promise<T>): Promise<T>
}

interface Holder {
  rights: readonly string[]
  teamId: string
  ofOperator: boolean
}

interface ReachOptions {
  store: Pick<Store, 'keys' | 'teams'>
  /** The operator does not distinguish keys, or has opened nothing. */
  everyone: boolean
  clock: Clock
}

const REMEMBER_MS = 5000
const MAX_REMEMBERED = 10_000

const mayReach = (holder: Holder): boolean => holder.rights.includes('private') || isOperator(holder)

export function openReach({ store, everyone, clock }: ReachOptions): KeyReach {
  const known = new Map<string, { may: boolean; at: number }>()
  const mayKey = async (keyId: string): Promise<boolean> => {
    const found = known.get(keyId)
    if (found && clock.now() - found.at < REMEMBER_MS) return found.may
    const [key, operator] = await Promise.all([store.keys.get(keyId), store.teams.operator()])
    const may = key !== undefined && mayReach({ ...key, ofOperator: key.teamId === operator?.id })
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(keyId, { may, at: clock.now() })
    return may
  }
  const reachFor = (may: boolean): Reach => (everyone ? 'everyone' : may ? 'private' : 'public')
  return {
    as: async (keyId, work) => reachRun.run(reachFor(keyId !== null && !everyone && (await mayKey(keyId))), work),
    by: (caller, work) => reachRun.run(reachFor(caller !== undefined && mayReach(caller)), work),
  }
}
