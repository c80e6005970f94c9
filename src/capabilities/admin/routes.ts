// Administration for the dashboard and the CLI, beyond the released clients' API. Other teams' objects are a 404.

import { z } from 'zod'
import { teamRetentionSettingName } from '../../store/apply-team-retention.ts'
import { teamStore } from '../../teams/store/index.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute, type Route, type Services } from '../route.ts'
import { forgetRoutes } from './forget-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { modelRoutes } from './model-routes.ts'
import { dataReply } from './schema.ts'
import { teamRoutes } from './team-routes.ts'
import { findManageableTeam } from './team-scope.ts'
import { usageAndAuditRoutes } from './usage-and-audit-routes.ts'
import { webhookSecretAndHealthRoutes } from './webhook-secret-and-health-routes.ts'

const PATH = '/v2/admin/teams/:id/retention'

const hours = (most: number, what: string) => z.int().min(1).max(most).optional().describe(what)
const retention = z
  .strictObject({
    pages: hours(24, 'Results of scrapes and jobs; 24 otherwise.'),
    media: hours(24, 'Screenshots, audio, video and recordings; at most as long as their links work.'),
    traces: hours(24, 'Agent runs with their traces; 24 otherwise.'),
    monitors: hours(8760, 'Checks of monitors and their results; otherwise as set in each monitor.'),
  })
  .describe('In hours, by kind; other kinds keep the usual time.')
const reply = dataReply(retention)

const show = defineRoute({
  method: 'GET',
  path: PATH,
  summary: 'Shorter retention times of a team',
  reply,
  async handle({ store }, { params }, { caller }) {
    const { id } = await findManageableTeam(store, caller, params.id ?? '')
    return { success: true, data: JSON.parse((await store.settings.get(teamRetentionSettingName(id))) ?? '{}') }
  },
})

const change = defineRoute({
  method: 'PUT',
  path: PATH,
  summary: 'Set shorter retention times for a team',
  body: retention,
  example: { pages: 1, traces: 1 },
  reply,
  async handle({ store }, { body, params }, { caller }) {
    const { id } = await findManageableTeam(store, caller, params.id ?? '')
    await store.settings.set(teamRetentionSettingName(id), JSON.stringify(body))
    await teamStore(store).audit.add({
      teamId: id,
      actor: caller.keyId,
      action: 'team.changed',
      subject: id,
      details: { retention: body },
    })
    return { success: true, data: body }
  },
})

const retentionRoutes: readonly Route<Services>[] = [show, change]

export const adminCapability = defineCapability({
  name: 'admin',
  tag: 'Administration',
  needs: ['rewriteIndex'],
  right: 'admin',
  bucket: 'account',
  cliGroup: 'Keys and teams',
  routes: [
    ...teamRoutes,
    ...keyRoutes,
    ...usageAndAuditRoutes,
    ...webhookSecretAndHealthRoutes,
    ...forgetRoutes,
    ...retentionRoutes,
    ...modelRoutes,
  ],
})
