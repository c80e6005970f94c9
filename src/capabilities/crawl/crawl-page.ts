// One page of a crawl: the visit, and which links the crawl follows.
import { LRUCache } from 'lru-cache'
import type { AcceptedUrl, CrawlScope } from '../../base/crawl-scope.ts'
import { addPress, isPageState, withoutPageState } from '../../base/page-state.ts'
import { isRoute } from '../../base/url-key.ts'
import { makeLoopYielder } from '../../base/yield-in-loops.ts'
import type { VisitedPage } from '../../jobs/end-page.ts'
import type { JobFacts } from '../../jobs/job-facts.ts'
import { ROBOTS_REFUSAL } from '../../jobs/job-status.ts'
import type { VisitPage } from '../../jobs/process-pages.ts'
import type { ScrapedPage } from '../../scrape/scrape.ts'
import type { SiteDiscoverer } from '../../site/discover-site.ts'
import { DEPTH_OF_KNOWN_PAGE } from '../../store/frontier.ts'
import type { JobPage } from '../../store/frontier-types.ts'
import { openPageComparison } from '../detect-changes-since.ts'
import {
  type ComparisonInput,
  limitHeadersToOrigins,
  openJobOptionsCache,
  type VisitParts,
  visitJobPage,
} from '../visit-job-page.ts'
import type { CrawlSettings } from './crawl-options.ts'
import type { RememberedPages } from './remembered-pages.ts'
import { type CrawlCredentials, type RunningCrawlScopes, robotsTxtRequestOfJob } from './running-scopes.ts'
import type { StoredCrawl } from './start-crawl.ts'

/** Other origins whose robots.txt is fetched for one page. */
const MAX_ROBOTS_ORIGINS = 20
/** Maximum links of a page examined; real pages have hundreds. */
const MAX_LINKS = 10_000
const MAX_KNOWN_TEXTS = 50_000
const AWAY = new Set(['OTHER_SITE', 'SUBDOMAIN', 'OUTSIDE_PATH'])

interface CrawlParts extends VisitParts {
  memories: RememberedPages
  site: SiteDiscoverer
  scopes: RunningCrawlScopes
  forget(jobId: string): void
}

export function makeCrawlPageVisitor(parts: CrawlParts): VisitPage {
  const options = openJobOptionsCache(parts.store)
  // Of this process alone: a page whose twin another process has visited is a result of its own.
  const textKeys = new LRUCache<string, string>({ max: MAX_KNOWN_TEXTS })
  const pressed = new LRUCache<string, string>({ max: MAX_KNOWN_TEXTS })
  return async (page, job, signal) => {
    const { scope: settings, url: start, since } = job.settings as StoredCrawl
    const scope = await parts.scopes.of(job)
    const own = scope.accept(page.url, page.depth, page.depth === 0 ? 'start' : 'known')
    const wants = wantsOf(settings, page, own)
    const given = await options(job.id, page.optionsN)
    const body = limitHeadersToOrigins(given, page.url, [start])
    const turn = since && (await openPageComparison(parts, page, job, since, page.key))
    const last = await parts.memories.of(job, given, signal)
    if (turn?.unread) return { ...turn.unread, last }
    const visit = (compared?: ComparisonInput) => visitJobPage(parts, page, job, body, wants, signal, compared)
    const seen = await visit(turn?.visit)
    const { scraped } = seen
    const arrived = arrival(scope, page, job, scraped)
    const visited = turn ? await turn.judge(seen, arrived, visit, signal) : seen.visited
    if (arrived.outside) return { ...(turn ? visited : { ...visited, outside: arrived.outside }), last }
    if (!turn && isOtherLanguage(settings, page, scraped)) return { ...visited, outside: 'OTHER_LANGUAGE', last }
    const home = arrived.moved ? await parts.scopes.of({ ...job, url: scraped.answered.url }) : scope
    // Of the page that it leads to, which is the one that is kept if both are linked.
    const states = statesOf(pressed, { ...page, key: arrived.also?.key ?? page.key }, job, scraped)
    const links =
      wants === 'document' ? noLinks : await chooseLinks(parts, home, page, job, { ...scraped, states }, given, signal)
    // A page that leads to another address is that one, which would else be taken for a copy of it.
    const twin = turn || arrived.moved || arrived.also ? undefined : twinOf(textKeys, page, job, scraped)
    // One that leads further is kept, so that its links are; its states are those of its twin.
    const leadsOn = links.found.some(({ url }) => !isPageState(url))
    const also = arrived.also ?? (leadsOn ? undefined : twin)
    return {
      ...visited,
      found: [...visited.found, ...links.found],
      refused: links.refused,
      last,
      ...(also && !turn ? { also } : {}),
      ...(arrived.moved ? rebaseScope(parts, job, visited, scraped.answered.url, home) : {}),
    }
  }
}

