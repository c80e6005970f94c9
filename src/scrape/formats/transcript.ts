// What is said in the audio or video of a page, from the captions that it names.
import { z } from 'zod'
import { findTranscripts } from '../../understanding/media/find-media.ts'
import { defineFormat } from './format.ts'

export const transcriptFormat = defineFormat({
  name: 'transcript',
  help: 'What is said in the audio or video of the page, with times: from tracks, subtitles of streams, podcast feeds.',
  reply: z.object({
    language: z.string().nullable(),
    label: z.string().nullable(),
    source: z.string().describe('Where the captions are.'),
    text: z.string(),
    cues: z.array(
      z.object({
        start: z.number().describe('Seconds.'),
        end: z.number(),
        text: z.string(),
        speaker: z.string().optional(),
      }),
    ),
  }),
  needs: ['media'],
  options: {
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, { error: 'must be a language such as en or pt-BR' })
      .max(35)
      .optional()
      .describe('Preferred language; by default the first one that the page lists.'),
  },
  read: (page) => findTranscripts(page),
  produce: ({ media, read }, { language }, signal) =>
    // Of an address that holds a stream itself, the stream is all that is known.
    media.transcript('media' in read ? read : { candidates: [], media: read }, language, signal),
})
