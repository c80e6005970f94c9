// The page in a few sentences: a model's, or the page's own best ones.
import { summaryOf } from '../../content/passages/summary.ts'
import { defineFormat } from './format.ts'
import { toldBy } from './outcome.ts'

export const summary = defineFormat({
  name: 'summary',
  help: 'The page in a few sentences.',
  needs: ['markdown', 'llm'],
  options: {},
  read: ({ markdown }) => summaryOf(markdown) ?? null,
  async produce({ read, markdown, llm }, _options, signal) {
    return toldBy(await llm.summarise({ text: () => markdown.value(), found: read }, signal))
  },
})
