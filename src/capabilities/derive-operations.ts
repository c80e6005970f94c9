// Derives operations from routes, for the command line and the MCP tools.

import { z } from 'zod'
import { once } from '../base/values.ts'
import { clientShape } from '../scrape/scrape-options.ts'
import type { Capability } from './capability.ts'
import type { Operation, OperationInputs, OperationSchema } from './operation.ts'
import type { Route } from './route.ts'

/** Fields that released clients add to every body. */
const CLIENT_FIELDS = new Set(Object.keys(clientShape))

export function deriveOperations(
  capabilities: readonly (Pick<Capability, 'routes'> & Partial<Capability>)[],
): Operation[] {
  const all = capabilities.flatMap((capability) => capability.routes)
  return capabilities.flatMap(({ routes, cliGroup, mcp = {} }) =>
    routes.flatMap((route) => {
      const name = nameOf(route, all)
      return name === undefined ? [] : [{ ...operation(name, route), cliGroup, mcp: mcp[name] }]
    }),
  )
}

function operation(name: string, route: Route): Operation {
  const { summary, method, path, takes, bucket, query, body, reply, example } = route
  return {
    name,
    summary,
    method,
    path,
    params: paramsIn(path),
    takesBody: body !== undefined,
    takesFile: takes === 'multipart',
    isAccount: bucket === 'account',
    example,
    inputs: once(() => inputsOf(route)),
    inQuery: once(() => Object.keys((query && schemaOf(query).properties) ?? {})),
    hasStatus: () => reply !== undefined && hasStatus(reply),
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

/** `command`, else the words of the path, with a verb where several methods share it. Undefined: over HTTP only. */
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

function schemaOf(schema: z.ZodType): OperationSchema {
  const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return inlineReferences(rest, $defs as Record<string, object>) as OperationSchema
}

/** Inlines shared schemas: commands and tools take options one by one. */
function inlineReferences(part: unknown, named: Readonly<Record<string, object>>): unknown {
  if (Array.isArray(part)) return part.map((one) => inlineReferences(one, named))
  if (part === null || typeof part !== 'object') return part
  const { $ref, ...rest } = part as { $ref?: string }
  const name = $ref?.startsWith('#/$defs/') ? $ref.slice('#/$defs/'.length) : undefined
  const meant = name !== undefined && Object.hasOwn(named, name) ? { ...named[name], ...rest } : part
  return Object.fromEntries(Object.entries(meant).map(([key, value]) => [key, inlineReferences(value, named)]))
}

function inputsOf({ path, query, body }: Route): OperationInputs {
  const params = paramsIn(path)
  const ofQuery = query ? schemaOf(query) : {}
  const ofBody = body ? schemaOf(body) : {}
  const wanted = Object.entries({ ...ofQuery.properties, ...ofBody.properties }).filter(
    ([name, { deprecated }]) => !deprecated && !CLIENT_FIELDS.has(name),
  )
  return {
    properties: {
      ...Object.fromEntries(params.map((name) => [name, { type: 'string', description: 'Its id.' }])),
      ...Object.fromEntries(wanted),
    },
    required: [...params, ...(ofQuery.required ?? []), ...(ofBody.required ?? [])],
  }
}

const hasStatus = (reply: z.ZodType): boolean =>
  schemaOf(reply).properties?.status?.enum?.some((state) => state === 'completed') ?? false
