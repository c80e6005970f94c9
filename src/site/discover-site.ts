// Discovers the addresses of a site from robots.txt, sitemaps, links and known pages, as one stream. base/crawl-scope.ts
// decides which are wanted.

import { setTimeout as wait } from 'node:timers/promises'
import { abortAfter } from '../base/abort-after.ts'
import type { Clock } from '../base/clock.ts'
import { isSameSite, type UrlSource } from '../base/crawl-scope.ts'
import { asProblem, Problem } from '../base/problem.ts'
import { makeLoopYielder } from '../base/yield-in-loops.ts'
import { type CredentialRecipients, headersAllowedAt } from '../fetch/follow-redirects.ts'
import type { CachedSitePage } from '../store/find-cached-pages.ts'
import { openRobotsCache, type RobotsCache, type RobotsOptions, type SiteRobots } from './fetch-robots.ts'
import { emptySitemapReport, readSitemapPages, type SitemapReport } from './read-sitemaps.ts'
import type { ParsedSitePage, ParseSitePage, SiteFetch } from './site-fetch-types.ts'
import { type SiteFileCache, withSharedRobotsCache, withSitemapCache } from './site-file-cache.ts'

export interface SiteDiscoveryOptions {
  url: string
  sitemap: 'skip' | 'include' | 'only'
  /** `page`: also links of the start page; `more`: and of further pages, when few are found. */
  links: 'none' | 'page' | 'more'
  robots: RobotsOptions
  headers: Readonly<Record<string, string>>
  credentialHosts?: readonly string[] | undefined
  /** Seconds between pages read for links, which are then read one at a time. */
  delaySeconds?: number | undefined
  /** `use`: sitemaps cached for up to a week; `renew`: fetch and cache them. */
  keptSitemaps?: 'use' | 'renew'
  known?: readonly CachedSitePage[]
}

export interface DiscoveredUrl {
  url: string
  /** `robots`: a sitemap named in robots.txt; `sitemap`: one at a usual place. */
  source: UrlSource
  /** 0 for the start address and sitemaps, 1 for links of the start page, … */
  depth: number
  /** Redirect target, when the start address leads to another site. */
  movedTo?: string
  lastmod?: string
  /** As the sitemap says. */
  language?: string
  title?: string
  description?: string
}

interface SiteDiscoveryReport {
  robots: { state: SiteRobots['state']; delaySeconds: number | undefined; notes: readonly string[] } | undefined
  sitemaps: SitemapReport
  pagesRead: number
  startProblem: Problem | undefined
}

export interface SiteDiscovery extends AsyncIterable<DiscoveredUrl> {
  readonly report: SiteDiscoveryReport
}

export interface SiteDiscoverer extends RobotsCache {
  /** The start address comes first. Fetching stops with the iteration. */
  discover(question: SiteDiscoveryOptions, signal: AbortSignal): SiteDiscovery
}

interface SiteParts {
  fetch: SiteFetch
  readPage: ParseSitePage
  files: SiteFileCache
  sharesRobots?: boolean
  clock: Clock
}

const LITTLE = 50
const SECOND_HOP_PAGES = 10
const SECOND_HOP_AT_ONCE = 4
const MAX_PAGE_BYTES = 10 * 1024 * 1024
const PAGE_TIMEOUT_MS = 30_000

export function createSiteDiscoverer(parts: SiteParts): SiteDiscoverer {
  const { fetch, files, clock, sharesRobots } = parts
  const book = openRobotsCache(
    (share, fresh) => (share && sharesRobots ? withSharedRobotsCache(fetch, files, clock, fresh) : fetch),
    clock,
  )
  return {
    robotsOf: book.robotsOf,
    discover(question, signal) {
      const report: SiteDiscoveryReport = {
        robots: undefined,
        sitemaps: emptySitemapReport(),
        pagesRead: 0,
        startProblem: undefined,
      }
      return { report, [Symbol.asyncIterator]: () => inTurns(walk(parts, book, question, report, signal)) }
    },
  }
}

/** A site chooses how much it lists, so yield to other requests. */
async function* inTurns(finds: AsyncIterable<DiscoveredUrl>): AsyncGenerator<DiscoveredUrl> {
  const turn = makeLoopYielder()
  for await (const found of finds) {
    const pause = turn()
    if (pause) await pause
    yield found
  }
}

interface DiscoveryRun {
  parts: SiteParts
  question: SiteDiscoveryOptions
  recipients: CredentialRecipients
  report: SiteDiscoveryReport
  signal: AbortSignal
}

