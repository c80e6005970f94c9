// Starts a crawl on behalf of another capability, under an id chosen by it.

import { Problem } from '../../base/problem.ts'
import { validateInput } from '../../base/validate-input.ts'
import type { Caller } from '../../teams/keys.ts'
import type { Services, SharedServices } from '../route.ts'
import { crawlBody } from './schema.ts'
import { startCrawl } from './start-crawl.ts'

export const makeCrawlStarter =
  (services: () => Services): SharedServices['startCrawl'] =>
  async ({ teamId, keyId }, id, body, signal) => {
    const { store } = services()
    if (await store.jobs.get(id)) return
    const team = await store.teams.get(teamId)
    if (!team) throw new Problem('not_found', { because: 'there is no such team' })
    const caller = { teamId, keyId, plan: team.plan, zeroDataRetention: team.zeroDataRetention } as Caller
    await startCrawl(services(), validateInput(crawlBody, body), { caller, signal, idempotencyKey: undefined }, id)
  }
