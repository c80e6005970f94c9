// One synchronous scrape; recent failures of the site are returned again.
import type { ScrapeBody } from '../../scrape/options.ts'
import type { Scraped } from '../../scrape/scrape.ts'
import type { Call } from '../route.ts'
import { scrapeOnce } from '../scrape-once.ts'
import type { HandlerServices } from './needs.ts'
import { rememberingFailures } from './recent-failures.ts'

export const scrapePage = (services: HandlerServices, body: ScrapeBody, call: Call): Promise<Scraped> =>
  scrapeOnce(services, body, call, (visit) =>
    rememberingFailures({ teamId: call.caller.teamId, body, now: () => services.clock.now() }, visit),
  )
