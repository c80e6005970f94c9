// One synchronous scrape for a caller: a slot, a reservation, the page, and then, in one transaction, the charge and
// the record. Failed work is free; the one exception is a lockdown miss, which has its own price.

import type { Document } from '../../base/page.ts'
import { prices } from '../../base/prices.ts'
import { asProblem, Problem } from '../../base/problem.ts'
import { deadline } from '../../base/time.ts'
import type { ScrapeBody } from '../../scrape/options.ts'
import { type Plan, planFor } from '../../scrape/plan.ts'
import { newId } from '../../store/id.ts'
import { withCredits } from '../../teams/credits.ts'
import type { Caller } from '../../teams/keys.ts'
import type { Call, Services } from '../route.ts'

export async function scrapePage(services: Services, body: ScrapeBody, call: Call): Promise<Document> {
  const { caller } = call
  const plan = planFor(withTeamPolicy(body, caller.zeroDataRetention), services.version)
  const { signal, clear } = deadline(plan.timeoutMs, call.signal)
  try {
    const slot = await services.admission.admit(caller, { timeoutMs: plan.timeoutMs }, signal)
    try {
      return await chargedScrape(services, { body, plan, slot, caller }, signal)
    } finally {
      slot.release()
    }
  } finally {
    clear()
  }
}

interface Admitted {
  body: ScrapeBody
  plan: Plan
  slot: { limited: boolean; waitedMs: number }
  caller: Caller
}

function chargedScrape(services: Services, admitted: Admitted, signal: AbortSignal): Promise<Document> {
  const { scrape, store, clock } = services
  const { body, plan, slot, caller } = admitted
  const { teamId, keyId } = caller
  const id = newId(clock.now())
  return withCredits(store, caller, { id, endpoint: 'scrape', credits: plan.credits }, async (charge) => {
    try {
      const { document, record } = await scrape({ id, teamId, keyId, body, plan, queue: slot }, signal)
      await store.transaction(async (tx) => {
        if (record) await store.pages.record(tx, record)
        await charge.settle(plan.credits, tx)
      })
      return document
    } catch (error) {
      if (asProblem(error).kind === 'lockdown_miss') await charge.settle(prices.lockdown.miss)
      throw error
    }
  })
}

/** A team may forbid retention for all its scrapes, or not be entitled to ask for it. */
function withTeamPolicy(body: ScrapeBody, policy: 'off' | 'allowed' | 'forced'): ScrapeBody {
  if (policy === 'forced') return { ...body, zeroDataRetention: true }
  if (policy === 'off' && body.zeroDataRetention) throw new Problem('zdr_not_enabled')
  return body
}
