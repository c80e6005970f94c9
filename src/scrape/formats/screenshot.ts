// A screenshot link, valid for a day.
import { z } from 'zod'
import { screenshotOptionsShape } from '../screenshot-options.ts'
import { defineFormat } from './format.ts'

export const screenshotFormat = defineFormat({
  name: 'screenshot',
  help: 'A picture of the rendered page: a link that works for 24 hours.',
  reply: z.string().describe('A link that is valid for 24 hours.'),
  needs: ['screenshot'],
  options: screenshotOptionsShape,
  // Released clients send option keys of other services.
  isLoose: true,
  produce({ screenshot: link }) {
    if (link === null) throw new Error('only a web page that a browser visits has a picture')
    return link
  },
})
