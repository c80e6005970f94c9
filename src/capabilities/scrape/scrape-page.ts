// One synchronous scrape. Failures of the site are returned again for a few seconds: clients repeat a failed call at
// once, up to three times.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Problem, type ProblemName, type SerialisedProblem } from '../../base/problem.ts'
import type { ScrapedPage } from '../../scrape/scrape.ts'
import type { ScrapeBody } from '../../scrape/scrape-options.ts'
import type { RouteCall, Services } from '../route.ts'
import { scrapeAndCharge } from '../scrape-and-charge.ts'

const REMEMBER_MS = 10_000
const MOST = 2000
const OF_THE_SITE = new Set<ProblemName>([
  'site_failed',
  'blocked',
  'dns_failed',
  'tls_failed',
  'redirect_loop',
  'bomb',
])

const failures = new LRUCache<string, { problem: SerialisedProblem; until: number }>({ max: MOST })

/** Identical requests of one team only. */
const keyOf = (teamId: string, body: ScrapeBody): string =>
  createHash('sha256')
    .update(`${teamId} ${JSON.stringify(body)}`)
    .digest('base64url')

async function withRememberedFailures<T>(
  { clock }: Services,
  teamId: string,
  body: ScrapeBody,
  work: () => Promise<T>,
): Promise<T> {
  if (body.maxAge === 0) return work()
  // Most scrapes meet no failure, and need no key.
  const known = failures.size > 0 ? failures.get(keyOf(teamId, body)) : undefined
  if (known && known.until > clock.now()) {
    const { message } = known.problem
    throw Problem.revive({
      ...known.problem,
      message: `${message} (a recent result: the site was not visited again)`,
    })
  }
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && OF_THE_SITE.has(error.kind))
      failures.set(keyOf(teamId, body), { problem: error.toJSON(), until: clock.now() + REMEMBER_MS })
    throw error
  }
}

export const scrapePage = (
  services: Services,
  body: ScrapeBody,
  call: RouteCall,
  sourceUrl?: string,
): Promise<ScrapedPage> =>
  scrapeAndCharge(
    services,
    body,
    call,
    (visit) => withRememberedFailures(services, call.caller.teamId, body, visit),
    sourceUrl,
  )
