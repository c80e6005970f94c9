// One synchronous scrape; recent failures of the site are returned again.

import type { ScrapedPage } from '../../scrape/scrape.ts'
import type { ScrapeBody } from '../../scrape/scrape-options.ts'
import type { RouteCall } from '../route.ts'
import { scrapeAndCharge } from '../scrape-and-charge.ts'
import type { HandlerServices } from './needs.ts'
import { withRememberedFailures } from './recent-failures.ts'

export const scrapePage = (
  services: HandlerServices,
  body: ScrapeBody,
  call: RouteCall,
  sourceUrl?: string,
): Promise<ScrapedPage> =>
  scrapeAndCharge(
    services,
    body,
    call,
    (visit) => withRememberedFailures({ teamId: call.caller.teamId, body, now: () => services.clock.now() }, visit),
    sourceUrl,
  )
