// The video of a page as a file link, valid for an hour.
import { z } from 'zod'
import { findMedia } from '../../understanding/media/find-media.ts'
import type { MediaFileDetails } from '../media/media-types.ts'
import { defineFormat } from './format.ts'
import { makeFormatOutcome } from './format-outcome.ts'

export const videoFormat = defineFormat({
  name: 'video',
  help: "The page's video as one file, HLS and DASH streams put together: a link that works for an hour.",
  reply: z.string().describe('A link that is valid for an hour.'),
  needs: ['media'],
  options: {},
  read: (page) => findMedia(page),
  async produce({ media, read }, _options, signal) {
    const { link, details, steps } = await media.take('video', read, signal)
    const fields = { videoDetails: details, videos: [videoItem(link, details)] }
    return makeFormatOutcome({ value: link, fields, steps: steps as never, doNotCache: true })
  },
})

/** As newer clients read it, beside `video`. */
const videoItem = (url: string, { source, contentType, duration, width, height, poster }: MediaFileDetails) => ({
  url,
  sourceURL: source,
  source: 'page',
  mimeType: contentType,
  duration,
  ...(width && height ? { width, height } : {}),
  ...(poster ? { thumbnail: poster } : {}),
})
