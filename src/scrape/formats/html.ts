// Cleaned HTML, from the same tree and options as the markdown.
import { z } from 'zod'
import { defineFormat } from './format.ts'

export const htmlFormat = defineFormat({
  name: 'html',
  help: 'Cleaned html: no scripts or styles, absolute URLs, the largest of each source set.',
  reply: z.string(),
  needs: ['html'],
  options: {},
  produce: (have) => have.html,
})
