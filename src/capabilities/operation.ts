// An operation: a route with a name and one flat set of inputs. It imports no zod, which is slow to load.
import type { McpToolDescription } from './mcp-tool-descriptions.ts'
import type { Route } from './route.ts'

/** The part of JSON Schema that is read here; the rest passes through. */
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

export type OperationInputs = { properties: Readonly<Record<string, OperationSchema>>; required: readonly string[] }

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
  name: string
  summary: string
  method: Route['method']
  path: string
  params: readonly string[]
  takesBody: boolean
  takesFile: boolean
  /** Account management (keys, usage, deliveries) rather than web data. */
  isAccount: boolean
  cliGroup?: CliGroup | undefined
  mcp?: McpToolDescription | undefined
  example?: object | undefined
}

type OfSchemas = { inputs: OperationInputs; inQuery: readonly string[]; hasStatus: boolean }

/** Schema-derived parts are computed lazily: schemas with a hundred options are slow to convert. */
export type Operation = Plain & { readonly [Name in keyof OfSchemas]: () => OfSchemas[Name] }

export type SerializedOperation = Plain & OfSchemas

export const serializeOperation = (operation: Operation): SerializedOperation => ({
  ...operation,
  inputs: operation.inputs(),
  inQuery: operation.inQuery(),
  hasStatus: operation.hasStatus(),
})

export const deserializeOperation = (card: SerializedOperation): Operation => ({
  ...card,
  inputs: () => card.inputs,
  inQuery: () => card.inQuery,
  hasStatus: () => card.hasStatus,
})

/** Puts each value where the route takes it. Unknown inputs are sent too, so that the service rejects them. */
export function makeOperationRequest(operation: Operation, given: Readonly<Record<string, unknown>>) {
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

export function findStatusOperation(start: Operation, all: readonly Operation[]): Operation | undefined {
  if (start.method !== 'POST' || start.params.length > 0) return undefined
  return all.find(({ method, path, params, hasStatus }) => {
    const isBelow = params.length === 1 && path === `${start.path}/:${params[0]}`
    return method === 'GET' && isBelow && hasStatus()
  })
}

export const toKebabCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z]{2})/g, '$1-$2')
    .toLowerCase()
