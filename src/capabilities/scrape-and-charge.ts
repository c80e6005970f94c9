// One scrape within its request: slot, reservation, page, then charge and record in one transaction. Failed work is free
// except for a lockdown miss, which has its own price.

import { prices } from '../base/prices.ts'
import { asProblem } from '../base/problem.ts'
import type { ScrapeCall, ScrapedPage } from '../scrape/scrape.ts'
import type { ScrapeBody } from '../scrape/scrape-options.ts'
import { makeScrapePlan, type ScrapePlan } from '../scrape/scrape-plan.ts'
import { newId } from '../store/id.ts'
import { withCreditReservation } from '../teams/charge-credits.ts'
import { workInSlot } from '../teams/concurrency-slots.ts'
import type { Caller } from '../teams/keys.ts'
import type { RouteCall, Services } from './route.ts'
import { resolveZeroRetention } from './start-job.ts'

type Around = (visit: () => Promise<ScrapedPage>) => Promise<ScrapedPage>

export async function scrapeAndCharge(
  services: Services,
  body: ScrapeBody,
  request: RouteCall,
  around: Around = (visit) => visit(),
  sourceUrl?: string,
): Promise<ScrapedPage> {
  const { scraper, clock, maker } = services
  const { caller, baseUrl, note } = request
  const { teamId, keyId } = caller
  const plan = planOf(withTeamPolicy(body, caller.zeroDataRetention), maker)
  const call = { id: newId(clock.now()), teamId, keyId, body, sourceUrl, plan, baseUrl, queue: NO_QUEUE }
  // Also for a page that fails: a miss of the cache under lockdown costs a credit.
  note({ jobId: call.id })
  const known = await scraper.findCachedDocument(call)
  const visit = () =>
    workInSlot(services.admission, caller, plan, request.signal, (signal, queue) =>
      chargeVisit(services, caller, { ...call, queue }, signal),
    )
  const scraped = await (known ? chargeKnownPage(services, call, known) : around(visit))
  note({ engine: scraped.source })
  return scraped
}

const NO_QUEUE = { limited: false, waitedMs: 0 }

/** A cached result needs no slot and no reservation. */
async function chargeKnownPage({ store }: Services, call: ScrapeCall, known: ScrapedPage): Promise<ScrapedPage> {
  const { id, teamId, keyId } = call
  await store.sharedTransaction(async (tx) => {
    await store.ledger.charge({ jobId: id, teamId, keyId, credits: known.credits, endpoint: 'scrape' }, tx)
    if (known.record) await store.pages.record(tx, known.record)
  })
  return known
}

function chargeVisit({ scraper, store }: Services, caller: Caller, call: ScrapeCall, signal: AbortSignal) {
  const { id, plan } = call
  return withCreditReservation(store, caller, { id, endpoint: 'scrape', credits: plan.credits }, async (charge) => {
    try {
      const scraped = await scraper.scrape(call, signal)
      await store.sharedTransaction(async (tx) => {
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
  const zeroDataRetention = resolveZeroRetention(body.zeroDataRetention, policy, body)
  return zeroDataRetention === body.zeroDataRetention ? body : { ...body, zeroDataRetention }
}

const plans = new WeakMap<ScrapeBody, { maker: string; plan: ScrapePlan }>()

/** A repeated request has the same body, whose plan is known. */
function planOf(body: ScrapeBody, maker: string): ScrapePlan {
  const known = plans.get(body)
  if (known?.maker === maker) return known.plan
  const plan = makeScrapePlan(body, maker)
  plans.set(body, { maker, plan })
  return plan
}
