// Every link of the page.
import { defineFormat } from './format.ts'

export const links = defineFormat({
  name: 'links',
  help: 'All links of the page: absolute, without duplicates, in document order.',
  needs: ['links'],
  options: {},
  produce: (have) => have.links,
})
