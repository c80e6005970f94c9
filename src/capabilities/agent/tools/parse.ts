// The tool that reads a document: a PDF, a text document, a table, a presentation. Where `scrape` looks into the first
// pages, this reads on.
import { z } from 'zod'
import { webUrl } from '../../../scrape/options.ts'
import type { ScrapeInput } from '../planner.ts'
import { mostFor, readPage } from './read-page.ts'
import { type AgentTool, LINK_SLOT, place } from './tool.ts'

const PDF_PAGES = 30

export const parseTool: AgentTool<ScrapeInput> = {
  name: 'parse',
  use: `Reads the document of a link (PDF, Word, Excel, …), up to ${PDF_PAGES} of its pages.`,
  input: z.strictObject({ url: webUrl, ...place, record: z.string().optional() }),
  price: () => mostFor(PDF_PAGES),
  visits: (input) => [input],
  offer: { slots: { link: LINK_SLOT }, fill: ({ link }, { at }) => at(link) },
  async call(call, signal) {
    const { page, dropped, credits, store } = await readPage(call, call.input, PDF_PAGES, signal)
    const result = { tool: 'parse', page, ...(dropped.length > 0 ? { dropped } : {}) }
    return { result, credits, ...(store ? { store } : {}) }
  },
}
