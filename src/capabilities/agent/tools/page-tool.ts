// What single-page tools share; they differ in how many pages of a document they read.
import { z } from 'zod'
import { webUrl } from '../../../scrape/options.ts'
import type { ScrapeInput } from '../steps.ts'
import { mostFor, readPage } from './read-page.ts'
import { type AgentTool, place } from './tool.ts'

export const pageTool = (name: 'scrape' | 'parse', use: string, pdfPages: number): AgentTool<ScrapeInput> => ({
  name,
  use,
  input: z.strictObject({ url: webUrl, ...place, record: z.string().optional() }),
  price: () => mostFor(pdfPages),
  visits: (input) => [input],
  async call(call, signal) {
    const { page, dropped, credits, store } = await readPage(call, call.input, pdfPages, signal)
    const result = { tool: name, page, ...(dropped.length > 0 ? { dropped } : {}) }
    return { result, credits, ...(store ? { store } : {}) }
  },
})
