// What single-page tools share; they differ in how many pages of a document they read.
import { z } from 'zod'
import { webUrlSchema } from '../../../scrape/scrape-options.ts'
import type { ScrapeInput } from '../steps.ts'
import { type AgentTool, linkSourceShape } from './agent-tool.ts'
import { maxPriceOfPage, readPage } from './read-page.ts'

export const makeSinglePageTool = (
  name: 'scrape' | 'parse',
  use: string,
  pdfPages: number,
): AgentTool<ScrapeInput> => ({
  name,
  use,
  input: z.strictObject({ url: webUrlSchema, ...linkSourceShape, record: z.string().optional() }),
  price: () => maxPriceOfPage(pdfPages),
  visits: (input) => [input],
  async call(call, signal) {
    const { page, dropped, credits, store } = await readPage(call, call.input, pdfPages, signal)
    const result = { tool: name, page, ...(dropped.length > 0 ? { dropped } : {}) }
    return { result, credits, ...(store ? { store } : {}) }
  },
})
