// `GET /v2/connect`: what to paste into each client, and how its last call went.

import { z } from 'zod'
import { DAY_MS } from '../../base/clock.ts'
import { isAdmin } from '../../teams/key-rights.ts'
import type { Caller } from '../../teams/keys.ts'
import { teamStore } from '../../teams/store/index.ts'
import { defineRoute, type Services } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { clientSetups } from './client-setup-instructions.ts'

const KEY_PLACEHOLDER = 'fc-YOUR-KEY'

const connectReply = successReply({
  keyPlaceholder: z.string().describe('The placeholder of the key in each text.'),
  data: z.array(
    z.object({
      id: z.string(),
      title: z.string().describe('Also the name of the key that is made for this client.'),
      where: z.string().describe('Where the text goes.'),
      text: z.string().describe('What to paste, with `keyPlaceholder` replaced by the key.'),
      note: z.string().nullable(),
      lastCall: z
        .object({
          at: z.string(),
          endpoint: z.string(),
          status: z.int(),
          error: z.string().nullable(),
          advice: z.string().nullable().describe('What to do when it failed.'),
        })
        .nullable()
        .describe('Of the last two days, by a key with the name of the client.'),
    }),
  ),
})

const ADVICE: Readonly<Record<number, string>> = {
  400: 'A field of the request is unknown or has a wrong value; the error of the call names it.',
  402: 'The team has no credits left: the operator grants more on the screen Teams.',
  403: 'The key may not do this: change its restrictions on the screen Keys.',
  404: 'Nothing exists at this URL: check the base URL of the client, and whether its job still exists.',
  408: 'The page took longer than the timeout of the call: raise `timeout`.',
  429: 'More requests a minute than the plan allows: see the screen Limits.',
  500: 'The site failed or refused the visit; the error of the call names what happened.',
}

export const clientSetupRoute = defineRoute({
  method: 'GET',
  path: '/v2/connect',
  summary: 'Settings that connect each client, and the state of its last call',
  command: null,
  reply: connectReply,
  async handle(services, _input, { caller, baseUrl }) {
    const last = await lastCalls(services, caller)
    return {
      success: true,
      keyPlaceholder: KEY_PLACEHOLDER,
      data: clientSetups.map(({ id, title, where, text, note = null }) => ({
        ...{ id, title, where, note },
        text: text({ url: baseUrl, key: KEY_PLACEHOLDER }),
        lastCall: last.get(title) ?? null,
      })),
    }
  },
})

async function lastCalls({ store, meter, clock }: Services, caller: Caller) {
  await meter.flush()
  const titles = new Set(clientSetups.map(({ title }) => title))
  const keys = (await store.keys.list(caller.teamId)).filter(({ name }) => titles.has(name))
  // Only team admins see what other keys did.
  const visible = isAdmin(caller) ? keys : keys.filter(({ id }) => id === caller.keyId)
  const since = clock.now() - 2 * DAY_MS
  const calls = await Promise.all(
    visible.map(async ({ id, name }) => {
      const [row] = await teamStore(store).activities.list({ teamId: caller.teamId, keyId: id, since, limit: 1 })
      return row && { name, row }
    }),
  )
  const newestLast = calls.filter((call) => call !== undefined).sort((a, b) => a.row.at - b.row.at)
  return new Map(
    newestLast.map(({ name, row: { at, endpoint, status, error } }) => [
      name,
      { at: new Date(at).toISOString(), endpoint, status, error, advice: ADVICE[status] ?? null },
    ]),
  )
}
