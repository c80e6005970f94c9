// Changes to teams and keys, each in one transaction with its audit entry, for the routes and the CLI. Callers have
// checked permissions.

import type { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../../base/clock.ts'
import type { Store } from '../../store/index.ts'
import { hasExpired, type KeyPermissions, type KeyRow } from '../../store/keys.ts'
import type { Team } from '../../store/teams.ts'
import { FIRST_KEY_NAME, issueKey, OWNER_KEY_RULES } from '../../teams/keys.ts'
import { teamStore } from '../../teams/store/index.ts'
import type { shownKeySchema, shownTeamSchema, teamBody, teamChangeBody } from './schema.ts'

type TeamChanges = Pick<z.output<typeof teamBody>, 'name' | 'plan' | 'credits' | 'zeroDataRetention' | 'ipAllow'>
type TeamChange = Omit<z.output<typeof teamChangeBody>, 'force' | 'origin' | 'integration'>

export function toShownKey(row: KeyRow, now: number): z.output<typeof shownKeySchema> {
  const { createdAt, expiresAt, revokedAt, ...rest } = row
  return {
    ...rest,
    state: revokedAt !== null ? 'revoked' : hasExpired(expiresAt, now) ? 'expired' : 'valid',
    createdAt: isoTime(createdAt),
    expiresAt: isoTimeOrNull(expiresAt),
    revokedAt: isoTimeOrNull(revokedAt),
  }
}

export async function toShownTeam(
  store: Store,
  { createdAt, ...team }: Team,
): Promise<z.output<typeof shownTeamSchema>> {
  return { ...team, createdAt: isoTime(createdAt), credits: await store.ledger.balance(team.id) }
}

export const createKey = (
  store: Store,
  teamId: string,
  { name, ...rules }: { name: string } & KeyPermissions,
  actor: string,
): Promise<{ key: string; row: KeyRow }> =>
  store.transaction(async (tx) => {
    const made = await issueKey(store, teamId, name, rules, tx)
    const details = { name, ...rules, expiresAt: isoTimeOrNull(rules.expiresAt) }
    await teamStore(store).audit.add({ teamId, actor, action: 'key.created', subject: made.row.id, details }, tx)
    return made
  })

export const revokeKey = (store: Store, { id, teamId, name }: KeyRow, actor: string): Promise<boolean> =>
  store.transaction(async (tx) => {
    if (!(await store.keys.revoke(id, tx))) return false
    await teamStore(store).audit.add({ teamId, actor, action: 'key.revoked', subject: id, details: { name } }, tx)
    return true
  })

export const createTeam = (
  store: Store,
  { credits, ...options }: TeamChanges,
  actor: string,
): Promise<{ team: Team; key: string }> =>
  store.transaction(async (tx) => {
    const limit = credits === null ? {} : { creditLimit: credits }
    const team = await store.teams.create({ ...options, ...limit }, tx)
    const first = await issueKey(store, team.id, FIRST_KEY_NAME, OWNER_KEY_RULES, tx)
    const entry = { teamId: team.id, actor }
    await teamStore(store).audit.add(
      { ...entry, action: 'team.created', subject: team.id, details: { ...options, credits } },
      tx,
    )
    await teamStore(store).audit.add(
      { ...entry, action: 'key.created', subject: first.row.id, details: { name: FIRST_KEY_NAME, ...OWNER_KEY_RULES } },
      tx,
    )
    return { team, key: first.key }
  })

export const changeTeam = (
  store: Store,
  teamId: string,
  { credits, addCredits, ...rest }: TeamChange,
  actor: string,
): Promise<void> =>
  store.transaction(async (tx) => {
    const entry = { teamId, actor, subject: teamId }
    if (Object.keys(rest).length > 0) {
      await store.teams.change(teamId, rest, tx)
      await teamStore(store).audit.add({ ...entry, action: 'team.changed', details: rest }, tx)
    }
    if (credits !== undefined) await store.ledger.limit(teamId, credits, tx)
    if (addCredits !== undefined) await store.ledger.grant(teamId, addCredits, tx)
    const details = { ...(credits === undefined ? {} : { credits }), ...(addCredits ? { addCredits } : {}) }
    if (Object.keys(details).length > 0)
      await teamStore(store).audit.add({ ...entry, action: 'credits.granted', details }, tx)
  })
