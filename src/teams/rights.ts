// Who may do what. `admin`: its holder manages the keys and addresses of its own team; in the operator's team it manages all
// teams. `private`: its holder may visit what the operator opened beside the public web; only the operator gives it.
import { Problem } from '../base/problem.ts'
import type { Caller } from './keys.ts'

/** What a route needs: no key at all, any key, or one that manages its team or all teams. */
export const NEEDED_RIGHTS = ['none', 'use', 'admin', 'operator'] as const
export type NeededRight = (typeof NEEDED_RIGHTS)[number]

export const RIGHTS = ['admin', 'private'] as const

type Holder = Pick<Caller, 'rights' | 'ofOperator' | 'teamId'>

export const isAdmin = ({ rights }: Pick<Caller, 'rights'>): boolean => rights.includes('admin')

export const isOperator = (caller: Holder): boolean => isAdmin(caller) && caller.ofOperator

export function assertRight(caller: Holder, needed: NeededRight): void {
  if (needed === 'admin' && !isAdmin(caller))
    throw new Problem('forbidden', { because: 'this needs a key with the right `admin`' })
  if (needed === 'operator') assertOperator(caller)
}

export function assertOperator(caller: Holder): void {
  if (!isOperator(caller))
    throw new Problem('forbidden', {
      because: "this needs a key of the operator's team with the right `admin`",
    })
}

/** Rights that a key is to have beside those it has. */
export function assertMayGive(caller: Holder, rights: readonly string[], had: readonly string[] = []): void {
  if (rights.includes('private') && !had.includes('private') && !isOperator(caller))
    throw new Problem('forbidden', { because: 'the right `private` is given by the operator alone' })
}

/** True when the caller may manage this team. Others look as if they did not exist. */
export const mayManage = (caller: Holder, teamId: string): boolean =>
  isAdmin(caller) && (caller.teamId === teamId || isOperator(caller))
