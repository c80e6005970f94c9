// Tool: reads a small part of a site: the start page, then the most promising pages below it from sitemaps and its
// links.
import { z } from 'zod'
import { openCrawlScope, scopeDefaults } from '../../../base/crawl-scope.ts'
import { webUrlSchema } from '../../../scrape/scrape-options.ts'
import { linkKeyOf, rankLinks } from '../rank-links.ts'
import { MAX_CRAWLED_PAGES } from '../steps.ts'
import { type AgentTool, LINK_NUMBER_SCHEMA, linkSourceShape, type ToolCall } from './agent-tool.ts'
import { listSiteLinks } from './list-site-links.ts'
import { maxPriceOfPage } from './read-page.ts'
import { readPages } from './read-pages.ts'

const MAX_WEIGHED = 500

type CrawlInput = { url: string; limit: number; from?: string | undefined }

export const crawlTool: AgentTool<CrawlInput> = {
  name: 'crawl',
  use: 'Reads a page and the pages below it.',
  input: z.strictObject({ url: webUrlSchema, limit: z.int().min(1).max(MAX_CRAWLED_PAGES), ...linkSourceShape }),
  price: ({ limit }) => limit * maxPriceOfPage(1),
  visits: (input) => [input],
  offer: {
    slots: { link: LINK_NUMBER_SCHEMA, limit: { type: 'integer' } },
    optional: ['limit'],
    fill({ link, limit }, { at }) {
      const where = at(link)
      const most = Number.isInteger(limit) ? Math.min(MAX_CRAWLED_PAGES, Math.max(1, Number(limit))) : MAX_CRAWLED_PAGES
      return where && { ...where, limit: most }
    },
  },
  async call(call, signal) {
    const { url, limit } = call.input
    const chosen = await chosenPages(call, signal)
    const urls = [url, ...chosen].slice(0, limit)
    const isList = call.goal.shape === 'list' && call.has.llm.by !== 'model'
    const { pages, ...end } = await readPages(call, urls, signal, isList ? (one) => one !== url : undefined)
    return { ...end, result: { tool: 'crawl', pages } }
  },
}

/** Pages below the start that may be read, most promising first. When sitemaps fail, the start page alone is read. */
async function chosenPages({ has, goal, input, mayVisit }: ToolCall<CrawlInput>, client: AbortSignal) {
  const { url } = input
  const scope = openCrawlScope({ ...scopeDefaults, crawlEntireDomain: isFile(url) }, url)
  const seen = new Set([linkKeyOf(url)])
  const judge = async (signal: AbortSignal) => {
    const robots = await has.site.robotsOf(url, {}, signal)
    return (page: string) => {
      if (seen.has(linkKeyOf(page)) || !scope.accept(page, 1, 'link').ok) return false
      if (!robots.allows(page) || !mayVisit(page, url)) return false
      seen.add(linkKeyOf(page))
      return true
    }
  }
  const { links } = await listSiteLinks(has, url, MAX_WEIGHED, judge, client)
  const ranked = rankLinks(
    goal,
    links.map((link, order) => ({ ...link, order })),
  )
  return ranked.map(({ link }) => link.url)
}

/** A file such as `/news/index.html` has no pages below it, so its whole site is used. */
const isFile = (url: string): boolean => /\.[a-z]{2,5}$/i.test(new URL(url).pathname)
