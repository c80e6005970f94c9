// A summary: by a model, or the page's best sentences.
import { z } from 'zod'
import { defineFormat } from './format.ts'
import { outcomeOfModelAnswer } from './format-outcome.ts'

export const summaryFormat = defineFormat({
  name: 'summary',
  isOfModel: true,
  help: 'The page in a few sentences.',
  reply: z.string(),
  needs: ['markdown', 'llm'],
  options: {},
  async read({ markdown, metadata, veil = (text) => text }) {
    const { summarise } = await import('../../understanding/passages/summarise.ts')
    const description = [metadata.description ?? metadata.ogDescription].flat()[0]
    return summarise(markdown, description && veil(description)) ?? null
  },
  async produce({ read, markdown, llm }, _options, signal) {
    return outcomeOfModelAnswer(await llm.summarise({ text: () => markdown.value(), found: read }, signal))
  },
})
