// Rights of keys. `admin` manages its own team, in the operator's team all teams; `vault` may use and change the team's
// vault, as may `admin`; `private` may reach opened private networks, and only the operator grants it.
import { Problem } from '../base/problem.ts'
import type { Caller } from './keys.ts'

/** No key, any key, a key for the vault, a team admin, or the operator. */
const NEEDED_RIGHTS = ['none', 'use', 'vault', 'admin', 'operator'] as const
export type NeededRight = (typeof NEEDED_RIGHTS)[number]

export const KEY_RIGHTS = ['admin', 'private', 'vault'] as const

type KeyRightsHolder = Pick<Caller, 'rights' | 'ofOperator' | 'teamId'>

export const isAdmin = ({ rights }: Pick<Caller, 'rights'>): boolean => rights.includes('admin')

export const mayUseVault = ({ rights }: Pick<Caller, 'rights'>): boolean =>
  rights.includes('vault') || rights.includes('admin')

export const isOperator = (caller: KeyRightsHolder): boolean => isAdmin(caller) && caller.ofOperator

export function assertRight(caller: KeyRightsHolder, needed: NeededRight): void {
  if (needed === 'admin' && !isAdmin(caller))
    throw new Problem('forbidden', { because: 'this needs a key with the right `admin`' })
  if (needed === 'vault' && !mayUseVault(caller))
    throw new Problem('forbidden', { because: 'this needs a key with the right `vault`' })
  if (needed === 'operator') assertOperator(caller)
}

export function assertOperator(caller: KeyRightsHolder): void {
  if (!isOperator(caller))
    throw new Problem('forbidden', {
      because: "this needs a key of the operator's team with the right `admin`",
    })
}

export function assertMayGrantRights(
  caller: KeyRightsHolder,
  rights: readonly string[],
  had: readonly string[] = [],
): void {
  if (rights.includes('private') && !had.includes('private') && !isOperator(caller))
    throw new Problem('forbidden', { because: 'only the operator grants the right `private`' })
}

/** Other teams look as if they did not exist. */
export const mayManageTeam = (caller: KeyRightsHolder, teamId: string): boolean =>
  isAdmin(caller) && (caller.teamId === teamId || isOperator(caller))
