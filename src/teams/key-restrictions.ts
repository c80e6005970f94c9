// Restrictions of a key to endpoint groups and formats. A route without a group is closed to restricted keys.
import { Problem } from '../base/problem.ts'
import type { Caller } from './keys.ts'

/** Open to every key: account status, and MCP, whose tools are checked as the routes they call. */
export const UNRESTRICTED_GROUP = 'open'

export function assertEndpointAllowed({ endpoints }: Pick<Caller, 'endpoints'>, group: string | undefined): void {
  if (endpoints.length === 0 || group === UNRESTRICTED_GROUP) return
  if (group === undefined || !endpoints.includes(group))
    throw new Problem('forbidden', {
      because: `Request blocked: this API key is restricted to the following endpoints: ${endpoints.join(', ')}.`,
    })
}

/** Groups in the contract that no capability of this build declares. */
const GROUPS_NOT_IN_BUILD: readonly string[] = ['llmstxt', 'deep-research', 'fireclaw']

export function assertGroupsDeclared(endpoints: readonly string[], declared: ReadonlySet<string>): void {
  const known = [...new Set([...declared, ...GROUPS_NOT_IN_BUILD])]
  const wrong = endpoints.filter((name) => !known.includes(name))
  if (wrong.length > 0)
    throw new Problem('bad_request', {
      because: `endpoints: ${wrong.join(', ')} is not a group of endpoints. Known: ${known.join(', ')}`,
    })
}

/** Actions that return content outside any format. */
const ACTIONS_OUTSIDE_FORMATS = new Set(['scrape', 'executeJavascript', 'pdf', 'flow', 'login'])

/** The group of the routes that run stored flows and sign in; actions that do the same need it too. */
const FLOW_GROUP = 'browser'

export const assertFlowsAllowed = (caller: Pick<Caller, 'endpoints'>): void => assertEndpointAllowed(caller, FLOW_GROUP)

export function assertFormatsAllowed(
  { formats, endpoints }: Pick<Caller, 'formats' | 'endpoints'>,
  asked: readonly string[],
): void {
  if (asked.includes('flow action') || asked.includes('login action')) assertFlowsAllowed({ endpoints })
  if (formats.length === 0) return
  const refused = [...new Set(asked)].filter((format) => !formats.includes(format))
  if (refused.length > 0)
    throw new Problem('forbidden', {
      because:
        `Request blocked: this API key is restricted to the following formats: ${formats.join(', ')}. ` +
        `Requested formats not allowed: ${refused.join(', ')}.`,
    })
}

/** The formats that a request yields, by its body; a route declares it, and api/ holds it against the key. */
export type FormatsOfBody = (body: unknown) => readonly string[]

/** `unsaid` are the formats made when none are named. Actions count as their formats; parse bodies are unchecked here. */
export function requestedFormats(options: unknown, unsaid: readonly string[] = []): readonly string[] {
  if (!options || typeof options !== 'object') return unsaid
  const { formats, actions, downloads } = options as { formats?: unknown; actions?: unknown; downloads?: unknown }
  const acting = typesIn(actions)
  return [
    ...(Array.isArray(formats) ? typesIn(formats) : unsaid),
    ...(downloads ? ['downloads'] : []),
    ...acting.filter((type) => type === 'screenshot'),
    ...acting.filter((type) => ACTIONS_OUTSIDE_FORMATS.has(type)).map((type) => `${type} action`),
  ]
}

const typesIn = (list: unknown): string[] =>
  (Array.isArray(list) ? list : [])
    .map((one: unknown) => (one && typeof one === 'object' && 'type' in one ? one.type : one))
    .filter((type) => typeof type === 'string')

/**
 * Formats requested by bodies that nest page options in `scrapeOptions` (crawl, search, extract), to check them against
 * a restricted key. `unsaid` applies when none are named.
 */
export const makeScrapeOptionsFormatsReader =
  (unsaid: readonly string[]): FormatsOfBody =>
  (body) =>
    body === undefined ? [] : requestedFormats((body as { scrapeOptions?: unknown }).scrapeOptions, unsaid)
