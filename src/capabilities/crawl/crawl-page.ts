// One page of a crawl: the visit, and which links the crawl follows. After a redirect or a canonical URL, the target
// counts as the page.
import type { Accepted, CrawlScope } from '../../base/crawl-scope.ts'
import { takingTurns } from '../../base/loop-turns.ts'
import type { Visited } from '../../jobs/end-page.ts'
import type { JobFacts } from '../../jobs/job-facts.ts'
import type { VisitPage } from '../../jobs/pages.ts'
import { ROBOTS } from '../../jobs/status.ts'
import type { Scraped } from '../../scrape/scrape.ts'
import type { Site } from '../../site/site.ts'
import { REMEMBERED } from '../../store/frontier.ts'
import type { JobPage } from '../../store/frontier-types.ts'
import { openTurn } from '../job-since.ts'
import { type ComparedVisit, openOptionsBook, type VisitParts, visitPage, withOwnHeaders } from '../job-visit.ts'
import type { Memories } from './remembered-pages.ts'
import { type CrawlAccess, robotsOfJob, type Scopes } from './scopes.ts'
import type { StoredCrawl } from './start-crawl.ts'

/** Other origins whose robots.txt is fetched for one page. */
const MAX_ORIGINS = 20
/** Maximum links of a page examined; real pages have hundreds. */
const MAX_LINKS = 10_000
const AWAY = new Set(['OTHER_SITE', 'SUBDOMAIN', 'OUTSIDE_PATH'])

interface CrawlParts extends VisitParts {
  memories: Memories
  site: Site
  scopes: Scopes
  forget(jobId: string): void
}

export function crawlVisit(parts: CrawlParts): VisitPage {
  const options = openOptionsBook(parts.store)
  return async (page, job, signal) => {
    const { scope: settings, url: start, since } = job.settings as StoredCrawl
    const scope = await parts.scopes.of(job)
    const own = scope.accept(page.url, page.depth, page.depth === 0 ? 'start' : 'known')
    const leaf = settings.sitemap === 'only' || page.depth === REMEMBERED || (own.ok && own.leaf)
    const given = await options(job.id, page.optionsN)
    const body = withOwnHeaders(given, page.url, [start])
    const turn = since && (await openTurn(parts, page, job, since, page.key))
    const last = await parts.memories.of(job, given, signal)
    if (turn?.unread) return { ...turn.unread, last }
    const visit = (compared?: ComparedVisit) => visitPage(parts, page, job, body, !leaf, signal, compared)
    const seen = await visit(turn?.visit)
    const { scraped } = seen
    const arrived = arrival(scope, page, job, scraped)
    const visited = turn ? await turn.judge(seen, arrived, () => visit({ marks: undefined }), signal) : seen.visited
    if (arrived.outside) return { ...(turn ? visited : { ...visited, outside: arrived.outside }), last }
    const home = arrived.moved ? await parts.scopes.of({ ...job, url: scraped.answered.url }) : scope
    const links = leaf ? noLinks : await chosen(parts, home, page, job, scraped.links ?? [], given, signal)
    return {
      ...visited,
      found: [...visited.found, ...links.found],
      refused: links.refused,
      last,
      ...(arrived.also && !turn ? { also: arrived.also } : {}),
      ...(arrived.moved ? rebased(parts, job, visited, scraped.answered.url, home) : {}),
    }
  }
}

const noLinks = { found: [], refused: [] }

interface Arrival {
  also?: { key: string; url: string }
  moved?: boolean
  outside?: string
}

function arrival(scope: CrawlScope, page: JobPage, job: JobFacts, { answered }: Scraped): Arrival {
  const key = scope.key(answered.url)
  if (key !== undefined && key !== page.key) {
    const decision = scope.accept(answered.url, page.depth, 'known')
    const away = !decision.ok && AWAY.has(decision.why)
    if (away && page.depth === 0 && scope.key(job.url ?? '') === page.key) return { moved: true }
    if (away) return { outside: decision.why }
  }
  const { canonical } = answered
  const named = canonical !== undefined && samePath(canonical, answered.url) ? scope.key(canonical) : undefined
  const real = named ?? key
  if (real === undefined || real === page.key) return {}
  return { also: { key: real, url: named === undefined ? answered.url : String(canonical) } }
}

/** Many sites give their home page as canonical for every page, so only a differing query is accepted. */
function samePath(one: string, other: string): boolean {
  if (!URL.canParse(one)) return false
  const [a, b] = [new URL(one), new URL(other)]
  return a.host === b.host && a.pathname === b.pathname
}

/** Rebases the crawl on the URL that its start redirected to. */
const rebased = (
  parts: CrawlParts,
  job: JobFacts,
  visited: Visited,
  url: string,
  home: CrawlScope,
): Pick<Visited, 'store' | 'also'> => ({
  also: { key: home.key(url) ?? url, url },
  async store(tx) {
    await visited.store(tx)
    await parts.store.jobs.change(tx, job.id, { url })
    parts.forget(job.id)
  },
})

async function chosen(
  { site, store }: CrawlParts,
  scope: CrawlScope,
  page: JobPage,
  job: JobFacts,
  links: readonly string[],
  options: CrawlAccess,
  signal: AbortSignal,
): Promise<Pick<Visited, 'found' | 'refused'>> {
  const taken = new Map<string, Accepted>()
  const refused: { key: string; url: string; reason: string }[] = []
  // Yield to the event loop: a page may have thousands of links, and the caller's patterns may be slow.
  const turn = takingTurns()
  for (const link of links.slice(0, MAX_LINKS)) {
    const pause = turn()
    if (pause) await pause
    const decision = scope.accept(link, page.depth + 1, 'link')
    if (decision.ok) taken.set(decision.key, decision)
    else if (decision.why === 'EXTERNAL_LINK')
      refused.push({ key: scope.key(link) ?? link, url: link, reason: decision.why })
  }
  // Most links repeat on every page of a site, so most are already in the frontier.
  const open = await store.frontier.unknown(job.id, [...taken.keys(), ...refused.map((link) => link.key)])
  const origins = new Set<string>()
  const found = []
  for (const { key, url } of taken.values()) {
    if (!open.has(key)) continue
    const { origin } = new URL(url)
    if (!origins.has(origin) && origins.size >= MAX_ORIGINS) continue
    origins.add(origin)
    const rules = robotsOfJob(job, options, url)
    const robots = await site.robotsOf(url, rules, signal)
    if (robots.allows(url)) found.push({ key, url, depth: page.depth + 1 })
    else refused.push({ key, url, reason: ROBOTS })
  }
  return { found, refused: refused.filter((link) => open.has(link.key)) }
}
