// What a restricted key may reach: groups of endpoints and formats. Capabilities declare the group of their routes; a
// route without one is closed to restricted keys, not open.
import { Problem } from '../base/problem.ts'
import type { Caller } from './keys.ts'

/** A group that every key may reach: how its team stands, and MCP, whose tools are checked as the routes they call. */
export const OPEN = 'open'

/** `group` is that of the route; undefined: closed to restricted keys. */
export function assertEndpoint({ endpoints }: Pick<Caller, 'endpoints'>, group: string | undefined): void {
  if (endpoints.length === 0 || group === OPEN) return
  if (group === undefined || !endpoints.includes(group))
    throw new Problem('forbidden', {
      because: `Request blocked: this API key is restricted to the following endpoints: ${endpoints.join(', ')}.`,
    })
}

/** Groups that the contract knows and no capability of this build declares. */
const ALSO_KNOWN: readonly string[] = ['llmstxt', 'deep-research', 'fireclaw']

/** Refuses a list for a key that names a group nobody knows. */
export function assertGroups(endpoints: readonly string[], declared: ReadonlySet<string>): void {
  const known = [...new Set([...declared, ...ALSO_KNOWN])]
  const wrong = endpoints.filter((name) => !known.includes(name))
  if (wrong.length > 0)
    throw new Problem('bad_request', {
      because: `endpoints: ${wrong.join(', ')} is no group of endpoints. Known: ${known.join(', ')}`,
    })
}

/** Actions that hand out content in a form of their own, past any format. */
const UNBOUND_ACTIONS = new Set(['scrape', 'executeJavascript', 'pdf'])

export function assertFormats({ formats }: Pick<Caller, 'formats'>, asked: Iterable<string>): void {
  if (formats.length === 0) return
  const refused = [...new Set(asked)].filter((format) => !formats.includes(format))
  if (refused.length > 0)
    throw new Problem('forbidden', {
      because:
        `Request blocked: this API key is restricted to the following formats: ${formats.join(', ')}. ` +
        `Requested formats not allowed: ${refused.join(', ')}.`,
    })
}

interface Asking {
  formats?: readonly { type: string }[]
  actions?: readonly { type: string }[]
}

/** What a checked body asks for: formats at its top or in `scrapeOptions`, and actions as the formats they stand for. */
export function formatsAsked(body: unknown, unsaid: readonly string[]): readonly string[] {
  if (!body || typeof body !== 'object') return []
  const { scrapeOptions } = body as { scrapeOptions?: Asking | null }
  const options: Asking | undefined = 'formats' in body ? (body as Asking) : (scrapeOptions ?? undefined)
  if (!options) return unsaid
  const actions = (options.actions ?? []).map(({ type }) => type)
  return [
    ...(options.formats ?? []).map(({ type }) => type),
    ...actions.filter((type) => type === 'screenshot'),
    ...actions.filter((type) => UNBOUND_ACTIONS.has(type)).map((type) => `${type} action`),
  ]
}
