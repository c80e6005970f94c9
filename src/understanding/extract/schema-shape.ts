// Converts a JSON Schema to a plain tree: resolves references, merges `allOf`, and picks the richest branch of `anyOf`.
// Bounded, because callers' schemas may be recursive.
import { isObject } from '../../base/values.ts'

export interface SchemaShape {
  kind: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'any'
  nullable: boolean
  description: string
  format: string | undefined
  choices: readonly unknown[] | undefined
  fields: readonly ShapeField[]
  items: SchemaShape | undefined
  /** The schema of additional properties. */
  others: SchemaShape | undefined
}

type ShapeField = { name: string; isRequired: boolean; shape: SchemaShape }

type Schema = Record<string, unknown>

const MAX_DEPTH = 12
const MAX_SHAPES = 2000

export function schemaShapeOf(schema: unknown): SchemaShape {
  let count = 0
  const read = (given: unknown, depth: number): SchemaShape => {
    count += 1
    if (depth > MAX_DEPTH || count > MAX_SHAPES) return { ...ANY_SHAPE, nullable: true }
    const { schema: one, nullable } = resolveSchema(given, schema)
    const kind = kindOf(one)
    const choices = choicesOf(one)
    const properties = isObject(one.properties) ? one.properties : {}
    const required = new Set(Array.isArray(one.required) ? one.required : [])
    const extra = one.additionalProperties
    return {
      kind,
      nullable: nullable || choices?.includes(null) === true,
      description: [one.title, one.description].filter((text) => typeof text === 'string').join('. '),
      format: typeof one.format === 'string' ? one.format : undefined,
      choices,
      fields:
        kind === 'object'
          ? Object.entries(properties).map(([name, inner]) => ({
              name,
              isRequired: required.has(name),
              shape: read(inner, depth + 1),
            }))
          : [],
      items:
        kind === 'array' ? read(Array.isArray(one.items) ? one.items[0] : (one.items ?? {}), depth + 1) : undefined,
      others: kind === 'object' && isObject(extra) ? read(extra, depth + 1) : undefined,
    }
  }
  return read(schema, 0)
}

export const ANY_SHAPE: SchemaShape = {
  kind: 'any',
  nullable: false,
  description: '',
  format: undefined,
  choices: undefined,
  fields: [],
  items: undefined,
  others: undefined,
}

function resolveSchema(given: unknown, root: unknown): { schema: Schema; nullable: boolean } {
  let schema: Schema = isObject(given) ? given : {}
  let nullable = schema.nullable === true
  for (let steps = 0; steps < 20; steps++) {
    if (typeof schema.$ref === 'string') {
      const target = resolvePointer(root, schema.$ref)
      const { $ref: _, ...rest } = schema
      schema = { ...(isObject(target) ? target : {}), ...rest }
      continue
    }
    if (Array.isArray(schema.allOf)) {
      const { allOf, ...rest } = schema
      schema = (allOf as unknown[]).filter(isObject).reduce(joinSchemas, rest)
      continue
    }
    const branches = [schema.anyOf, schema.oneOf].find(Array.isArray) as unknown[] | undefined
    if (!branches) break
    const { anyOf: _, oneOf: __, ...rest } = schema
    const resolvedBranches = branches.filter(isObject)
    if (resolvedBranches.some(({ type }) => type === 'null')) nullable = true
    const consts = resolvedBranches.filter((branch) => 'const' in branch)
    if (consts.length > 1 && consts.length === resolvedBranches.filter(({ type }) => type !== 'null').length) {
      schema = { ...rest, enum: consts.map((branch) => branch.const) }
      continue
    }
    const best = resolvedBranches.filter(({ type }) => type !== 'null').sort((a, b) => richness(b) - richness(a))[0]
    schema = joinSchemas(rest, best ?? {})
  }
  if (Array.isArray(schema.type) && schema.type.includes('null')) nullable = true
  return { schema, nullable }
}

const joinSchemas = (a: Schema, b: Schema): Schema => ({
  ...a,
  ...b,
  properties: { ...(isObject(a.properties) ? a.properties : {}), ...(isObject(b.properties) ? b.properties : {}) },
  required: [a.required, b.required].flat().filter((name) => typeof name === 'string'),
  ...(typeof a.description === 'string' ? { description: a.description } : {}),
})

/** Objects rank over lists, lists over numbers, numbers over text. */
const richness = ({ type, properties, $ref }: Schema): number =>
  properties || $ref
    ? 5
    : type === 'array'
      ? 4
      : type === 'number' || type === 'integer'
        ? 3
        : type === 'boolean'
          ? 2
          : 1

function resolvePointer(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let at: unknown = root
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const name = decodeURIComponent(step.replaceAll('~1', '/').replaceAll('~0', '~'))
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : Array.isArray(at) ? at[Number(name)] : undefined
  }
  return at
}

function kindOf({ type, properties, items, additionalProperties, enum: choices }: Schema): SchemaShape['kind'] {
  const named = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  if (named === undefined) {
    if (properties || isObject(additionalProperties)) return 'object'
    if (items) return 'array'
    return Array.isArray(choices) && choices.every((one) => typeof one === 'string') ? 'string' : 'any'
  }
  return ['object', 'array', 'string', 'number', 'integer', 'boolean'].includes(String(named))
    ? (named as SchemaShape['kind'])
    : 'any'
}

function choicesOf(schema: Schema): unknown[] | undefined {
  if ('const' in schema) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum.slice(0, 500) : undefined
}
