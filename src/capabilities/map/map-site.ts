// Maps a site: all discovered URLs, filtered by the scope, in order of discovery or relevance.

import {
  type CrawlScopeOptions,
  openCrawlScope,
  type ScopeRefusal,
  scopeDefaults,
  scopeRefusalTexts,
} from '../../base/crawl-scope.ts'
import { problemOfAbort, startDeadline } from '../../base/deadline.ts'
import { prices } from '../../base/prices.ts'
import { Problem } from '../../base/problem.ts'
import { writeAcceptLanguage } from '../../fetch/http-engine.ts'
import { currentThreatContext } from '../../fetch/threats/threat-policy.ts'
import { languagesOfCountry } from '../../scrape/scrape-plan.ts'
import type { DiscoveredUrl, SiteDiscovery } from '../../site/discover-site.ts'
import { assertMayOverrideRobots } from '../../site/site-options.ts'
import { newId } from '../../store/id.ts'
import { withCreditReservation } from '../../teams/charge-credits.ts'
import type { RouteCall, Services } from '../route.ts'
import { rankByWords } from './rank-by-words.ts'
import type { MapBody } from './schema.ts'

/** Default timeout, after which partial results are returned: clients give up after five minutes. */
const DEFAULT_TIMEOUT_MS = 120_000
const MAX_KNOWN = 5000
const MAX_CANDIDATES = 100_000
const MAX_DROPPED_SHOWN = 100

export async function mapSite(
  services: Services,
  body: MapBody,
  explain: boolean,
  { caller, signal, note }: RouteCall,
) {
  const { store, clock, robotsChoice } = services
  assertMayOverrideRobots(body, robotsChoice)
  const id = newId(clock.now())
  note({ jobId: id })
  return withCreditReservation(store, caller, { id, endpoint: 'map', credits: prices.map }, async (charge) => {
    const found = await gather(services, body, caller.zeroDataRetention !== 'forced', signal)
    const links = await chooseLinks(found, body)
    await charge.settle(prices.map)
    const warning = [...found.warnings].join(' ')
    return {
      id,
      links: links.map(({ url, title, description }) => ({
        url,
        ...(title ? { title } : {}),
        ...(description ? { description } : {}),
      })),
      ...(warning ? { warning } : {}),
      creditsUsed: prices.map,
      ...(explain ? { explain: explainLinks(links, found) } : {}),
    }
  })
}

interface Gathered {
  links: Map<string, DiscoveredUrl>
  dropped: Map<ScopeRefusal, { count: number; urls: string[] }>
  warnings: string[]
  report: SiteDiscovery['report']
  complete: boolean
  ms: number
}

async function gather(services: Services, body: MapBody, mayKeep: boolean, client: AbortSignal): Promise<Gathered> {
  services.assertVisitable(body.url)
  const started = performance.now()
  const { signal, clear } = startDeadline(body.timeout ?? DEFAULT_TIMEOUT_MS, client)
  try {
    const wantsKnown = body.useIndex && body.sitemap !== 'only'
    const known = wantsKnown ? await services.store.pages.knownPages(originsOf(body.url), MAX_KNOWN) : []
    const discovery = services.site.discover(
      {
        url: body.url,
        sitemap: body.sitemap ?? 'include',
        links: 'more',
        robots: { agent: body.robotsUserAgent, ignore: body.ignoreRobotsTxt ?? false, fresh: body.ignoreCache },
        headers: headersOf(body),
        credentialHosts: body.allowCredentialsFor,
        ...(mayKeep ? { keptSitemaps: body.ignoreCache ? ('renew' as const) : ('use' as const) } : {}),
        delaySeconds: body.delay,
        known,
      },
      signal,
    )
    const gathered = await collect(discovery, body, client, signal)
    const policy = currentThreatContext.getStore()?.policy
    if (policy)
      for (const [key, { url }] of gathered.links)
        if (!services.threats.guard.isAllowed(url, policy)) gathered.links.delete(key)
    return { ...gathered, ms: Math.round(performance.now() - started) }
  } finally {
    clear()
  }
}

