// Teams: list, create, change; and the caller's own identity and rights.

import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { isAddressAllowed, normalizeIpAddress } from '../../teams/ip-allowlist.ts'
import { assertOperator, isAdmin, isOperator } from '../../teams/key-rights.ts'
import { teamStore } from '../../teams/store/index.ts'
import { defineRoute, type Route, type RouteCall, type Services } from '../route.ts'
import { changeTeam, createTeam, toShownTeam } from './change-teams-and-keys.ts'
import { callerReply, dataReply, newTeamReply, shownTeamSchema, teamBody, teamChangeBody } from './schema.ts'
import { findManageableTeam } from './team-scope.ts'

const PATH = '/v2/admin/teams'

const list = defineRoute({
  method: 'GET',
  path: PATH,
  summary: 'The teams that the caller can manage, with their credits',
  reply: dataReply(z.array(shownTeamSchema)),
  async handle({ store }, _input, { caller }) {
    const teams = isOperator(caller)
      ? await store.teams.list()
      : [await findManageableTeam(store, caller, caller.teamId)]
    return { success: true, data: await Promise.all(teams.map((team) => toShownTeam(store, team))) }
  },
})

const get = defineRoute({
  method: 'GET',
  path: `${PATH}/:id`,
  summary: 'One team',
  reply: dataReply(shownTeamSchema),
  async handle({ store }, { params }, { caller }) {
    return { success: true, data: await toShownTeam(store, await findManageableTeam(store, caller, params.id ?? '')) }
  },
})

const create = defineRoute({
  method: 'POST',
  path: PATH,
  right: 'operator',
  summary: 'Create a team and its first key (operator)',
  body: teamBody,
  example: { name: 'research', plan: 'standard', credits: 100_000 },
  reply: newTeamReply,
  async handle({ store }, { body }, { caller }) {
    const { origin: _, integration: __, ...options } = body
    const { team, key } = await createTeam(store, options, caller.keyId)
    return { success: true, data: await toShownTeam(store, team), key }
  },
})

const change = defineRoute({
  method: 'PATCH',
  path: `${PATH}/:id`,
  summary: 'Change a team: name and allowed addresses; for the operator also plan, credits and retention',
  body: teamChangeBody,
  reply: dataReply(shownTeamSchema),
  async handle({ store }, { body, params }, call) {
    const { caller } = call
    const { id: teamId } = await findManageableTeam(store, caller, params.id ?? '')
    const { origin: _, integration: __, force, ...options } = body
    const { plan, zeroDataRetention, credits, addCredits, ipAllow } = options
    if ([plan, zeroDataRetention, credits, addCredits].some((value) => value !== undefined)) assertOperator(caller)
    if (credits !== undefined && addCredits !== undefined)
      throw new Problem('bad_request', { instead: 'Send `credits` or `addCredits`, not both' })
    if (teamId === caller.teamId && ipAllow && !force) assertStaysIn(ipAllow, call)
    await changeTeam(store, teamId, options, caller.keyId)
    return { success: true, data: await toShownTeam(store, await findManageableTeam(store, caller, teamId)) }
  },
})

/** An IP allowlist without the sender's own address would lock the sender out. */
function assertStaysIn(list: readonly string[], { address }: RouteCall): void {
  if (!isAddressAllowed(list, address))
    throw new Problem('conflict', {
      because: `this list would exclude ${normalizeIpAddress(address)}, the address of this request; add it, or send \`force: true\``,
    })
}

const who = ({ version }: Services, { caller }: RouteCall) => ({
  success: true,
  data: {
    key: { id: caller.keyId, name: caller.keyName, rights: caller.rights },
    team: { id: caller.teamId, name: caller.teamName, plan: caller.plan },
    isAdmin: isAdmin(caller),
    isOperator: isOperator(caller),
    version,
  },
})

const me = defineRoute({
  method: 'GET',
  path: '/v2/admin/me',
  right: 'use',
  group: 'open',
  summary: 'The key of this request and what it may manage',
  reply: callerReply,
  handle: async (services, _input, call) => who(services, call),
})

const login = defineRoute({
  method: 'POST',
  path: '/v2/admin/login',
  right: 'use',
  group: 'open',
  summary: 'The same, for a person who signs in to the dashboard; recorded in the audit log',
  reply: callerReply,
  async handle(services, _input, call) {
    const { keyId, keyName, teamId } = call.caller
    const details = { by: 'dashboard', key: keyName, address: normalizeIpAddress(call.address) }
    await teamStore(services.store).audit.add({ teamId, actor: keyId, action: 'login', subject: keyId, details })
    return who(services, call)
  },
})

export const teamRoutes: readonly Route<Services>[] = [me, login, list, get, create, change]
