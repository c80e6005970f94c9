// One page of a crawl: the visit, and which of its links the crawl takes. Where a page turns out to be another one, by a
// redirect or by what it calls its canonical address, that one counts.
import type { Accepted, CrawlScope } from '../../base/scope.ts'
import { takingTurns } from '../../base/turns.ts'
import type { JobFacts } from '../../jobs/facts.ts'
import type { Visited } from '../../jobs/page-ends.ts'
import type { VisitPage } from '../../jobs/pages.ts'
import { ROBOTS } from '../../jobs/status.ts'
import type { Scraped } from '../../scrape/scrape.ts'
import type { Site } from '../../site/site.ts'
import { REMEMBERED } from '../../store/frontier.ts'
import type { JobPage } from '../../store/frontier-types.ts'
import { openOptionsBook, type VisitParts, visitPage, withOwnHeaders } from '../job-visit.ts'
import type { Memories } from './remembered.ts'
import { robotsQuestion, type Scopes } from './scopes.ts'
import type { StoredCrawl } from './start-crawl.ts'

/** Other sites whose robots.txt is asked for on behalf of one page. */
const MAX_ORIGINS = 20
/** Links of one page that are looked at; real pages have hundreds. */
const MAX_LINKS = 10_000
const AWAY = new Set(['OTHER_SITE', 'SUBDOMAIN', 'OUTSIDE_PATH'])

export interface CrawlParts extends VisitParts {
  memories: Memories
  site: Site
  scopes: Scopes
  /** Called when the start of a crawl turned out to be elsewhere. */
  forget(jobId: string): void
}

export function crawlVisit(parts: CrawlParts): VisitPage {
  const options = openOptionsBook(parts.store)
  return async (page, job, signal) => {
    const { scope: settings, url: start } = job.settings as StoredCrawl
    const scope = await parts.scopes.of(job)
    const own = scope.accept(page.url, page.depth, page.depth === 0 ? 'start' : 'known')
    const leaf = settings.sitemap === 'only' || page.depth === REMEMBERED || (own.ok && own.leaf)
    const body = withOwnHeaders(await options(job.id, page.optionsN), page.url, [start])
    const { visited, scraped } = await visitPage(parts, page, job, body, !leaf, signal)
    const arrived = arrival(scope, page, job, scraped)
    if (arrived.outside) return { ...visited, outside: arrived.outside }
    const home = arrived.moved ? await parts.scopes.of({ ...job, url: scraped.answered.url }) : scope
    const links = leaf ? noLinks : await chosen(parts, home, page, job, scraped.links ?? [], signal)
    return {
      ...visited,
      ...links,
      last: await parts.memories.of(job, body, signal),
      ...(arrived.also ? { also: arrived.also } : {}),
      ...(arrived.moved ? rebased(parts, job, visited, scraped.answered.url, home) : {}),
    }
  }
}

const noLinks = { found: [], refused: [] }

interface Arrival {
  /** The page as it is really called. */
  also?: { key: string; url: string }
  /** The start of the crawl is on another site. */
  moved?: boolean
  /** A page that led out of the crawl, and why that is out. */
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

/** Sites that call every page by the name of their home are common; only a differing query is believed. */
function samePath(one: string, other: string): boolean {
  if (!URL.canParse(one)) return false
  const [a, b] = [new URL(one), new URL(other)]
  return a.host === b.host && a.pathname === b.pathname
}

/** The crawl goes on where its start led to. */
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
  signal: AbortSignal,
): Promise<Pick<Visited, 'found' | 'refused'>> {
  const { scope: settings } = job.settings as StoredCrawl
  const rules = robotsQuestion(settings)
  const taken = new Map<string, Accepted>()
  const refused: { key: string; url: string; reason: string }[] = []
  // Links and patterns are both chosen by others: thousands of the one and costly ones of the other may meet.
  const turn = takingTurns()
  for (const link of links.slice(0, MAX_LINKS)) {
    const pause = turn()
    if (pause) await pause
    const decision = scope.accept(link, page.depth + 1, 'link')
    if (decision.ok) taken.set(decision.key, decision)
    else if (decision.why === 'EXTERNAL_LINK')
      refused.push({ key: scope.key(link) ?? link, url: link, reason: decision.why })
  }
  // Most links of a site are on every page of it, so most were judged before.
  const open = await store.frontier.unknown(job.id, [...taken.keys(), ...refused.map((link) => link.key)])
  const origins = new Set<string>()
  const found = []
  for (const { key, url } of taken.values()) {
    if (!open.has(key)) continue
    const { origin } = new URL(url)
    if (!origins.has(origin) && origins.size >= MAX_ORIGINS) continue
    origins.add(origin)
    const robots = await site.robotsOf(url, rules, signal)
    if (robots.allows(url)) found.push({ key, url, depth: page.depth + 1 })
    else refused.push({ key, url, reason: ROBOTS })
  }
  return { found, refused: refused.filter((link) => open.has(link.key)) }
}
