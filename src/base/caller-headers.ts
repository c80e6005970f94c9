// Which headers a caller may send, for visits, webhooks and the egress.
import { z } from 'zod'

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Refused, because they would let a caller spoof the host or break the framing of the request. */
const CONNECTION_HEADERS =
  /^(?:connection|content-length|expect|host|http2-settings|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/

export function findHeaderFault(name: string, value: string): string | undefined {
  if (!NAME.test(name)) return 'is not a header name'
  if (CONNECTION_HEADERS.test(name)) return 'belongs to the connection and cannot be set'
  if (CONTROL.test(value)) return 'holds a line break or another control character, which a header value cannot'
  return undefined
}

export const headersOption = ({ maxChars, most }: { maxChars: number; most: number }) =>
  z
    .record(z.string(), z.string().max(maxChars))
    .superRefine((given, context) => {
      const addIssue = (path: string[], message: string) =>
        context.addIssue({ code: 'custom', path, message, params: { named: true } })
      const all = Object.entries(given)
      if (all.length > most) return addIssue([], `are more than ${most}`)
      for (const [name, value] of all) {
        const fault = findHeaderFault(name, value)
        if (fault) addIssue([name], fault)
      }
    })
    .meta({ maxProperties: most })
