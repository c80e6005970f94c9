// Shared by tools that list a site's pages: sitemaps and the links of one page, within a time limit.
import { startDeadline } from '../../../base/deadline.ts'
import type { Services } from '../../route.ts'
import type { CandidateLink } from '../rank-links.ts'

/** A list of pages helps to choose, and a run goes on without it. */
const PATIENCE_MS = 20_000

/** The first pages that `judge` accepts, up to a limit. After a failure, what was found is returned with `error`. */
export async function listSiteLinks(
  { site }: Pick<Services, 'site'>,
  url: string,
  most: number,
  judge: (signal: AbortSignal) => Promise<(url: string) => boolean>,
  client: AbortSignal,
): Promise<{ links: CandidateLink[]; error?: unknown }> {
  const because = `listing the pages of the site took longer than the ${PATIENCE_MS / 1000} s that a run waits for it`
  const { signal, clear } = startDeadline(PATIENCE_MS, client, because)
  const links: CandidateLink[] = []
  try {
    const isWanted = await judge(signal)
    const question = { url, sitemap: 'include', links: 'page', robots: {}, headers: {}, keptSitemaps: 'use' } as const
    for await (const found of site.discover(question, signal)) {
      if (isWanted(found.url)) links.push({ url: found.url, text: found.title ?? '' })
      if (links.length >= most) break
    }
    return { links }
  } catch (error) {
    if (client.aborted) throw error
    return { links, error }
  } finally {
    clear()
  }
}
