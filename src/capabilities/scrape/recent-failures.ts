// Remembers failures of sites for a few seconds: clients repeat a failed call at once, up to three times.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Problem, type ProblemName, type SerialisedProblem } from '../../base/problem.ts'
import type { ScrapeBody } from '../../scrape/scrape-options.ts'

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

export async function withRememberedFailures<T>(
  { teamId, body, now }: { teamId: string; body: ScrapeBody; now: () => number },
  work: () => Promise<T>,
): Promise<T> {
  if (body.maxAge === 0) return work()
  // Most scrapes meet no failure, and need no key.
  const known = failures.size > 0 ? failures.get(keyOf(teamId, body)) : undefined
  if (known && known.until > now()) {
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
      failures.set(keyOf(teamId, body), { problem: error.toJSON(), until: now() + REMEMBER_MS })
    throw error
  }
}
