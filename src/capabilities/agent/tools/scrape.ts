// The tool that reads a page.
import { z } from 'zod'
import { webUrl } from '../../../scrape/options.ts'
import type { ScrapeInput } from '../planner.ts'
import { mostFor, readPage } from './read-page.ts'
import { type AgentTool, LINK_SLOT, place } from './tool.ts'

/** Pages of a PDF that are read: this looks into a document; `parse` reads it. */
const PDF_PAGES = 5

export const scrapeTool: AgentTool<ScrapeInput> = {
  name: 'scrape',
  use: 'Reads the page of a link.',
  input: z.strictObject({ url: webUrl, ...place, record: z.string().optional() }),
  price: () => mostFor(PDF_PAGES),
  visits: (input) => [input],
  offer: { slots: { link: LINK_SLOT }, fill: ({ link }, { at }) => at(link) },
  async call(call, signal) {
    const { page, dropped, credits, store } = await readPage(call, call.input, PDF_PAGES, signal)
    const result = { tool: 'scrape', page, ...(dropped.length > 0 ? { dropped } : {}) }
    return { result, credits, ...(store ? { store } : {}) }
  },
}
