// Deletion on demand: everything stored about a URL, a host or a team, cleared from the database files as well.

import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { isOperator } from '../../teams/key-rights.ts'
import { teamStore } from '../../teams/store/index.ts'
import { makeRouteBuilder, type Route, type ServicesWith } from '../route.ts'
import { dataReply } from './schema.ts'
import { findManageableTeam } from './team-scope.ts'

const body = z
  .strictObject({
    url: z.url().max(2048).optional().describe('One URL.'),
    host: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i, {
        error: 'must be the name of a host, without a scheme or a path',
      })
      .max(253)
      .optional()
      .describe('All URLs of a host; subdomains are other hosts.'),
    team: z.string().max(256).optional().describe('All data of a team; with `url` or `host`: only of this team.'),
    origin: z.string().max(256).optional(),
    integration: z.string().max(256).nullish(),
  })
  .refine(({ url, host }) => !url || !host, { error: 'Send `url` or `host`, not both' })
  .refine(({ url, host, team }) => url || host || team, { error: 'Say what: `url`, `host` or `team`' })
  .describe('The data to delete.')

const forgotten = dataReply(
  z.object({
    removed: z.record(z.string(), z.int()).describe('Rows that were removed, by table.'),
    rewritten: z
      .boolean()
      .describe(
        'Whether all its bytes are gone from the files of the database. False on PostgreSQL while a transaction that began before lasts longer than 30 seconds (send the request again), and for a team with large tables: their space is cleared when it is used again, or when the operator forgets something.',
      ),
  }),
)

const forget = makeRouteBuilder<ServicesWith<'rewriteIndex'>>()({
  method: 'POST',
  path: '/v2/admin/forget',
  summary: 'Delete all data of a URL, a host or a team permanently',
  command: 'forget',
  body,
  example: { host: 'example.com' },
  reply: forgotten,
  async handle({ store, rewriteIndex }, { body: { url, host, team } }, { caller }) {
    // Callers other than the operator can delete only their own team's data.
    const teamId =
      team !== undefined
        ? (await findManageableTeam(store, caller, team)).id
        : isOperator(caller)
          ? undefined
          : caller.teamId
    if (!url && !host && (await store.hasWork(teamId!)))
      throw new Problem('conflict', { instead: 'The team has running work. Cancel its jobs and runs first.' })
    const { removed, indexes } = await store.forget({ url, host, teamId })
    await rewriteIndex(indexes)
    // A rewrite of all tables blocks every team, so only the operator may cause one.
    const { rewritten } = await store.sweep({ rewrite: isOperator(caller) ? 'whole' : 'freed' })
    const what = url !== undefined ? 'an address' : host !== undefined ? 'a host' : 'a team'
    await teamStore(store).audit.add({
      teamId: caller.teamId,
      actor: caller.keyId,
      action: 'forget',
      subject: null,
      details: { what },
    })
    return { success: true, data: { removed, rewritten } }
  },
})

export const forgetRoutes: readonly Route<ServicesWith<'rewriteIndex'>>[] = [forget]