async function collect(discovery: SiteDiscovery, body: MapBody, client: AbortSignal, signal: AbortSignal) {
  let scope = openCrawlScope(scopeOf(body), body.url)
  const links = new Map<string, DiscoveredUrl>()
  const outside = new Map<string, DiscoveredUrl>()
  const dropped: Gathered['dropped'] = new Map()
  const warnings: string[] = []
  const most = body.search ? MAX_CANDIDATES : body.limit
  let complete = true
  try {
    for await (const found of discovery) {
      if (found.movedTo) {
        found.url = found.movedTo
        scope = openCrawlScope(scopeOf(body), found.url)
        warnings.push(`The start URL redirects to ${found.url}, so the URLs of that site are listed.`)
      }
      const decision = scope.accept(found.url, found.depth, found.source)
      if (decision.ok) {
        // A later duplicate may have the title that an earlier one lacks.
        const before = links.get(decision.key)
        if (before || links.size < most)
          links.set(decision.key, before ? { ...found, ...before } : { ...found, url: decision.url })
        complete = links.size < most
        if (!complete) break
      } else {
        countDrop(dropped, decision.why, found.url)
        const key = decision.why === 'OUTSIDE_PATH' ? scope.key(found.url) : undefined
        if (key !== undefined && outside.size < body.limit) outside.set(key, outside.get(key) ?? found)
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
    if (client.aborted) throw problemOfAbort(client)
    if (body.timeout !== undefined) throw new Problem('map_timeout')
    complete = false
    warnings.push(`The site was read for ${DEFAULT_TIMEOUT_MS / 1000} seconds; the URLs found by then are listed.`)
  }
  explainFindings(discovery.report, body, { links, outside, warnings })
  return { links, dropped, warnings, report: discovery.report, complete }
}

/** Adds the warnings. Where nothing was found below the path, the map is of the whole site. */
function explainFindings(
  { startProblem, robots, sitemaps }: SiteDiscovery['report'],
  body: MapBody,
  { links, outside, warnings }: Pick<Gathered, 'links' | 'warnings'> & { outside: Gathered['links'] },
): void {
  if (startProblem && links.size <= 1 && outside.size === 0) throw failure(startProblem)
  if (startProblem) warnings.push(`The start page could not be read: ${startProblem.message}.`)
  if (links.size <= 1 && outside.size > 0) {
    for (const [key, found] of outside) links.set(key, found)
    warnings.push(`Nothing was found below ${new URL(body.url).pathname}, so URLs of the whole site are listed.`)
  }
  if (body.sitemap === 'only' && links.size <= 1) warnings.push('No sitemap of this site lists any page.')
  for (const note of [...(robots?.notes ?? []), ...sitemaps.notes]) warnings.push(`${note}.`)
}

async function chooseLinks({ links }: Gathered, { search, limit }: MapBody): Promise<DiscoveredUrl[]> {
  const all = [...links.values()]
  if (!search) return all.slice(0, limit)
  const ranked = await rankByWords(all, search)
  // When there are more than the limit, URLs that match no word are dropped first.
  const kept = ranked.length > limit ? ranked.filter(({ score }) => score > 0) : ranked
  return kept.slice(0, limit).map(({ item }) => item)
}

const scopeOf = (body: MapBody): CrawlScopeOptions => ({
  ...scopeDefaults,
  crawlEntireDomain: !body.filterByPath,
  allowSubdomains: body.includeSubdomains,
  ...(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<MapBody>),
})

function headersOf({ headers = {}, location }: MapBody): Record<string, string> {
  if (!location) return headers
  return {
    'accept-language': writeAcceptLanguage(location.languages ?? languagesOfCountry(location.country)),
    ...headers,
  }
}

/** The same host with either scheme, with and without `www.`. */
function originsOf(url: string): string[] {
  const { host } = new URL(url)
  const other = host.startsWith('www.') ? host.slice(4) : `www.${host}`
  return [host, other].flatMap((name) => [`https://${name}`, `http://${name}`])
}

/** Our own refusals pass unchanged; an unreadable site is a map failure. */
const failure = (problem: Problem): Problem =>
  problem.row.status < 500 ? problem : new Problem('map_failed', { because: problem.message, cause: problem })

function countDrop(dropped: Gathered['dropped'], why: ScopeRefusal, url: string): void {
  const entry = dropped.get(why) ?? { count: 0, urls: [] }
  entry.count++
  if (entry.urls.length < MAX_DROPPED_SHOWN) entry.urls.push(url)
  dropped.set(why, entry)
}

function explainLinks(links: readonly DiscoveredUrl[], { dropped, report, complete, ms }: Gathered): object {
  return {
    links: links.map(({ url, source, depth, lastmod }) => ({ url, source, depth, ...(lastmod ? { lastmod } : {}) })),
    dropped: [...dropped].map(([why, { count, urls }]) => ({ why, because: scopeRefusalTexts[why], count, urls })),
    robots: report.robots,
    sitemaps: report.sitemaps,
    pagesRead: report.pagesRead,
    complete,
    ms,
  }
}
