// Keys: list, create, change, revoke. The secret is shown only on creation.

import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import type { KeyRow } from '../../store/keys.ts'
import { assertGroupsDeclared } from '../../teams/key-restrictions.ts'
import { assertMayGrantRights } from '../../teams/key-rights.ts'
import { teamStore } from '../../teams/store/index.ts'
import { defineRoute, type Route, type Services } from '../route.ts'
import { createKey, revokeKey, toShownKey } from './change-teams-and-keys.ts'
import { dataReply, keyBody, keyChangeBody, newKeyReply, shownKeySchema, teamQuery } from './schema.ts'
import { findManageableKey, findManageableTeam, resolveTeamScope } from './team-scope.ts'

const PATH = '/v2/admin/keys'

function expiry(text: string | null, now: number): number | null {
  if (text === null) return null
  const at = Date.parse(text)
  if (at <= now) throw new Problem('bad_request', { because: 'expiresAt: is in the past' })
  return at
}

const list = defineRoute({
  method: 'GET',
  path: PATH,
  summary: 'List the keys of a team, without their secrets',
  query: teamQuery,
  reply: dataReply(z.array(shownKeySchema)),
  async handle({ store, clock }, { query }, { caller }) {
    const rows = await store.keys.list(await resolveTeamScope(store, caller, query.team))
    return { success: true, data: rows.map((row) => toShownKey(row, clock.now())) }
  },
})

const create = defineRoute({
  method: 'POST',
  path: PATH,
  summary: 'Create a key; it is shown only once',
  body: keyBody,
  example: { name: 'laptop' },
  reply: newKeyReply,
  async handle({ store, clock, declared }, { body }, { caller }) {
    assertGroupsDeclared(body.endpoints, declared.groups)
    assertMayGrantRights(caller, body.rights)
    const { id: teamId } = await findManageableTeam(store, caller, body.team ?? caller.teamId)
    const { team: _, origin: __, integration: ___, name, ...given } = body
    const rules = { ...given, expiresAt: expiry(body.expiresAt, clock.now()) }
    const { key, row } = await createKey(store, teamId, { name, ...rules }, caller.keyId)
    return { success: true, data: toShownKey(row, clock.now()), key }
  },
})

const change = defineRoute({
  method: 'PATCH',
  path: `${PATH}/:id`,
  summary: 'Change the name, restrictions or expiry of a key',
  body: keyChangeBody,
  reply: dataReply(shownKeySchema),
  async handle({ store, clock }, { body, params }, { caller }) {
    const { id, teamId, rights: had } = await findManageableKey(store, caller, params.id ?? '')
    assertMayGrantRights(caller, body.rights ?? [], had)
    const { origin: _, integration: __, expiresAt, ...rest } = body
    if (id === caller.keyId && body.rights && !body.rights.includes('admin'))
      throw new Problem('conflict', { because: 'a key cannot take the right `admin` from itself' })
    const options = { ...rest, ...(expiresAt === undefined ? {} : { expiresAt: expiry(expiresAt, clock.now()) }) }
    await store.transaction(async (tx) => {
      if (!(await store.keys.change(id, options, tx)))
        throw new Problem('conflict', { because: 'a revoked key cannot be changed' })
      const details = { ...rest, ...(expiresAt === undefined ? {} : { expiresAt }) }
      await teamStore(store).audit.add({ teamId, actor: caller.keyId, action: 'key.changed', subject: id, details }, tx)
    })
    return { success: true, data: toShownKey((await store.keys.get(id)) as KeyRow, clock.now()) }
  },
})

const revoke = defineRoute({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Revoke a key permanently',
  reply: dataReply(shownKeySchema),
  async handle({ store, clock }, { params }, { caller }) {
    const row = await findManageableKey(store, caller, params.id ?? '')
    const { id } = row
    if (id === caller.keyId)
      throw new Problem('conflict', { because: 'a key cannot revoke itself; use another one of the team' })
    await revokeKey(store, row, caller.keyId)
    return { success: true, data: toShownKey((await store.keys.get(id)) as KeyRow, clock.now()) }
  },
})

export const keyRoutes: readonly Route<Services>[] = [list, create, change, revoke]
