// The page in a few sentences: a model's, or the page's own best ones.
import { defineFormat } from './format.ts'
import { toldBy } from './outcome.ts'

export const summary = defineFormat({
  name: 'summary',
  help: 'The page in a few sentences.',
  needs: ['markdown', 'llm'],
  options: {},
  read: async ({ markdown }) => (await import('../../understanding/passages/summary.ts')).summaryOf(markdown) ?? null,
  async produce({ read, markdown, llm }, _options, signal) {
    return toldBy(await llm.summarise({ text: () => markdown.value(), found: read }, signal))
  },
})
