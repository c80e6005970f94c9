// Checks whether a caller's JSON Schema is usable, by the keywords that shape a result. Bounded and without
// recursion.

import { z } from 'zod'
import { makeBoundedRecordSchema } from './bounded-record-schema.ts'
import { isObject } from './values.ts'

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const MAX_DEPTH = 64
const MAX_PARTS = 20_000

interface SchemaFault {
  path: string[]
  message: string
}

type Schema = Record<string, unknown>

export function findSchemaFault(root: unknown): SchemaFault | undefined {
  const open: { part: unknown; path: string[] }[] = [{ part: root, path: [] }]
  for (let seen = 0; open.length > 0; seen++) {
    const { part, path } = open.pop()!
    if (seen > MAX_PARTS) return { path: [], message: `has more than ${MAX_PARTS} parts` }
    if (path.length > MAX_DEPTH) return { path, message: `is nested more than ${MAX_DEPTH} deep` }
    if (part === true || part === false) continue
    if (!isObject(part)) return { path, message: 'must be a JSON Schema object' }
    const message = faultOf(part, root)
    if (message) return { path, message }
    open.push(...below(part, path))
  }
  return undefined
}

function faultOf(part: Schema, root: unknown): string | undefined {
  const { type, properties, patternProperties, required, enum: choices, $ref } = part
  const types = [type].flat()
  const unknown = types.find((one) => one !== undefined && !TYPES.has(String(one)))
  if (unknown !== undefined) return `has the type ${JSON.stringify(unknown)}; known are ${[...TYPES].join(', ')}`
  if (!isAbsentOr(isObject, properties)) return 'must give its `properties` as an object'
  if (!isAbsentOr(isListOfNames, required)) return 'must give `required` as a list of names'
  if (!isAbsentOr(isFilledList, choices)) return 'must give `enum` as a list of values'
  const wrongList = ['anyOf', 'oneOf', 'allOf'].find((name) => !isAbsentOr(isFilledList, part[name]))
  if (wrongList) return `must give \`${wrongList}\` as a list of schemas`
  const patterns = [part.pattern, ...Object.keys(isObject(patternProperties) ? patternProperties : {})]
  const wrongPattern = patterns.find((pattern) => !isAbsentOr(isPattern, pattern))
  if (wrongPattern !== undefined)
    return `has the pattern ${JSON.stringify(wrongPattern)}, which is not a regular expression`
  if ($ref !== undefined && !(typeof $ref === 'string' && isKnown(root, $ref)))
    return `refers to ${JSON.stringify($ref)}, which is not in the schema`
  const isOpen = part.additionalProperties === true && !properties && !patternProperties
  if (types.includes('object') && isOpen)
    return 'is a dictionary without a schema for its values: name its `properties`, or give `additionalProperties` a schema'
  return undefined
}

const isAbsentOr = (isValid: (value: unknown) => boolean, value: unknown): boolean =>
  value === undefined || isValid(value)

const isFilledList = (value: unknown): boolean => Array.isArray(value) && value.length > 0

const isListOfNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

/** ECMAScript syntax, as JSON Schema requires; compiled here, never run. */
function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    try {
      new RegExp(pattern)
      return true
    } catch {
      return false
    }
  }
}

function below(part: Schema, path: string[]): { part: unknown; path: string[] }[] {
  const found: { part: unknown; path: string[] }[] = []
  for (const name of ['properties', 'patternProperties', '$defs', 'definitions']) {
    const inner = part[name]
    if (isObject(inner))
      for (const [key, value] of Object.entries(inner)) found.push({ part: value, path: [...path, name, key] })
  }
  for (const name of ['items', 'additionalProperties', 'not']) {
    const inner = part[name]
    if (Array.isArray(inner))
      for (const [n, value] of inner.entries()) found.push({ part: value, path: [...path, name, String(n)] })
    else if (inner !== undefined) found.push({ part: inner, path: [...path, name] })
  }
  for (const name of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const inner = part[name]
    if (Array.isArray(inner))
      for (const [n, value] of inner.entries()) found.push({ part: value, path: [...path, name, String(n)] })
  }
  return found.reverse()
}

/** All schema objects of a schema that `findSchemaFault` accepts. */
export function* eachSubschema(root: unknown): Generator<{ part: Readonly<Schema>; path: string[] }> {
  const open: { part: unknown; path: string[] }[] = [{ part: root, path: [] }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { part, path } = next
    if (!isObject(part)) continue
    yield { part, path }
    open.push(...below(part, path))
  }
}

function isKnown(root: unknown, reference: string): boolean {
  if (!reference.startsWith('#')) return false
  let at: unknown = root
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = at[Number(name)]
    else if (isObject(at) && Object.hasOwn(at, name)) at = at[name]
    else return false
  }
  return at !== undefined
}

export const jsonSchemaOption = makeBoundedRecordSchema(z.unknown(), MAX_PARTS)
  .superRefine((schema, context) => {
    const fault = findSchemaFault(schema)
    if (!fault) return
    const where = fault.path.length > 0 ? ` at ${fault.path.join('.')}` : ''
    context.addIssue({
      code: 'custom',
      message: `Invalid JSON schema: the schema${where} ${fault.message}.`,
      params: { named: true, kind: 'unprocessable' },
    })
  })
  .describe('A JSON Schema of the result.')
