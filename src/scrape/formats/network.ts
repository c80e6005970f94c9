// The JSON and GraphQL responses that the page fetched while it was rendered.
import { z } from 'zod'
import { defineFormat } from './format.ts'

export const networkFormat = defineFormat({
  name: 'network',
  help: 'JSON and GraphQL responses that the page fetched, without credentials. `json` reads them, too. Needs a browser; never cached.',
  reply: z.array(
    z.object({
      url: z.string(),
      method: z.string(),
      status: z.int(),
      contentType: z.string(),
      startedMs: z.number().describe('Since the first request of the page.'),
      durationMs: z.number(),
      bytes: z.int(),
      operation: z.string().optional().describe('Of GraphQL.'),
      request: z.unknown().optional().describe('The JSON that was sent.'),
      body: z.unknown().optional(),
      omitted: z.string().optional().describe('Why there is no `body`.'),
    }),
  ),
  needs: ['network'],
  options: {
    urls: z
      .array(z.string().min(1).max(1000))
      .max(50)
      .default([])
      .describe('Patterns of the URLs to record, such as `*/api/*`; `*` stands for any characters.'),
    limit: z
      .int()
      .min(1)
      .max(1000)
      .default(100)
      .describe('Maximum number of responses; `warning` states how many are omitted.'),
    maxBytes: z
      .int()
      .min(1)
      .max(8_000_000)
      .default(2_000_000)
      .describe('Total bytes of bodies, at most 4 MB for one; others have `omitted` instead.'),
  },
  produce: ({ network }) => network,
})
