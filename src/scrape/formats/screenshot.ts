// A screenshot link, valid for a day.
import { z } from 'zod'
import { defineFormat } from './format.ts'

const viewport = z
  .object({ width: z.int().min(1).max(7680), height: z.int().min(1).max(4320) })
  .describe('Size of the window in pixels.')

/** Also of the action. */
export const screenshotOptionsShape = {
  fullPage: z.boolean().default(false).describe('The whole page, not only the visible part.'),
  quality: z.int().min(1).max(100).optional().describe('Quality of a JPEG; without it the picture is a PNG.'),
  viewport: viewport.optional(),
}

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
