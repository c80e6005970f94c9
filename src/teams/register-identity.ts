// An identity verified by a trusted issuer gets a team and a key. It returns to the same team; an assertion works
// once.

import { Problem } from '../base/problem.ts'
import type { Store } from '../store/index.ts'
import type { KeyRow } from '../store/keys.ts'
import type { Tx } from '../store/tables.ts'
import { makeOauthProblem, type VerifiedIdentity } from './identity-assertions.ts'
import { issueKey } from './keys.ts'
import { teamStore } from './store/index.ts'

const KEY_NAME = 'registered agent'
/** A new key replaces the oldest. */
const MAX_KEYS_PER_IDENTITY = 10

export async function registerIdentity(
  store: Store,
  identity: VerifiedIdentity,
  plan: string,
): Promise<{ key: string; row: KeyRow }> {
  const { issuer, subject, email } = identity
  if (!(await teamStore(store).onboarding.useAssertion(identity.hash, identity.expiresAt)))
    throw makeOauthProblem('bad_request', 'replay_detected', 'this assertion was used before')
  const known = await teamStore(store).onboarding.teamOf(issuer, subject)
  const surplus = known ? await oldKeys(store, known) : []
  const actor = `${issuer} ${subject}`
  return store.transaction(async (tx) => {
    const teamId = known ?? (await newTeam(store, tx, identity, plan, actor))
    for (const { id } of surplus) await store.keys.revoke(id, tx)
    const made = await issueKey(store, teamId, KEY_NAME, {}, tx)
    const details = { email, revoked: surplus.map(({ id }) => id) }
    await teamStore(store).audit.add({ teamId, actor, action: 'registration', subject: made.row.id, details }, tx)
    return made
  })
}

async function oldKeys(store: Store, teamId: string): Promise<KeyRow[]> {
  const valid = (await store.keys.list(teamId)).filter(({ name, revokedAt }) => name === KEY_NAME && revokedAt === null)
  return valid.slice(0, Math.max(0, valid.length - MAX_KEYS_PER_IDENTITY + 1))
}

async function newTeam(
  store: Store,
  tx: Tx,
  { issuer, subject, email }: VerifiedIdentity,
  plan: string,
  actor: string,
): Promise<string> {
  const team = await addNamedTeam(
    store,
    tx,
    [email, `${email} (${new URL(issuer).host})`, `${email} (${subject})`],
    plan,
  )
  await teamStore(store).onboarding.remember(tx, { issuer, subject, email, teamId: team.id })
  const details = { name: team.name, plan, email }
  await teamStore(store).audit.add({ teamId: team.id, actor, action: 'team.created', subject: team.id, details }, tx)
  return team.id
}

/** The same e-mail from another issuer is another identity, with its own team. */
async function addNamedTeam(store: Store, tx: Tx, [name = '', ...others]: string[], plan: string) {
  try {
    return await store.teams.create({ name: name.slice(0, 400), plan }, tx)
  } catch (error) {
    if (others.length === 0 || !(error instanceof Problem) || error.kind !== 'conflict') throw error
    return addNamedTeam(store, tx, others, plan)
  }
}
