// Shared by tools that list a site's pages: sitemaps and the links of one page, within a time limit.
import { deadline } from '../../../base/clock.ts'
import type { Link } from '../links.ts'
import type { ToolHas } from './tool.ts'

const PATIENCE_MS = 20_000

/** The first pages that `judge` accepts, up to a limit. After a failure, what was found is returned with `error`. */
export async function siteLinks(
  { site }: Pick<ToolHas, 'site'>,
  url: string,
  most: number,
  judge: (signal: AbortSignal) => Promise<(url: string) => boolean>,
  client: AbortSignal,
): Promise<{ links: Link[]; error?: unknown }> {
  const { signal, clear } = deadline(PATIENCE_MS, client)
  const links: Link[] = []
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
