// One scrape within its request: slot, reservation, page, then charge and record in one transaction. Failed work is free
// except for a lockdown miss, which has its own price.

import { deadline } from '../base/clock.ts'
import { prices } from '../base/prices.ts'
import { asProblem } from '../base/problem.ts'
import type { ScrapeBody } from '../scrape/options.ts'
import { planFor } from '../scrape/plan.ts'
import type { ScrapeCall, Scraped } from '../scrape/scrape.ts'
import { newId } from '../store/id.ts'
import { withCredits } from '../teams/credits.ts'
import type { Caller } from '../teams/keys.ts'
import { zeroRetention } from './job-start.ts'
import type { Call, GivenServices } from './route.ts'

type HandlerServices = GivenServices<'core' | 'pages'>

type Around = (visit: () => Promise<Scraped>) => Promise<Scraped>

export async function scrapeOnce(
  services: HandlerServices,
  body: ScrapeBody,
  { caller, signal, baseUrl, note }: Call,
  around: Around = (visit) => visit(),
): Promise<Scraped> {
  const { scraper, clock, maker } = services
  const { teamId, keyId } = caller
  const plan = planFor(withTeamPolicy(body, caller.zeroDataRetention), maker)
  const call = { id: newId(clock.now()), teamId, keyId, body, plan, baseUrl, queue: NO_QUEUE }
  const known = await scraper.recall(call)
  const visit = () => visited(services, caller, call, signal)
  const scraped = await (known ? sold(services, call, known) : around(visit))
  note({ jobId: call.id, engine: scraped.source })
  return scraped
}

const NO_QUEUE = { limited: false, waitedMs: 0 }

/** A cached result needs no slot and no reservation. */
async function sold({ store }: HandlerServices, call: ScrapeCall, known: Scraped): Promise<Scraped> {
  const { id, teamId, keyId } = call
  await store.transaction(async (tx) => {
    await store.ledger.charge({ jobId: id, teamId, keyId, credits: known.credits, endpoint: 'scrape' }, tx)
    if (known.record) await store.pages.record(tx, known.record)
  })
  return known
}

async function visited(
  services: HandlerServices,
  caller: Caller,
  call: ScrapeCall,
  client: AbortSignal,
): Promise<Scraped> {
  const { timeoutMs } = call.plan
  const { signal, clear, during } = deadline(timeoutMs, client)
  try {
    const slot = await services.admission.admit(caller, { timeoutMs }, signal)
    try {
      return await during(() => charged(services, caller, { ...call, queue: slot }, signal))
    } finally {
      slot.release()
    }
  } finally {
    clear()
  }
}

function charged(
  { scraper, store }: HandlerServices,
  caller: Caller,
  call: ScrapeCall,
  signal: AbortSignal,
): Promise<Scraped> {
  const { id, plan } = call
  return withCredits(store, caller, { id, endpoint: 'scrape', credits: plan.credits }, async (charge) => {
    try {
      const scraped = await scraper.scrape(call, signal)
      await store.transaction(async (tx) => {
        if (scraped.record) await store.pages.record(tx, scraped.record)
        await charge.settle(scraped.credits, tx)
      })
      return scraped
    } catch (error) {
      if (asProblem(error).kind === 'lockdown_miss') await charge.settle(prices.lockdown.miss)
      throw error
    }
  })
}

/** A team may forbid retention for all its scrapes, or not be entitled to request it. */
function withTeamPolicy(body: ScrapeBody, policy: 'off' | 'allowed' | 'forced'): ScrapeBody {
  return { ...body, zeroDataRetention: zeroRetention(body.zeroDataRetention, policy, body) }
}