/** A page whose links are not followed is visited for its document alone. */
function wantsOf({ sitemap, routes }: CrawlSettings, { depth }: JobPage, own: ReturnType<CrawlScope['accept']>) {
  if (sitemap === 'only' || depth === DEPTH_OF_KNOWN_PAGE || (own.ok && own.leaf)) return 'document'
  return routes === 'auto' ? 'states' : 'links'
}

const isOtherLanguage = ({ language }: CrawlSettings, { depth }: JobPage, { answered }: ScrapedPage): boolean =>
  depth > 0 && !isLanguage(language, answered.language)

const noLinks = { found: [], refused: [] }

interface Arrival {
  also?: { key: string; url: string }
  moved?: boolean
  outside?: string
}

function arrival(scope: CrawlScope, page: JobPage, job: JobFacts, { answered }: ScrapedPage): Arrival {
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

/** Many sites give their home page as canonical for every page, so only a differing query or case is accepted. */
function samePath(one: string, other: string): boolean {
  if (!URL.canParse(one)) return false
  const [a, b] = [new URL(one), new URL(other)]
  const isSameRoute = a.hash === b.hash || !(isRoute(a.hash) || isRoute(b.hash))
  return a.host === b.host && a.pathname.toLowerCase() === b.pathname.toLowerCase() && isSameRoute
}

/** The first page of the job with the same text. */
function twinOf(known: LRUCache<string, string>, page: JobPage, job: JobFacts, { answered }: ScrapedPage) {
  const { textHash, status, url } = answered
  const { deduplicateSimilarURLs: isOn } = (job.settings as StoredCrawl).scope
  if (!isOn || textHash === undefined || status !== 200) return undefined
  const name = `${job.id} ${textHash}`
  const first = firstPageOf(known, name, page)
  return first === page.key ? undefined : { key: first, url }
}

function firstPageOf(known: LRUCache<string, string>, name: string, page: JobPage): string {
  const first = known.get(name) ?? page.key
  known.set(name, first)
  return first
}

/** States that the buttons of a page lead to. Menus repeat their buttons in every state, so each is pressed once. */
function statesOf(
  pressed: LRUCache<string, string>,
  page: JobPage,
  job: JobFacts,
  { answered, controls }: ScrapedPage,
): string[] {
  const from = isPageState(page.url) ? page.url : answered.url
  return (controls?.states ?? []).flatMap((press) => {
    const name = `${job.id} ${press.role} ${press.name} ${withoutPageState(from)}`
    return firstPageOf(pressed, name, page) === page.key ? (addPress(from, press) ?? []) : []
  })
}

/** `de` is the language of a page in `de-AT`, and `de-AT` that of one that says only `de`. Unknown ones are taken. */
export function isLanguage(wanted: string | undefined, given: string | undefined): boolean {
  if (wanted === undefined || !given || given === 'x-default') return true
  const [a, b] = [wanted, given].map((tag) => tag.toLowerCase().replaceAll('_', '-'))
  return a === b || b!.startsWith(`${a}-`) || a!.startsWith(`${b}-`)
}

/** Rebases the crawl on the URL that its start redirected to. */
const rebaseScope = (
  parts: CrawlParts,
  job: JobFacts,
  visited: VisitedPage,
  url: string,
  home: CrawlScope,
): Pick<VisitedPage, 'store' | 'also'> => ({
  also: { key: home.key(url) ?? url, url },
  async store(tx) {
    await visited.store(tx)
    await parts.store.jobs.change(tx, job.id, { url })
    parts.forget(job.id)
  },
})

async function chooseLinks(
  { site, store }: CrawlParts,
  scope: CrawlScope,
  page: JobPage,
  job: JobFacts,
  { links = [], alternates = [], states }: ScrapedPage & { states: readonly string[] },
  options: CrawlCredentials,
  signal: AbortSignal,
): Promise<Pick<VisitedPage, 'found' | 'refused'>> {
  const taken = new Map<string, AcceptedUrl>()
  const refused: { key: string; url: string; reason: string }[] = []
  // Yield to the event loop: a page may have thousands of links, and the caller's patterns may be slow.
  const turn = makeLoopYielder()
  const { language } = (job.settings as StoredCrawl).scope
  const languages = new Map(alternates.map((one) => [one.url, one.language]))
  for (const link of [...states, ...languages.keys(), ...links.slice(0, MAX_LINKS)]) {
    const pause = turn()
    if (pause) await pause
    const decision = scope.accept(link, page.depth + 1, states.includes(link) ? 'button' : 'link')
    if (!isLanguage(language, languages.get(link))) continue
    if (decision.ok) taken.set(decision.key, taken.get(decision.key) ?? decision)
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
    if (!origins.has(origin) && origins.size >= MAX_ROBOTS_ORIGINS) continue
    origins.add(origin)
    const rules = robotsTxtRequestOfJob(job, options, url)
    const robots = await site.robotsOf(url, rules, signal)
    if (robots.allows(url)) found.push({ key, url, depth: page.depth + 1 })
    else refused.push({ key, url, reason: ROBOTS_REFUSAL })
  }
  return { found, refused: refused.filter((link) => open.has(link.key)) }
}
