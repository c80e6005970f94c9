// Scrapes hits within the search's remaining time. A failed hit stays with the reason in its metadata, unless the
// caller excludes such hits.

import { withoutPageState } from '../../base/page-state.ts'
import { asProblem } from '../../base/problem.ts'
import type { Document } from '../../base/visit-and-capture-types.ts'
import type { ScrapeCall, ScrapedPage } from '../../scrape/scrape.ts'
import type { ScrapeBody } from '../../scrape/scrape-options.ts'
import { makeScrapePlan } from '../../scrape/scrape-plan.ts'
import { newId } from '../../store/id.ts'
import { type CreditCharge, withCreditReservation } from '../../teams/charge-credits.ts'
import type { RouteCall } from '../route.ts'
import { limitHeadersToOrigins } from '../visit-job-page.ts'
import type { HandlerServices } from './own-services.ts'

export type HitScrapeOptions = Omit<ScrapeBody, 'url' | 'origin' | 'integration'>

type ScrapedHit = { document: Document; credits: number; failed: boolean }

/** One hit, charged by itself. `id` identifies its result later. */
export async function scrapeHit(
  services: HandlerServices,
  id: string,
  url: string,
  options: HitScrapeOptions,
  { caller, baseUrl }: Pick<RouteCall, 'caller' | 'baseUrl'>,
  signal: AbortSignal,
): Promise<ScrapedHit> {
  const { scraper, store, maker, admission } = services
  const { teamId, keyId } = caller
  const zeroDataRetention = options.zeroDataRetention || caller.zeroDataRetention === 'forced'
  // The caller did not name this URL, so its headers are not sent, and no button that it names is pressed.
  const named = { url: withoutPageState(url), zeroDataRetention }
  const body = { ...limitHeadersToOrigins(options, url, []), ...named } as ScrapeBody
  try {
    const plan = makeScrapePlan(body, maker)
    const call: ScrapeCall = { id, teamId, keyId, body, plan, baseUrl, queue: { limited: false, waitedMs: 0 } }
    const keep = (charge: CreditCharge, scraped: ScrapedPage) =>
      store.transaction(async (tx) => {
        if (scraped.record) await store.pages.record(tx, scraped.record)
        await charge.settle(scraped.credits, tx)
      })
    const scraped = await withCreditReservation(
      store,
      caller,
      { id, endpoint: 'search', credits: plan.credits },
      async (charge) => {
        const known = await scraper.findCachedDocument(call)
        if (known) {
          await keep(charge, known)
          return known
        }
        const slot = await admission.admit(caller, { timeoutMs: plan.timeoutMs }, signal)
        try {
          const fresh = await scraper.scrape({ ...call, queue: slot }, signal)
          await keep(charge, fresh)
          return fresh
        } finally {
          slot.release()
        }
      },
    )
    return { document: scraped.document(), credits: scraped.credits, failed: false }
  } catch (error) {
    const { message, row } = asProblem(error)
    const metadata = { sourceURL: url, error: message, statusCode: row.status }
    return { document: { metadata }, credits: 0, failed: true }
  }
}

const AT_ONCE = 10

export async function scrapeHits(
  services: HandlerServices,
  urls: readonly string[],
  options: HitScrapeOptions,
  call: Pick<RouteCall, 'caller' | 'baseUrl'>,
  signal: AbortSignal,
): Promise<ScrapedHit[]> {
  const results: ScrapedHit[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < urls.length; at = next++)
      results[at] = await scrapeHit(services, newId(services.clock.now()), urls[at]!, options, call, signal)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, urls.length) }, worker))
  return results
}
