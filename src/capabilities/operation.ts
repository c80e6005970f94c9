// What an operation is: a route with a name in words and one flat set of inputs, and how those become a request. It knows
// no schema of zod, only what was made of them, so that a command that asks the service starts without loading any.
import type { McpCard } from './mcp-card.ts'
import type { Route } from './route.ts'

/** As much of JSON Schema as is looked at here; the rest passes through. */
export interface OperationSchema {
  type?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  items?: OperationSchema
  anyOf?: readonly OperationSchema[]
  oneOf?: readonly OperationSchema[]
  properties?: Readonly<Record<string, OperationSchema>>
  additionalProperties?: boolean | OperationSchema
  required?: readonly string[]
  deprecated?: boolean
}

export interface Inputs {
  properties: Readonly<Record<string, OperationSchema>>
  required: readonly string[]
}

/** The headings of `orb help`, in its order. */
export const CLI_GROUPS = [
  'Get pages',
  'Work with pages',
  'Look after jobs',
  'Connect',
  'Run the service',
  'Keys and teams',
] as const
export type CliGroup = (typeof CLI_GROUPS)[number]

interface Plain {
  /** Words with spaces between them: `crawl status`. */
  name: string
  summary: string
  method: Route['method']
  /** With `:id` where an input stands in it. */
  path: string
  /** What stands in the path, in order. */
  params: readonly string[]
  takesBody: boolean
  /** Takes a file beside its inputs. */
  takesFile: boolean
  /** Keeping house (keys, usage, deliveries) rather than web data. */
  isAccount: boolean
  cliGroup?: CliGroup | undefined
  /** Set when MCP lists it by name. */
  mcp?: McpCard | undefined
}

interface OfSchemas {
  /** Path, query and body as one set of names. */
  inputs: Inputs
  /** Those of them that go into the query. */
  inQuery: readonly string[]
  /** Its answer says how a job stands. */
  tellsStatus: boolean
}

/** What comes of schemas is made when asked for: those of a hundred options take a moment. */
export type Operation = Plain & { readonly [Name in keyof OfSchemas]: () => OfSchemas[Name] }

/** An operation as it can be written down. */
export type OperationCard = Plain & OfSchemas

export const cardOf = (operation: Operation): OperationCard => ({
  ...operation,
  inputs: operation.inputs(),
  inQuery: operation.inQuery(),
  tellsStatus: operation.tellsStatus(),
})

export const fromCard = (card: OperationCard): Operation => ({
  ...card,
  inputs: () => card.inputs,
  inQuery: () => card.inQuery,
  tellsStatus: () => card.tellsStatus,
})

export interface OperationRequest {
  method: Route['method']
  /** With its query. */
  path: string
  body: Record<string, unknown> | undefined
}

/** Puts each value where the route takes it. What the route does not know goes along, for the service to refuse it. */
export function requestOf(operation: Operation, given: Readonly<Record<string, unknown>>): OperationRequest {
  const { method, params, takesBody } = operation
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given[name] ?? '')))
  const rest = Object.entries(given).filter(([name, value]) => !params.includes(name) && value !== undefined)
  const ofQuery = operation.inQuery()
  const inQuery = rest.filter(([name]) => !takesBody || ofQuery.includes(name))
  const search = new URLSearchParams(inQuery.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return {
    method,
    path: search === '' ? path : `${path}?${search}`,
    body: takesBody ? Object.fromEntries(rest.filter(([name]) => !ofQuery.includes(name))) : undefined,
  }
}

/** The operation that tells how a job stands which this one starts. */
export function statusOf(start: Operation, all: readonly Operation[]): Operation | undefined {
  if (start.method !== 'POST' || start.params.length > 0) return undefined
  return all.find(({ method, path, params, tellsStatus }) => {
    const isBelow = params.length === 1 && path === `${start.path}/:${params[0]}`
    return method === 'GET' && isBelow && tellsStatus()
  })
}

/** An input as the command line writes it: `onlyMainContent` is `only-main-content`. */
export const kebab = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z]{2})/g, '$1-$2')
    .toLowerCase()
