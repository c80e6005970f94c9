// Routes as operations: a name in words, one flat set of inputs, and how to put those into a request. The command line
// and the MCP tools are both made of these, so a capability that is added to the list gets them by itself.
import { z } from 'zod'
import { clientShape } from '../scrape/options.ts'
import type { Capability, Route } from './route.ts'

/** As much of JSON Schema as is looked at here; the rest passes through. */
export interface JsonSchema {
  type?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  properties?: Readonly<Record<string, JsonSchema>>
  additionalProperties?: boolean | JsonSchema
  required?: readonly string[]
  deprecated?: boolean
}

export interface Inputs {
  properties: Readonly<Record<string, JsonSchema>>
  required: readonly string[]
}

export interface Operation {
  /** Words with spaces between them: `crawl status`. */
  name: string
  summary: string
  route: Route
  /** What stands in the path, in order. */
  params: readonly string[]
  /** Takes a file beside its inputs. */
  takesFile: boolean
  /** Keeping house (keys, usage, deliveries) rather than web data. */
  isAccount: boolean
  /** Path, query and body as one set of names. Made when asked for: schemas of a hundred options take a moment. */
  inputs(): Inputs
}

export interface OperationRequest {
  method: Route['method']
  /** With its query. */
  path: string
  body: Record<string, unknown> | undefined
}

/** What every released client adds by itself and no person types. */
const UNTYPED = new Set(Object.keys(clientShape))

export function operationsOf(capabilities: readonly Capability[]): Operation[] {
  const routes = capabilities.flatMap((capability) => capability.routes)
  return routes.flatMap((route) => {
    const name = nameOf(route, routes)
    return name === undefined ? [] : [operation(name, route)]
  })
}

function operation(name: string, route: Route): Operation {
  let made: Inputs | undefined
  return {
    name,
    summary: route.summary,
    route,
    params: paramsIn(route.path),
    takesFile: route.takes === 'multipart',
    isAccount: route.bucket === 'account',
    inputs() {
      made ??= inputsOf(route)
      return made
    },
  }
}

const paramsIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

const ON_ONE: Readonly<Record<Route['method'], string>> = {
  GET: 'get',
  POST: 'run',
  PUT: 'put',
  PATCH: 'update',
  DELETE: 'delete',
}

/** The words of the path, and one more where several methods share it. Undefined for what only HTTP can do. */
function nameOf({ method, path, command, takes }: Route, routes: readonly Route[]): string | undefined {
  if (command !== undefined) return command ?? undefined
  if (!path.startsWith('/v2/') || path.endsWith('*') || takes === 'raw') return undefined
  const segments = path.split('/').slice(2)
  const words = segments.filter((segment) => !segment.startsWith(':'))
  const shared = routes.filter((other) => other.path === path).length > 1
  if (segments.at(-1)?.startsWith(':')) words.push(ON_ONE[method])
  else if (shared && method !== 'POST')
    words.push(method === 'GET' ? 'list' : method === 'PUT' ? 'set' : ON_ONE[method])
  return words.join(' ')
}

export function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest as JsonSchema
}

function inputsOf({ path, query, body }: Route): Inputs {
  const params = paramsIn(path)
  const ofQuery = query ? schemaOf(query) : {}
  const ofBody = body ? schemaOf(body) : {}
  const wanted = Object.entries({ ...ofQuery.properties, ...ofBody.properties }).filter(
    ([name, { deprecated }]) => !deprecated && !UNTYPED.has(name),
  )
  return {
    properties: {
      ...Object.fromEntries(params.map((name) => [name, { type: 'string', description: 'Its id.' }])),
      ...Object.fromEntries(wanted),
    },
    required: [...params, ...(ofQuery.required ?? []), ...(ofBody.required ?? [])],
  }
}

/** Puts each value where the route takes it. What the route does not know goes along, for the service to refuse it. */
export function requestOf({ route, params }: Operation, given: Readonly<Record<string, unknown>>): OperationRequest {
  const { method, body, query } = route
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given[name] ?? '')))
  const rest = Object.entries(given).filter(([name, value]) => !params.includes(name) && value !== undefined)
  const ofQuery = query ? (schemaOf(query).properties ?? {}) : {}
  const inQuery = rest.filter(([name]) => !body || Object.hasOwn(ofQuery, name))
  const search = new URLSearchParams(inQuery.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return {
    method,
    path: search === '' ? path : `${path}?${search}`,
    body: body ? Object.fromEntries(rest.filter(([name]) => !Object.hasOwn(ofQuery, name))) : undefined,
  }
}

/** The operation that tells how a job stands which this one starts. */
export function statusOf(start: Operation, all: readonly Operation[]): Operation | undefined {
  if (start.route.method !== 'POST' || start.params.length > 0) return undefined
  return all.find(({ route, params }) => {
    const isBelow = params.length === 1 && route.path === `${start.route.path}/:${params[0]}`
    return route.method === 'GET' && isBelow && route.reply !== undefined && tellsStatus(route.reply)
  })
}

const tellsStatus = (reply: z.ZodType): boolean =>
  schemaOf(reply).properties?.status?.enum?.some((state) => state === 'completed') ?? false
