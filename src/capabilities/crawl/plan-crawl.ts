// A dry run of a crawl: what would be visited or dropped and why, without scraping. It reads only robots.txt, sitemaps
// and a few pages.

import { openCrawlScope, type ScopeRefusal, scopeRefusalTexts } from '../../base/crawl-scope.ts'
import { problemOfAbort, startDeadline } from '../../base/deadline.ts'
import type { DiscoveredUrl } from '../../site/discover-site.ts'
import type { SiteRobots } from '../../site/fetch-robots.ts'
import { assertMayOverrideRobots } from '../../site/site-options.ts'
import type { Services } from '../route.ts'
import type { CrawlSettings } from './crawl-options.ts'
import { resolveCrawlOptions } from './prompt-to-options.ts'
import { type CrawlCredentials, makeRobotsTxtRequest } from './running-scopes.ts'
import type { CrawlBody } from './schema.ts'

const PATIENCE_MS = 60_000
const MAX_VISIT_SHOWN = 5000
const MAX_DROP_SHOWN = 1000
/** Maximum URLs examined; a site may list millions. */
const MAX_URLS_EXAMINED = 200_000
const MAX_ORIGINS = 10

type Why = ScopeRefusal | 'DUPLICATE' | 'ROBOTS' | 'LIMIT'

const sentences: Record<Why, string> = {
  ...scopeRefusalTexts,
  DUPLICATE: 'it is the same page as one before it',
  ROBOTS: 'robots.txt forbids it',
  LIMIT: 'as many pages as `limit` allows come before it',
}

type Planned = Pick<DiscoveredUrl, 'url' | 'source' | 'depth' | 'lastmod'>

export async function planCrawl(services: Services, body: CrawlBody, client: AbortSignal) {
  const { settings, warning } = await resolveCrawlOptions(services.llm, body, client)
  assertMayOverrideRobots(settings, services.robotsChoice)
  const { signal, clear } = startDeadline(PATIENCE_MS, client)
  const access: CrawlCredentials = body.scrapeOptions ?? {}
  const robotsFor = (url: string) => makeRobotsTxtRequest({ url: body.url, scope: settings }, access, url)
  const discovery = services.site.discover(
    {
      url: body.url,
      sitemap: settings.sitemap,
      links: 'more',
      robots: robotsFor(body.url),
      headers: access.headers ?? {},
      credentialHosts: access.allowCredentialsFor,
      delaySeconds: settings.delay,
    },
    signal,
  )
  const planner = createPlanner(settings, body.url, (url) => services.site.robotsOf(url, robotsFor(url), signal))
  try {
    for await (const found of discovery) if (!(await planner.add(found))) break
  } catch (error) {
    if (!signal.aborted) throw error
    if (client.aborted) throw problemOfAbort(client)
    planner.stop()
  } finally {
    clear()
  }
  const { report } = discovery
  const notes = [
    warning,
    report.startProblem && `The start page could not be read: ${report.startProblem.message}.`,
    ...(report.robots?.notes ?? []).map((note) => `${note}.`),
  ].filter(Boolean)
  return {
    data: {
      url: body.url,
      options: settings,
      ...planner.result(),
      robots: report.robots,
      sitemaps: report.sitemaps,
      pagesRead: report.pagesRead,
    },
    warning: notes.join(' ') || undefined,
  }
}

function createPlanner(settings: CrawlSettings, start: string, robotsOf: (url: string) => Promise<SiteRobots>) {
  let scope = openCrawlScope(settings, start)
  const seen = new Set<string>()
  const origins = new Map<string, SiteRobots>()
  const visit: Planned[] = []
  const drop: (Planned & { why: Why; because: string })[] = []
  const byReason: Partial<Record<Why, number>> = {}
  let visits = 0
  let drops = 0
  let looked = 0
  let complete = true

  async function forbids(url: string): Promise<boolean> {
    const { origin } = new URL(url)
    let robots = origins.get(origin)
    if (!robots && origins.size < MAX_ORIGINS) {
      robots = await robotsOf(url)
      origins.set(origin, robots)
    }
    return robots !== undefined && !robots.allows(url)
  }

  async function decide(found: DiscoveredUrl): Promise<{ url: string } | { why: Why }> {
    const decision = scope.accept(found.url, found.depth, found.source)
    if (!decision.ok) return decision
    if (seen.has(decision.key)) return { why: 'DUPLICATE' }
    seen.add(decision.key)
    if (await forbids(decision.url)) return { why: 'ROBOTS' }
    return visits < settings.limit ? { url: decision.url } : { why: 'LIMIT' }
  }

  return {
    async add(found: DiscoveredUrl): Promise<boolean> {
      if (++looked > MAX_URLS_EXAMINED) {
        complete = false
        return false
      }
      const { movedTo, source, depth, lastmod } = found
      // As in the crawl, the scope follows a redirect of the start.
      if (movedTo) scope = openCrawlScope(settings, movedTo)
      const url = movedTo ?? found.url
      const decided = await decide({ ...found, url })
      const planned = { url, source, depth, ...(lastmod ? { lastmod } : {}) }
      if ('url' in decided) {
        visits++
        if (visit.length < MAX_VISIT_SHOWN) visit.push({ ...planned, url: decided.url })
      } else {
        const { why } = decided
        drops++
        byReason[why] = (byReason[why] ?? 0) + 1
        if (drop.length < MAX_DROP_SHOWN) drop.push({ ...planned, why, because: sentences[why] })
      }
      return true
    },
    stop() {
      complete = false
    },
    result: () => ({ visit, drop, counts: { visit: visits, drop: drops, byReason }, complete }),
  }
}
