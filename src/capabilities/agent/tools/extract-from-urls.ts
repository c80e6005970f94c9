// Tool: reads several known URLs in one step at one price.
import { z } from 'zod'
import { webUrlSchema } from '../../../scrape/scrape-options.ts'
import { hasListItems } from '../derive-goal.ts'
import { MAX_PAGES_PER_EXTRACT } from '../steps.ts'
import type { AgentTool, ToolResult } from './agent-tool.ts'
import { maxPriceOfPage } from './read-page.ts'
import { type PagesReadResult, readPages } from './read-pages.ts'

interface ExtractInput {
  urls: string[]
  /** The page with the links; absent: named by the caller or a search. */
  from?: string | undefined
}

export const extractFromUrlsTool: AgentTool<ExtractInput> = {
  name: 'extract',
  use: 'Reads several pages together.',
  input: z.strictObject({ urls: z.array(webUrlSchema).min(1).max(MAX_PAGES_PER_EXTRACT), from: z.string().optional() }),
  // The first page may be read twice.
  price: ({ urls }) => (urls.length + 1) * maxPriceOfPage(1),
  visits: ({ urls, from }) => urls.map((url) => ({ url, from })),
  async call(call, signal) {
    const { urls } = call.input
    const [first = ''] = urls
    // A model returns the items of either kind of page.
    if (call.goal.shape !== 'list' || call.has.llm.by === 'model') return endOf(await readPages(call, urls, signal))
    // Pages either contain many list items or are about one each; the first page decides which.
    const tried = await readPages(call, [first], signal)
    const isList = tried.pages.some(({ page }) => hasListItems(call.goal, page?.data))
    const rest = isList ? urls.slice(1) : urls
    if (rest.length === 0) return endOf(tried)
    const read = await readPages(call, rest, signal, isList ? undefined : () => true)
    return endOf({
      pages: isList ? [...tried.pages, ...read.pages] : read.pages,
      credits: tried.credits + read.credits,
      async store(tx) {
        await tried.store(tx)
        await read.store(tx)
      },
    })
  },
}

const endOf = ({ pages, ...end }: PagesReadResult): ToolResult => ({ ...end, result: { tool: 'extract', pages } })
