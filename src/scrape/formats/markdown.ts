// The page as markdown: what most callers come for.
import { defineFormat } from './format.ts'

export const markdown = defineFormat({
  name: 'markdown',
  help: 'The page as markdown.',
  needs: ['markdown'],
  options: {},
  produce: (have) => have.markdown,
})
