// The OpenAPI 3.1 document, derived from the route schemas used for validation.
import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import { problems } from '../base/problem.ts'
import { type Capability, collectGroupsAndActivities } from '../capabilities/capability.ts'
import type { Route } from '../capabilities/route.ts'
import { writeCodeSamples } from './code-samples.ts'
import { makeV1Routes } from './compat/v1.ts'
import { nameSharedSchemas } from './openapi-components.ts'

const errorBody = z
  .object({
    success: z.literal(false),
    error: z.string().describe('What was wrong, where, and what is expected.'),
    code: z.string().optional(),
    details: z.unknown().optional(),
  })
  .describe('The body of every response that is not 200.')

type Named = Map<string, object>

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output', named: Named): object => {
  const text = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
  return collectNamedSchemas(JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')), named) as object
}

function collectNamedSchemas(part: unknown, named: Named): unknown {
  if (Array.isArray(part)) return part.map((one) => collectNamedSchemas(one, named))
  if (part === null || typeof part !== 'object') return part
  const { $schema: _, $defs = {}, ...rest } = part as { $schema?: string; $defs?: Record<string, object> }
  for (const [name, schema] of Object.entries($defs)) {
    const { id: _, ...body } = schema as { id?: string }
    named.set(name, collectNamedSchemas(body, named) as object)
  }
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, collectNamedSchemas(value, named)]))
}

const inJson = (schema: object, example?: object) => ({
  'application/json': { schema, ...(example ? { example } : {}) },
})

function withNames(document: object, capabilities: readonly Capability[]): object {
  const groups = [...collectGroupsAndActivities(capabilities).groups].map((name) => JSON.stringify(name)).join(',')
  return JSON.parse(JSON.stringify(document).replaceAll('"x-declared":"groups"', `"enum":[${groups}]`)) as object
}

export const makeOpenApiDocument = (capabilities: readonly Capability[], version: string): object =>
  withNames(writeDocument(capabilities, version), capabilities)

function writeDocument(capabilities: readonly Capability[], version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  const named: Named = new Map()
  const current = capabilities.flatMap(({ routes }) => routes)
  for (const route of [...current, ...makeV1Routes(capabilities).map(toVersion1Route)]) {
    const path = route.path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, named) }
  }
  const schemas = { Error: jsonSchema(errorBody, 'output', named), ...Object.fromEntries(named) }
  const { paths: shared, components } = nameSharedSchemas({ paths, components: {} }, schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Orbweaver',
      version,
      description: 'A self-hosted web data service: one page in, clean data out.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to this document, which may be below the path of a reverse proxy.
    servers: [{ url: '.' }],
    security: [{ key: [] }],
    paths: shared,
    components: {
      ...(components as object),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: `fc-` and 32 hexadecimal digits.' },
      },
      responses: errorResponses(),
    },
  }
}

const v1Body = z.looseObject({}).describe('Requests of version 1, which are translated to version 2.')

const toVersion1Route = (route: Route): Route => ({
  ...route,
  tag: 'Version 1',
  body: route.translate ? v1Body : route.body,
})

function operation(route: Route, named: Named): object {
  const { method, path, summary, tag, query } = route
  const samples = writeCodeSamples(route)
  return {
    summary,
    ...(samples ? { description: samples } : {}),
    tags: [tag],
    ...(/^\/v[01]\//.test(path) ? { deprecated: true } : {}),
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(\w)?/g, (_, next: string = '') => next.toUpperCase())}`,
    ...(route.right === 'none' ? { security: [] } : {}),
    parameters: [...pathParameters(path), ...(query ? queryParameters(query, named) : [])],
    ...requestBody(route, named),
    responses: {
      ...success(route, named),
      ...ERROR_RESPONSES,
    },
  }
}

function success({ reply, serves }: Route, named: Named): object {
  if (reply instanceof z.ZodNever) return {}
  const content = {
    ...(reply ? inJson(jsonSchema(reply, 'output', named)) : {}),
    ...Object.fromEntries(serves.map((type) => [type, { schema: { type: 'string', ...binary(type) } }])),
  }
  return { 200: { description: 'Success', content } }
}

const binary = (type: string) => (/^text\/|[+/](?:xml|json|x-ndjson)$/.test(type) ? {} : { format: 'binary' })

function requestBody({ body, example, takes }: Route, named: Named): object {
  const file = { type: 'string', format: 'binary' }
  const form = {
    type: 'object',
    required: ['file'],
    properties: { file, options: { type: 'string', description: 'JSON text.' } },
  }
  const content = {
    ...(body ? inJson(jsonSchema(body, 'input', named), example) : {}),
    ...(takes === 'multipart' ? { 'multipart/form-data': { schema: form } } : {}),
    ...(takes === 'raw' ? { 'application/octet-stream': { schema: file } } : {}),
  }
  return Object.keys(content).length > 0 ? { requestBody: { required: true, content } } : {}
}

const pathParameters = (path: string): object[] =>
  [...path.matchAll(/:(\w+)|\*$/g)].map(([, name = 'rest']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

function queryParameters(query: z.ZodType, named: Named): object[] {
  const { properties = {}, required = [] } = jsonSchema(query, 'input', named) as {
    properties?: Record<string, { description?: string }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(schema.description ? { description: schema.description } : {}),
    schema,
  }))
}

const problemTexts = new Map<number, string[]>()
for (const { status, say } of Object.values(problems))
  problemTexts.set(status, [...(problemTexts.get(status) ?? []), say])

const statusName = (status: number): string => (STATUS_CODES[status] ?? `Status${status}`).replace(/\W/g, '')

/** One entry per status of the error table, so that none is missing. */
const ERROR_RESPONSES = Object.fromEntries(
  [...problemTexts.keys()].map((status) => [status, { $ref: `#/components/responses/${statusName(status)}` }]),
)

const errorResponses = (): Record<string, object> =>
  Object.fromEntries(
    [...problemTexts].map(([status, sentences]) => [
      statusName(status),
      { description: sentences.join(' · '), content: inJson({ $ref: '#/components/schemas/Error' }) },
    ]),
  )
