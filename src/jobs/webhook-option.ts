// The `webhook` option of a job: an address, or an object with headers, metadata and events.
import { z } from 'zod'
import { makeBoundedRecordSchema } from '../base/bounded-record-schema.ts'
import { headersOption } from '../base/caller-headers.ts'
import { urlOption } from '../base/url-option.ts'
import { JOB_EVENT_NAMES } from './job-kinds.ts'

export interface WebhookSettings {
  url: string
  headers: Record<string, string>
  metadata?: unknown
  events: readonly string[]
}

const MAX_METADATA_CHARS = 10_000
const MAX_METADATA_KEYS = 500

const address = urlOption({ named: true })

const headers = headersOption({ maxChars: 8192, most: 50 })

const detailsFor = (namespace: string, names: readonly string[]) =>
  z.strictObject({
    url: address.describe('Where events are posted.'),
    headers: headers.default({}).describe('Headers to send along.'),
    metadata: makeBoundedRecordSchema(z.unknown(), MAX_METADATA_KEYS)
      .refine((given) => JSON.stringify(given).length <= MAX_METADATA_CHARS, {
        error: `is longer than ${MAX_METADATA_CHARS} characters`,
        params: { named: true },
      })
      .optional()
      .describe('Returned with every event.'),
    events: z
      .array(
        z
          .string()
          .max(100)
          .refine(
            (event) => names.includes(event.startsWith(`${namespace}.`) ? event.slice(namespace.length + 1) : event),
            {
              error: `Unknown event. Known: ${names.join(', ')}`,
              params: { named: true },
            },
          ),
      )
      .max(20)
      .default([])
      .describe('Events to send; all by default.'),
  })

export const webhookOption = (namespace: string, names: readonly string[] = JOB_EVENT_NAMES) =>
  z
    .union([
      address.transform((url): WebhookSettings => ({ url, headers: {}, events: [] })),
      detailsFor(namespace, names),
    ])
    .transform((webhook): WebhookSettings => webhook)
