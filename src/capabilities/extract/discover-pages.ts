// Resolves `https://example.com/*`: the site's pages below that URL, ranked by words that the URL shares with the
// request.

import type { DiscoverPages } from '../../jobs/run-discovery.ts'
import type { ScrapeBody } from '../../scrape/scrape-options.ts'
import type { Services } from '../route.ts'
import type { StoredExtract } from './start-extract.ts'

const MAX_WEIGHED = 2000

type ExploreParts = Pick<Services, 'store' | 'jobService' | 'site'>

export function makeExtractDiscovery({ store, jobService, site }: ExploreParts): DiscoverPages {
  return async (job, signal) => {
    const settings = job.settings as StoredExtract
    const options = (await store.jobs.options(job.id, 0)) as Pick<ScrapeBody, 'headers' | 'allowCredentialsFor'>
    const { headers = {}, allowCredentialsFor: credentialHosts } = options
    for (const start of settings.sites) {
      const robots = await site.robotsOf(start, { headers }, signal)
      const found: string[] = []
      const question = {
        url: start,
        sitemap: settings.ignoreSitemap ? ('skip' as const) : ('include' as const),
        links: 'page' as const,
        robots: {},
        ...{ headers, credentialHosts },
      }
      for await (const { url } of site.discover(question, signal)) {
        if (isBelow(url, start, settings.includeSubdomains) && robots.allows(url)) found.push(url)
        if (found.length >= MAX_WEIGHED) break
      }
      const chosen = byWords([...new Set(found)], settings.words).slice(0, settings.limit)
      await store.transaction(async (tx) => {
        await store.frontier.lockTeam(tx, job.teamId)
        await jobService.add(
          tx,
          job.id,
          chosen.map((url) => ({ key: url, url, depth: 0 })),
        )
      })
    }
  }
}

function isBelow(url: string, start: string, includeSubdomains: boolean): boolean {
  const [page, root] = [new URL(url), new URL(start)]
  const bare = root.hostname.replace(/^www\./, '')
  const isSame = page.hostname.replace(/^www\./, '') === bare
  if (!isSame && !(includeSubdomains && page.hostname.endsWith(`.${bare}`))) return false
  return !isSame || page.pathname.startsWith(root.pathname)
}

/** URLs that share words with the question first, then in discovery order. */
function byWords(urls: readonly string[], question: string): string[] {
  const wanted = new Set(question.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
  const weight = (url: string): number =>
    new Set((url.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => wanted.has(word))).size
  return urls
    .map((url, n) => ({ url, n, weight: weight(url) }))
    .sort((a, b) => b.weight - a.weight || a.n - b.n)
    .map(({ url }) => url)
}
