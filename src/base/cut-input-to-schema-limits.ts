// Cuts input to a little more than its schema allows, because the validator checks every entry before it counts them.

import type { z } from 'zod'
import { rememberByObject } from './values.ts'

export interface SchemaDefinition {
  type: string
  shape?: Readonly<Record<string, z.core.$ZodType>>
  catchall?: z.core.$ZodType
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  element?: z.core.$ZodType
  valueType?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
}

const MAX_UNKNOWN = 11

const defOf = (schema: z.core.$ZodType): SchemaDefinition => schema._zod.def as unknown as SchemaDefinition

export function cutInputToSchemaLimits(schema: z.core.$ZodType, input: unknown): unknown {
  return cut(unwrapSchemas(schema), input)
}

/** Schemas are made once, and requests ask for the same ones. */
export const unwrapSchemas: (schema: z.core.$ZodType) => readonly z.core.$ZodType[] = rememberByObject(withoutWrappers)

function withoutWrappers(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { innerType, in: first, options } = defOf(schema)
  const inner = innerType ?? first
  if (inner) return unwrapSchemas(inner)
  return options ? options.flatMap(unwrapSchemas) : [schema]
}

function cut(schemas: readonly z.core.$ZodType[], input: unknown): unknown {
  if (Array.isArray(input)) {
    const elements = schemas.flatMap((one) => defOf(one).element ?? []).flatMap(unwrapSchemas)
    const kept = input.slice(0, mostOf(schemas, 'array') + 1)
    return elements.length === 0 ? kept : kept.map((entry) => cut(elements, entry))
  }
  if (typeof input === 'string') return cutText(schemas, input)
  return input && typeof input === 'object' ? cutObject(schemas, input as Record<string, unknown>) : input
}

/** Blanks at the ends of a text are trimmed before its length is checked. */
const SPARE_CHARACTERS = 10_000
const WITHOUT_TEXT = new Set(['enum', 'literal', 'number', 'int', 'boolean', 'null', 'object', 'array', 'record'])

function cutText(schemas: readonly z.core.$ZodType[], input: string): string {
  if (input.length <= SPARE_CHARACTERS) return input
  const limits = schemas.map((one) => {
    const { type } = defOf(one)
    if (WITHOUT_TEXT.has(type)) return 0
    return type === 'string' ? maxLengthOfSchema(one) : Number.POSITIVE_INFINITY
  })
  return input.slice(0, Math.max(...limits) + SPARE_CHARACTERS)
}

function cutObject(schemas: readonly z.core.$ZodType[], input: Record<string, unknown>): object {
  const shaped = schemas.map(defOf).filter(({ type }) => type === 'object' || type === 'record')
  if (shaped.length === 0) return input
  const kept: Record<string, unknown> = {}
  const keep = (key: string, values: readonly z.core.$ZodType[]) => {
    kept[key] = values.length === 0 ? input[key] : cut(values.flatMap(unwrapSchemas), input[key])
  }
  const shapes = shaped.map(({ shape = {} }) => shape)
  const valuesOf = (key: string) => shapes.flatMap((shape) => (Object.hasOwn(shape, key) ? shape[key]! : []))
  for (const shape of shapes)
    for (const key of Object.keys(shape))
      if (Object.hasOwn(input, key) && !Object.hasOwn(kept, key)) keep(key, valuesOf(key))
  const entries = shaped.flatMap(({ valueType }) => valueType ?? [])
  let left = unknownKept(shaped, schemas)
  for (const key in input) {
    if (shapes.some((shape) => Object.hasOwn(shape, key))) continue
    if (left-- <= 0) break
    keep(key, entries)
  }
  return kept
}

function unknownKept(shaped: readonly SchemaDefinition[], schemas: readonly z.core.$ZodType[]): number {
  if (shaped.some(({ type }) => type === 'record')) return mostOf(schemas, 'record') + 1
  const isOpen = shaped.some(({ catchall }) => catchall && defOf(catchall).type !== 'never')
  return isOpen ? Number.POSITIVE_INFINITY : MAX_UNKNOWN
}

/** Infinite when a branch has no limit. */
function mostOf(schemas: readonly z.core.$ZodType[], type: string): number {
  const limits = schemas.filter((one) => defOf(one).type === type).map(maxLengthOfSchema)
  return limits.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...limits)
}

export function maxLengthOfSchema(schema: z.core.$ZodType): number {
  const checks = (schema._zod.def.checks ?? []).map((check) => check._zod.def as { check: string; maximum?: number })
  const longest = checks.find(({ check }) => check === 'max_length')?.maximum
  const { maxProperties } = ((schema as z.ZodType).meta?.() ?? {}) as { maxProperties?: number }
  return longest ?? maxProperties ?? Number.POSITIVE_INFINITY
}
