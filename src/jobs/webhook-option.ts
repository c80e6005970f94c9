// The `webhook` field of crawl and batch as callers write it: an address, or an object with headers, metadata and the
// events that are wanted. Sending is not its affair.
import { z } from 'zod'
import { Problem } from '../base/problem.ts'
import { targetUrl } from '../base/url.ts'

const EVENTS = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
const NAMES = new Set(EVENTS.flatMap((event) => [event, `crawl.${event}`, `batch_scrape.${event}`]))
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const OF_THE_CONNECTION =
  /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

const target = z
  .string()
  .max(8192)
  .transform((text, context) => {
    try {
      return targetUrl(text)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      context.addIssue({ code: 'custom', message: error.message, params: { named: true } })
      return z.NEVER
    }
  })

const headers = z.record(z.string(), z.string().max(16_384)).superRefine((given, context) => {
  for (const [name, value] of Object.entries(given)) {
    const wrong = (message: string) =>
      context.addIssue({ code: 'custom', path: [name], message, params: { named: true } })
    if (!HEADER_NAME.test(name)) wrong('is not a header name')
    else if (OF_THE_CONNECTION.test(name)) wrong('belongs to the connection and cannot be set')
    else if (/[\0\r\n]/.test(value)) wrong('holds a line break or NUL, which a header value cannot')
  }
})

const full = z.strictObject({
  url: target,
  headers: headers.default({}).describe('Headers to send along.'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('Sent back with every event.'),
  events: z
    .array(z.string())
    .superRefine((events, context) => {
      for (const [at, event] of events.entries())
        if (!NAMES.has(event as never))
          context.addIssue({
            code: 'custom',
            path: [at],
            message: `"${event.slice(0, 100)}" is no event. Known: ${EVENTS.join(', ')}`,
            params: { named: true },
          })
    })
    .optional()
    .describe('The events wanted; all unless told.'),
})

export const webhookOption = z.union([
  target.transform((url) => ({ url, headers: {} as Record<string, string> })),
  full,
])
export type Webhook = z.output<typeof full>
