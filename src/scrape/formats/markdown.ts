// The page as markdown.
import { z } from 'zod'
import { defineFormat } from './format.ts'

export const markdownFormat = defineFormat({
  name: 'markdown',
  help: 'The page as markdown.',
  reply: z.string(),
  needs: ['markdown'],
  options: {},
  produce: (have) => have.markdown,
})
