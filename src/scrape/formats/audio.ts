// The audio of a page as an MP3 link, valid for an hour.
import { z } from 'zod'
import { findMedia } from '../../understanding/media/find-media.ts'
import { defineFormat } from './format.ts'
import { makeFormatOutcome } from './format-outcome.ts'

export const audioFormat = defineFormat({
  name: 'audio',
  help: "The page's audio, or the sound of its video, as MP3: a link that works for an hour.",
  reply: z.string().describe('A link that is valid for an hour.'),
  needs: ['media'],
  options: {},
  read: (page) => findMedia(page),
  async produce({ media, read }, _options, signal) {
    const { link, details, steps } = await media.take('audio', read, signal)
    return makeFormatOutcome({
      value: link,
      fields: { audioDetails: details },
      steps: steps as never,
      doNotCache: true,
    })
  },
})