async function* walk(
  given: SiteParts,
  book: RobotsCache,
  question: SiteDiscoveryOptions,
  report: SiteDiscoveryReport,
  signal: AbortSignal,
): AsyncGenerator<DiscoveredUrl> {
  const { url, sitemap, links } = question
  const recipients = { urls: [url], hosts: question.credentialHosts }
  const parts = { ...given, fetch: fetchFor(given.fetch, recipients) }
  const stop = new AbortController()
  const within = AbortSignal.any([signal, stop.signal])
  const run: DiscoveryRun = { parts, question, recipients, report, signal: within }
  const wantsLinks = links !== 'none' && sitemap !== 'only'
  const start = wantsLinks ? pageAt(parts, url, question.headers, within) : undefined
  const asking = { headers: question.headers, ...question.robots }
  const rules = sitemap === 'skip' && links !== 'more' ? undefined : book.robotsOf(url, asking, within)
  rules?.catch(() => undefined)
  try {
    const { facts, landedAt: home = url, problem } = (await start) ?? {}
    signal.throwIfAborted()
    report.startProblem = problem
    if (facts) report.pagesRead++
    const moved = home === url || isSameSite(home, url) ? {} : { movedTo: home }
    yield { url, source: 'start', depth: 0, ...moved, ...descriptionFieldsOf(facts) }
    const seen = new Set<string>()
    for (const link of facts?.links ?? []) {
      seen.add(link)
      yield { url: link, source: 'link', depth: 1 }
    }
    const robots = rules && (await robotsAt(run, book, home, rules))
    if (robots && sitemap !== 'skip') yield* pagesOfSitemaps(run, robots, home, seen)
    for (const { url: known, title, description } of question.known ?? [])
      yield { url: known, source: 'known', depth: 0, ...descriptionFieldsOf({ title, description }) }
    if (links === 'more' && facts && robots && seen.size < LITTLE) {
      const next = facts.links.filter((link) => sameHost(link, home) && robots.allows(link))
      yield* secondHop(run, next.slice(0, SECOND_HOP_PAGES))
    }
  } finally {
    stop.abort()
  }
}

/** After a move, robots.txt and sitemaps are at the new origin. */
async function robotsAt(
  { question, recipients, report, signal }: DiscoveryRun,
  book: RobotsCache,
  home: string,
  rules: Promise<SiteRobots>,
): Promise<SiteRobots> {
  const elsewhere = new URL(home).origin !== new URL(question.url).origin
  const headers = headersAllowedAt(home, recipients, question.headers)
  const robots = await (elsewhere ? book.robotsOf(home, { ...question.robots, headers }, signal) : rules)
  report.robots = { state: robots.state, delaySeconds: robots.delaySeconds, notes: robots.notes }
  return robots
}

async function* pagesOfSitemaps(
  { parts, question, report, signal }: DiscoveryRun,
  robots: SiteRobots,
  home: string,
  seen: Set<string>,
): AsyncGenerator<DiscoveredUrl> {
  const source = robots.sitemaps.some((named) => URL.canParse(named)) ? 'robots' : 'sitemap'
  const asked = { start: home, named: robots.sitemaps, headers: question.headers }
  for await (const entry of readSitemapPages(asked, sitemapFetch(parts, question), report.sitemaps, signal)) {
    if (seen.size < LITTLE) seen.add(entry.url)
    const { kind: _kind, ...listed } = entry
    yield { ...listed, source, depth: 0 }
  }
}

const fetchFor =
  (fetch: SiteFetch, recipients: CredentialRecipients): SiteFetch =>
  (request, signal) => {
    const headers = headersAllowedAt(request.url, recipients, request.headers)
    return fetch({ ...request, headers, credentialHosts: recipients.hosts }, signal)
  }

const sitemapFetch = ({ fetch, files, clock }: SiteParts, { keptSitemaps }: SiteDiscoveryOptions): SiteFetch =>
  keptSitemaps ? withSitemapCache(fetch, files, clock, keptSitemaps === 'renew') : fetch

async function* secondHop(
  { parts, question: { headers, delaySeconds }, report, signal }: DiscoveryRun,
  urls: readonly string[],
): AsyncGenerator<DiscoveredUrl> {
  const atOnce = delaySeconds === undefined ? SECOND_HOP_AT_ONCE : 1
  for (let at = 0; at < urls.length; at += atOnce) {
    if (delaySeconds !== undefined) await wait(delaySeconds * 1000, undefined, { signal })
    const batch = urls.slice(at, at + atOnce)
    const pages = await Promise.all(batch.map((url) => pageAt(parts, url, headers, signal)))
    signal.throwIfAborted()
    for (const [index, page] of pages.entries()) {
      if (!page.facts) continue
      report.pagesRead++
      yield { url: batch[index]!, source: 'link', depth: 1, ...descriptionFieldsOf(page.facts) }
      for (const link of page.facts.links) yield { url: link, source: 'link', depth: 2 }
    }
  }
}

interface ReadPage {
  facts?: ParsedSitePage
  landedAt?: string
  problem?: Problem
}

/** A failed page has no links; discovery continues. */
async function pageAt(
  { fetch, readPage }: SiteParts,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ReadPage> {
  const within = AbortSignal.any([signal, abortAfter(PAGE_TIMEOUT_MS)])
  try {
    const answer = await fetch({ url, headers, maxBytes: MAX_PAGE_BYTES }, within)
    if (answer.status >= 400)
      return { problem: new Problem('site_failed', { because: `it returned ${answer.status}` }) }
    return { facts: await readPage(answer, within), landedAt: answer.url }
  } catch (error) {
    return { problem: asProblem(error) }
  }
}

function descriptionFieldsOf(facts: { title?: string | undefined; description?: string | undefined } | undefined) {
  return {
    ...(facts?.title ? { title: facts.title } : {}),
    ...(facts?.description ? { description: facts.description } : {}),
  }
}

const sameHost = (one: string, other: string): boolean => URL.canParse(one) && new URL(one).host === new URL(other).host
