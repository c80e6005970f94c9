// The video of a page as a file link, valid for an hour.
import { z } from 'zod'
import { findMedia } from '../../understanding/media/find-media.ts'
import { defineFormat } from './format.ts'
import { outcome } from './outcome.ts'

export const video = defineFormat({
  name: 'video',
  help: "The page's video as one file, HLS and DASH streams put together: a link that works for an hour.",
  reply: z.string().describe('A link that works for an hour.'),
  needs: ['media'],
  options: {},
  read: (page) => findMedia(page),
  async produce({ media, read }, _options, signal) {
    const { link, details, steps } = await media.take('video', read, signal)
    return outcome({ value: link, fields: { videoDetails: details }, steps: steps as never, fleeting: true })
  },
})
