// A summary: by a model, or the page's best sentences.
import { z } from 'zod'
import { defineFormat } from './format.ts'
import { answeredBy } from './outcome.ts'

export const summary = defineFormat({
  name: 'summary',
  help: 'The page in a few sentences.',
  reply: z.string(),
  needs: ['markdown', 'llm'],
  options: {},
  async read({ markdown, metadata, veil = (text) => text }) {
    const { summaryOf } = await import('../../understanding/passages/summary.ts')
    const description = [metadata.description ?? metadata.ogDescription].flat()[0]
    return summaryOf(markdown, description && veil(description)) ?? null
  },
  async produce({ read, markdown, llm }, _options, signal) {
    return answeredBy(await llm.summarise({ text: () => markdown.value(), found: read }, signal))
  },
})
