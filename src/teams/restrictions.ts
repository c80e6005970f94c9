// What a restricted key may reach: groups of endpoints and formats. The groups are told by path, so that a route nobody
// thought of here is closed to restricted keys, not open.
import { Problem } from '../base/problem.ts'
import type { Caller } from './keys.ts'

export const ENDPOINT_GROUPS = [
  'scrape',
  'batch-scrape',
  'crawl',
  'map',
  'search',
  'extract',
  'agent',
  'parse',
  'browser',
  'monitor',
  'research',
  'llmstxt',
  'deep-research',
  'fireclaw',
] as const
export type EndpointGroup = (typeof ENDPOINT_GROUPS)[number]

/** The first that matches says the group. Status, errors and cancel share that of their start. */
const GROUPS: readonly (readonly [RegExp, EndpointGroup])[] = [
  [/^\/v\d\/scrape\/[^/]+\/interact/, 'browser'],
  [/^\/v\d\/batch\/scrape(\/|$)/, 'batch-scrape'],
  [/^\/v\d\/scrape(\/|$)/, 'scrape'],
  [/^\/r\//, 'scrape'],
  [/^\/v\d\/crawl(\/|$)/, 'crawl'],
  [/^\/v\d\/map$/, 'map'],
  [/^\/v\d\/search\/(research|developer)(\/|$)/, 'research'],
  [/^\/v\d\/search(\/|$)/, 'search'],
  [/^\/v\d\/extract(\/|$)/, 'extract'],
  [/^\/v\d\/agent(\/|$)/, 'agent'],
  [/^\/v\d\/parse(\/|$)/, 'parse'],
  [/^\/v\d\/(browser|interact)(\/|$)/, 'browser'],
  [/^\/v\d\/monitor(\/|$)/, 'monitor'],
  [/^\/v\d\/llmstxt(\/|$)/, 'llmstxt'],
  [/^\/v\d\/deep-research(\/|$)/, 'deep-research'],
]

/** What every key may ask: how its team stands; and MCP, whose tools are checked as the routes that they call. */
const ALWAYS = /^\/(mcp$|v\d\/(team\/|concurrency-check$|feedback$|search\/[^/]+\/feedback$|admin\/(me|login)$))/

/** `path` is a route's, or that of a request. */
export const groupOf = (path: string): EndpointGroup | undefined => GROUPS.find(([pattern]) => pattern.test(path))?.[1]

export const isAlwaysOpen = (path: string): boolean => ALWAYS.test(path)

export function assertEndpoint({ endpoints }: Pick<Caller, 'endpoints'>, path: string): void {
  if (endpoints.length === 0 || isAlwaysOpen(path)) return
  const group = groupOf(path)
  if (group === undefined || !endpoints.includes(group))
    throw new Problem('forbidden', {
      because: `Request blocked: this API key is restricted to the following endpoints: ${endpoints.join(', ')}.`,
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
export function formatsAsked(body: unknown, group: EndpointGroup | undefined): string[] {
  if (!body || typeof body !== 'object' || group === undefined || !FORMAT_GROUPS.has(group)) return []
  const { scrapeOptions } = body as { scrapeOptions?: Asking | null }
  const options: Asking | undefined = 'formats' in body ? (body as Asking) : (scrapeOptions ?? undefined)
  // A crawl without options makes markdown of its pages; a search without them scrapes nothing.
  if (!options) return group === 'crawl' ? ['markdown'] : []
  const actions = (options.actions ?? []).map(({ type }) => type)
  return [
    ...(options.formats ?? []).map(({ type }) => type),
    ...actions.filter((type) => type === 'screenshot'),
    ...actions.filter((type) => UNBOUND_ACTIONS.has(type)).map((type) => `${type} action`),
  ]
}

const FORMAT_GROUPS: ReadonlySet<string> = new Set(['scrape', 'batch-scrape', 'crawl', 'search', 'extract'])
