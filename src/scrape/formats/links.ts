// All links of the page.
import { z } from 'zod'
import { defineFormat } from './format.ts'

export const linksFormat = defineFormat({
  name: 'links',
  help: 'All links of the page: absolute, without duplicates, in document order.',
  reply: z.array(z.string()),
  needs: ['links'],
  options: {},
  produce: (have) => have.links,
})
