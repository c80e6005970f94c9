// Tool: reads several known URLs in one step at one price.
import { z } from 'zod'
import { webUrl } from '../../../scrape/options.ts'
import { hasItems } from '../goal.ts'
import { MOST_TOGETHER } from '../steps.ts'
import { type PagesRead, readMany } from './read-many.ts'
import { mostFor } from './read-page.ts'
import type { AgentTool, ToolEnd } from './tool.ts'

interface ExtractInput {
  urls: string[]
  /** The page with the links; absent: named by the caller or a search. */
  from?: string | undefined
}

export const extractTool: AgentTool<ExtractInput> = {
  name: 'extract',
  use: 'Reads several pages together.',
  input: z.strictObject({ urls: z.array(webUrl).min(1).max(MOST_TOGETHER), from: z.string().optional() }),
  // The first page may be read twice.
  price: ({ urls }) => (urls.length + 1) * mostFor(1),
  visits: ({ urls, from }) => urls.map((url) => ({ url, from })),
  async call(call, signal) {
    const { urls } = call.input
    const [first = ''] = urls
    // A model returns the items of either kind of page.
    if (call.goal.shape !== 'list' || call.has.llm.by === 'model') return endOf(await readMany(call, urls, signal))
    // Pages either contain many list items or are about one each; the first page decides which.
    const tried = await readMany(call, [first], signal)
    const isList = tried.pages.some(({ page }) => hasItems(call.goal, page?.data))
    const rest = isList ? urls.slice(1) : urls
    if (rest.length === 0) return endOf(tried)
    const read = await readMany(call, rest, signal, isList ? undefined : () => true)
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

const endOf = ({ pages, ...end }: PagesRead): ToolEnd => ({ ...end, result: { tool: 'extract', pages } })
