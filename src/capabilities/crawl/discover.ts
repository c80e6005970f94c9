// Where a crawl begins: robots.txt, the start page, the sitemaps. Everything found goes into the frontier in small
// transactions, so a process that dies here is followed by one that finds most of it there already.
import type { Log } from '../../base/log.ts'
import { asProblem } from '../../base/problem.ts'
import type { Clock } from '../../base/time.ts'
import { type Desk, LEASE_MS } from '../../jobs/desk.ts'
import type { JobFacts } from '../../jobs/facts.ts'
import type { Answer } from '../../jobs/queue.ts'
import { ROBOTS } from '../../jobs/status.ts'
import type { ScrapeBody } from '../../scrape/options.ts'
import type { Robots } from '../../site/robots.ts'
import type { Site } from '../../site/site.ts'
import type { NewPage } from '../../store/frontier.ts'
import type { Store } from '../../store/index.ts'
import type { Memories } from './remembered.ts'
import { robotsQuestion, type Scopes } from './scopes.ts'
import type { StoredCrawl } from './start-crawl.ts'

/** How long what earlier crawls knew may take to be looked up. */
const MEMORY_MS = 10_000

/** Pages added in one transaction. */
const BATCH = 500

export interface DiscoverParts {
  store: Store
  desk: Desk
  site: Site
  scopes: Scopes
  memories: Memories
  clock: Clock
  log: Log
}

/** Answers the bell of a crawl that was started. */
export function discoverAnswer(parts: DiscoverParts): Answer {
  const { store, desk, clock, log } = parts
  return async (jobId, stopping) => {
    const job = await desk.facts(jobId)
    if (!job || !(await store.jobs.leaseDiscovery(jobId, clock.now() + LEASE_MS, false))) return
    const hand = desk.hold({ id: `discovery of ${jobId}`, jobId }, stopping)
    const beat = setInterval(() => {
      store.jobs.leaseDiscovery(jobId, clock.now() + LEASE_MS, true).catch(() => undefined)
    }, LEASE_MS / 3)
    try {
      await explore(parts, job, hand.signal)
    } catch (error) {
      // Taken up again when the service is back; over when the job is.
      if (hand.signal.aborted) {
        await store.jobs.leaseDiscovery(jobId, 0, true).catch(() => undefined)
        return
      }
      const problem = asProblem(error)
      if (problem.kind === 'unavailable') throw problem
      log.warn({ job: jobId, error: problem.message }, 'a discovery broke off')
      await end(parts, job, `Not all of the site could be looked through. ${problem.message}`)
      return
    } finally {
      clearInterval(beat)
      hand.release()
    }
    await end(parts, job)
  }
}

async function explore(parts: DiscoverParts, job: JobFacts, signal: AbortSignal): Promise<void> {
  const { site, scopes } = parts
  const { url, scope: settings } = job.settings as StoredCrawl
  const scope = scopes.of(job)
  const rules = robotsQuestion(settings)
  const robots = await site.robotsOf(url, rules, signal)
  await slowDown(parts, job, settings.delay, robots)
  const start = scope.accept(url, 0, 'start')
  if (!robots.allows(url)) return refuse(parts, job, url, ROBOTS)
  if (start.ok) await add(parts, job, [{ key: start.key, url: start.url, depth: 0 }])
  else await refuse(parts, job, url, start.why)
  // "Only the blog", said of the home page: that one is not wanted, but the way to the blog begins there.
  const links = start.ok ? 'none' : 'page'
  if (settings.sitemap === 'skip' && links === 'none') return
  const found = site.discover({ url, sitemap: settings.sitemap, links, robots: rules, headers: {} }, signal)
  let batch: NewPage[] = []
  const refused: { key: string; url: string; reason: string }[] = []
  for await (const entry of found) {
    if (entry.source === 'start') continue
    const decision = scope.accept(entry.url, entry.depth, entry.source)
    if (!decision.ok) continue
    if (robots.allows(decision.url)) batch.push({ key: decision.key, url: decision.url, depth: entry.depth })
    else if (refused.length < BATCH) refused.push({ key: decision.key, url: decision.url, reason: ROBOTS })
    if (batch.length < BATCH) continue
    if (await add(parts, job, batch)) batch = []
    else return
  }
  await add(parts, job, batch)
  if (refused.length > 0) await parts.store.transaction((tx) => parts.store.frontier.drop(tx, job.id, refused))
}

/** False when the crawl is full or over. */
function add({ store, desk }: DiscoverParts, job: JobFacts, pages: readonly NewPage[]): Promise<boolean> {
  return store.transaction(async (tx) => {
    await store.frontier.lockTeam(tx, job.teamId)
    return desk.add(tx, job.id, pages)
  })
}

const refuse = ({ store }: DiscoverParts, job: JobFacts, url: string, reason: string): Promise<void> =>
  store.transaction((tx) => store.frontier.drop(tx, job.id, [{ key: url, url, reason }]))

/** What robots.txt asks for between two visits, unless the caller asked for more. */
async function slowDown(
  { store }: DiscoverParts,
  job: JobFacts,
  own: number | undefined,
  { delaySeconds, notes }: Robots,
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

async function end({ store, desk, memories }: DiscoverParts, job: JobFacts, warning?: string): Promise<void> {
  const options = (await store.jobs.options(job.id, 0)) as Pick<ScrapeBody, 'formats'>
  const last = await memories.of(job, options, AbortSignal.timeout(MEMORY_MS)).catch(() => [])
  await store.transaction(async (tx) => {
    await store.frontier.lockTeam(tx, job.teamId)
    await store.jobs.change(tx, job.id, { discovering: false, ...(warning ? { warning } : {}) })
    const row = await store.jobs.hold(tx, job.id)
    // All that was found is done already: then what is remembered has its turn now.
    if (row && row.queued + row.active === 0) await desk.add(tx, job.id, last)
    await desk.move(tx, job)
  })
  desk.news(job.id)
}
