// Discovers a crawl's first pages: robots.txt, the start page, the sitemaps. Pages enter the frontier in small
// transactions.

import type { JobFacts } from '../../jobs/job-facts.ts'
import { ROBOTS_REFUSAL } from '../../jobs/job-status.ts'
import { type DiscoverPages, StartPageFailed } from '../../jobs/run-discovery.ts'
import type { ScrapeBody } from '../../scrape/scrape-options.ts'
import type { SiteDiscoveryOptions } from '../../site/discover-site.ts'
import type { SiteRobots } from '../../site/fetch-robots.ts'
import type { NewJobPage } from '../../store/frontier-types.ts'
import { copyPagesOfEarlierJob, listPagesOfEarlierJobs, storeLastmod } from '../detect-changes-since.ts'
import type { Services } from '../route.ts'
import { isLanguage } from './crawl-page.ts'
import type { RememberedPages } from './remembered-pages.ts'
import { type CrawlCredentials, type RunningCrawlScopes, robotsTxtRequestOfJob } from './running-scopes.ts'
import type { StoredCrawl } from './start-crawl.ts'

const BATCH = 500

type DiscoverParts = Pick<Services, 'store' | 'clock' | 'jobService' | 'site'> & {
  scopes: RunningCrawlScopes
  memories: RememberedPages
}

export const makeCrawlDiscovery =
  (parts: DiscoverParts): DiscoverPages =>
  async (job, signal) => {
    const options = (await parts.store.jobs.options(job.id, 0)) as CrawlCredentials & Pick<ScrapeBody, 'formats'>
    await explore(parts, job, options, signal)
    return parts.memories.of(job, options, signal)
  }

async function explore(parts: DiscoverParts, job: JobFacts, options: CrawlCredentials, signal: AbortSignal) {
  const { site, scopes } = parts
  const { url, scope: settings, since } = job.settings as StoredCrawl
  if (since) await copyPagesOfEarlierJob(parts, job.teamId, since)
  const scope = await scopes.of(job)
  const rules = robotsTxtRequestOfJob(job, options, url)
  const robots = await site.robotsOf(url, rules, signal)
  if (robots.problem) throw new StartPageFailed(url, robots.problem)
  await slowDown(parts, job, settings.delay, robots)
  const start = scope.accept(url, 0, 'start')
  if (!robots.allows(url)) return refuse(parts, job, url, ROBOTS_REFUSAL)
  const first = start.ok ? [{ key: start.key, url: start.url, depth: 0 }] : []
  // With `since` the sitemap comes first: what it says of a page is of use only before the visit.
  if (start.ok && !since) await add(parts, job, first)
  if (!start.ok) await refuse(parts, job, url, start.why)
  // With "only the blog" the home page is not wanted as a result, but its links lead there.
  const links = start.ok ? 'none' : 'page'
  if (settings.sitemap !== 'skip' || links !== 'none') {
    if (!(await addFound(parts, job, links, robots, options, signal))) return
  }
  if (!since) return
  await add(parts, job, first)
  for await (const known of listPagesOfEarlierJobs(parts, since)) {
    const wanted = known.filter(({ url }) => scope.accept(url, 0, 'known').ok && robots.allows(url))
    if (!(await add(parts, job, wanted))) return
  }
}

async function addFound(
  parts: DiscoverParts,
  job: JobFacts,
  links: 'none' | 'page',
  robots: SiteRobots,
  options: CrawlCredentials,
  signal: AbortSignal,
): Promise<boolean> {
  const { url, scope: settings } = job.settings as StoredCrawl
  const { site, scopes } = parts
  const scope = await scopes.of(job)
  const question: SiteDiscoveryOptions = {
    ...{ url, sitemap: settings.sitemap, links },
    robots: robotsTxtRequestOfJob(job, options, url),
    headers: options.headers ?? {},
    credentialHosts: options.allowCredentialsFor,
  }
  const found = site.discover(question, signal)
  let batch: FoundPage[] = []
  const refused: { key: string; url: string; reason: string }[] = []
  for await (const entry of found) {
    if (entry.source === 'start') continue
    if (!isLanguage(settings.language, entry.language)) continue
    const decision = scope.accept(entry.url, entry.depth, entry.source)
    if (!decision.ok) continue
    if (robots.allows(decision.url))
      batch.push({ key: decision.key, url: decision.url, depth: entry.depth, lastmod: entry.lastmod })
    else if (refused.length < BATCH) refused.push({ key: decision.key, url: decision.url, reason: ROBOTS_REFUSAL })
    if (batch.length < BATCH) continue
    if (await add(parts, job, batch)) batch = []
    else return false
  }
  const isOpen = await add(parts, job, batch)
  if (refused.length > 0) await parts.store.transaction((tx) => parts.store.frontier.drop(tx, job.id, refused))
  return isOpen
}

interface FoundPage extends NewJobPage {
  lastmod?: string | undefined
}

function add(parts: DiscoverParts, job: JobFacts, pages: readonly FoundPage[]): Promise<boolean> {
  const { store, jobService } = parts
  const { since } = job.settings as StoredCrawl
  return store.transaction(async (tx) => {
    await store.frontier.lockTeam(tx, job.teamId)
    if (since) await storeLastmod(parts, tx, job, since, pages)
    return jobService.add(tx, job.id, pages)
  })
}

const refuse = ({ store }: DiscoverParts, job: JobFacts, url: string, reason: string): Promise<void> =>
  store.transaction((tx) => store.frontier.drop(tx, job.id, [{ key: url, url, reason }]))

/** The crawl delay of robots.txt, unless the caller set a longer one. */
async function slowDown(
  { store }: DiscoverParts,
  job: JobFacts,
  own: number | undefined,
  { delaySeconds, notes }: SiteRobots,
): Promise<void> {
  const asked = delaySeconds !== undefined && delaySeconds > (own ?? 0) ? delaySeconds : undefined
  if (asked === undefined && notes.length === 0) return
  await store.transaction(async (tx) => {
    const row = await store.jobs.hold(tx, job.id)
    const warning = [row?.warning, ...notes.filter((note) => !row?.warning?.includes(note))].filter(Boolean).join(' ')
    await store.jobs.change(tx, job.id, {
      ...(asked === undefined ? {} : { delayMs: Math.round(asked * 1000), maxActive: 1 }),
      ...(warning ? { warning } : {}),
    })
  })
}
