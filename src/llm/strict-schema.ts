// Converts a caller's JSON Schema to the strict subset of structured output: all fields required and nullable, no
// additional ones.
import { isObject } from '../base/values.ts'
import type { JsonSchema } from './llm.ts'

export interface StrictSchema {
  schema: JsonSchema
  /** False: part of it cannot be expressed strictly, so the schema is only a hint. */
  strict: boolean
  /** The wrapper's name for a non-object value: the root must be an object. */
  wrappedAs: string | undefined
}

const WRAP = 'answer'
const MAX_DEPTH = 40
const KEPT = ['description', 'enum', 'const', '$ref'] as const

export function toStrictSchema(schema: JsonSchema): StrictSchema {
  const state = { strict: true }
  const made = makeStrict(schema, state, 0, false)
  const defs = isObject(schema.$defs) ? schema.$defs : isObject(schema.definitions) ? schema.definitions : undefined
  const name = isObject(schema.$defs) ? '$defs' : 'definitions'
  const shared = defs
    ? {
        [name]: Object.fromEntries(Object.entries(defs).map(([key, part]) => [key, makeStrict(part, state, 1, false)])),
      }
    : {}
  if (made.type === 'object') return { schema: { ...made, ...shared }, strict: state.strict, wrappedAs: undefined }
  const wrapped = { type: 'object', properties: { [WRAP]: made }, required: [WRAP], additionalProperties: false }
  return { schema: { ...wrapped, ...shared }, strict: state.strict, wrappedAs: WRAP }
}

function makeStrict(
  part: unknown,
  state: { strict: boolean },
  depth: number,
  mayBeNull: boolean,
): Record<string, unknown> {
  if (!isObject(part) || depth > MAX_DEPTH) {
    state.strict = false
    return {}
  }
  const kept = Object.fromEntries(KEPT.filter((name) => part[name] !== undefined).map((name) => [name, part[name]]))
  const choices = part.anyOf ?? part.oneOf
  if (Array.isArray(choices)) {
    const some = choices.map((one) => makeStrict(one, state, depth + 1, false))
    return { ...kept, anyOf: mayBeNull ? [...some, { type: 'null' }] : some }
  }
  if (part.allOf !== undefined || part.not !== undefined) state.strict = false
  if (part.$ref !== undefined) return mayBeNull ? { anyOf: [kept, { type: 'null' }] } : kept
  const type = typeOf(part)
  const inner = {
    ...(type.includes('object') ? fieldsOf(part, state, depth) : {}),
    ...(type.includes('array') ? { items: makeStrict(part.items ?? { type: 'string' }, state, depth + 1, false) } : {}),
  }
  if (Array.isArray(part.enum)) return { ...kept, enum: mayBeNull ? [...new Set([...part.enum, null])] : part.enum }
  if (part.const !== undefined) return kept
  const types = mayBeNull && !type.includes('null') ? [...type, 'null'] : type
  return { ...kept, type: types.length === 1 ? types[0] : types, ...inner }
}

function fieldsOf(part: Record<string, unknown>, state: { strict: boolean }, depth: number): Record<string, unknown> {
  const properties = isObject(part.properties) ? part.properties : {}
  const names = Object.keys(properties)
  // A dictionary has unknown keys, which strict mode does not support.
  if (isObject(part.additionalProperties) || part.patternProperties !== undefined || names.length === 0) {
    state.strict = false
    return { ...(names.length > 0 ? { properties } : {}), additionalProperties: part.additionalProperties ?? true }
  }
  return {
    properties: Object.fromEntries(names.map((name) => [name, makeStrict(properties[name], state, depth + 1, true)])),
    required: names,
    additionalProperties: false,
  }
}

function typeOf(part: Record<string, unknown>): string[] {
  const named = [part.type].flat().filter((type): type is string => typeof type === 'string')
  if (named.length > 0) return named
  if (part.properties !== undefined) return ['object']
  return part.items !== undefined ? ['array'] : ['string', 'number', 'boolean', 'null']
}
