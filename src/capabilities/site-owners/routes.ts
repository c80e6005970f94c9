// What owners of sites can rely on: opt-outs that a team follows.
import { z } from 'zod'
import { PAGE_USES } from '../../base/page-uses.ts'
import { clientShape } from '../../scrape/scrape-options.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute, needs } from './needs.ts'

const tag = 'Account'

const usePolicy = {
  uses: z
    .array(z.enum(PAGE_USES))
    .max(PAGE_USES.length)
    .describe('What the team uses pages for: `search` (an index), `ai-input` (text for a model), `ai-train`.'),
  enforce: z
    .boolean()
    .describe('Pages that are reserved from one of them fail with `USE_RESERVED`; false: it is only in the metadata.'),
}
const body = z
  .strictObject({ uses: usePolicy.uses, enforce: usePolicy.enforce.default(true), ...clientShape })
  .describe('The whole policy.')
const reply = z.object({
  success: z.literal(true),
  data: z.object({ ...usePolicy, configured: z.boolean(), updatedAt: z.string().nullable() }),
})
const path = '/v2/team/opt-outs'

const readPolicy = defineRoute({
  ...{ method: 'GET', path, tag, bucket: 'account', reply },
  summary: 'What the team uses pages for, and whether opt-outs are enforced',
  handle: async ({ usePolicies }, _input, { caller }) => ({
    success: true,
    data: await usePolicies.read(caller.teamId),
  }),
})

const writePolicy = defineRoute({
  ...{ method: 'PUT', path, tag, bucket: 'account', right: 'admin', body, reply },
  summary: 'Replace what the team uses pages for, and whether opt-outs are enforced',
  example: { uses: ['ai-input'], enforce: true },
  handle: async ({ usePolicies }, { body: { uses, enforce } }, { caller }) => ({
    success: true,
    data: await usePolicies.write(caller.teamId, { uses: [...new Set(uses)], enforce }),
  }),
})

export const siteOwnersCapability = defineCapability({
  name: 'site-owners',
  right: 'use',
  group: 'open',
  needs,
  routes: [readPolicy, writePolicy],
})
