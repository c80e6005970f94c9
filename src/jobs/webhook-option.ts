// The `webhook` of a job as callers write it: an address, or an object with headers, metadata and the events wanted.
import { z } from 'zod'
import { addressOption } from '../base/url-option.ts'
import { EVENT_NAMES } from './kinds.ts'
import type { Webhook } from './webhook.ts'

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Names that a connection is made of. */
const OF_THE_CONNECTION =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect)$/i
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/
const MAX_METADATA_CHARS = 10_000

const address = addressOption({ named: true })

const headers = z.record(z.string(), z.string().max(8192)).superRefine((given, context) => {
  const wrong = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message, params: { named: true } })
  if (Object.keys(given).length > 50) wrong('', 'are more than 50')
  for (const [name, value] of Object.entries(given)) {
    if (!HEADER_NAME.test(name)) wrong(name, 'is not a header name')
    else if (OF_THE_CONNECTION.test(name)) wrong(name, 'belongs to the connection and cannot be set')
    else if (CONTROL.test(value))
      wrong(name, 'holds a line break or another control character, which a header value cannot')
  }
})

const detailsFor = (namespace: string, names: readonly string[]) =>
  z.strictObject({
    url: address.describe('Where events are posted.'),
    headers: headers.default({}).describe('Headers to send along.'),
    metadata: z
      .record(z.string(), z.unknown())
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
      .describe('The events wanted; all when left out.'),
  })

/** `namespace` and `names` are those of the events that the job may tell. */
export const webhookOption = (namespace: string, names: readonly string[] = EVENT_NAMES) =>
  z
    .union([address.transform((url): Webhook => ({ url, headers: {}, events: [] })), detailsFor(namespace, names)])
    .transform((webhook): Webhook => webhook)
