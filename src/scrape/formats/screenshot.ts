// A picture of the page, as a link that works for a day.
import { shotShape } from '../viewport.ts'
import { defineFormat } from './format.ts'

export const screenshot = defineFormat({
  name: 'screenshot',
  help: 'A picture of the rendered page: a link that works for 24 hours.',
  needs: ['screenshot'],
  options: shotShape,
  // Released clients send keys of other drawing services along.
  isLoose: true,
  produce: (have) => have.screenshot,
})
