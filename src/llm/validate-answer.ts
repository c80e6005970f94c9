// Validates an answer against the schema. Null is allowed everywhere, because a model that must fill a field invents a
// value; `pattern` is skipped, because callers' patterns can backtrack without end.
import { isObject } from '../base/values.ts'
import type { JsonSchema } from './llm.ts'

type ConformCheck = (value: unknown) => string[]

const MAX_ERRORS = 10

/** Undefined when the schema cannot be compiled. Validation also coerces scalars to the requested type. */
export async function makeSchemaCheck(schema: JsonSchema): Promise<ConformCheck | undefined> {
  const [{ Ajv }, formats] = await Promise.all([import('ajv'), import('ajv-formats')])
  const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: true, validateFormats: true, logger: false })
  formats.default.default(ajv, ['date', 'date-time', 'email', 'uri', 'uuid', 'time', 'duration'])
  try {
    const validate = ajv.compile(lenient(schema, 0) as object)
    return (value) =>
      validate(value)
        ? []
        : (validate.errors ?? [])
            .slice(0, MAX_ERRORS)
            .map(({ instancePath, message }) => `${instancePath || 'the answer'} ${message ?? 'is not valid'}`)
  } catch {
    return undefined
  }
}

function lenient(schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > 70) return schema
  const { pattern: _, patternProperties: __, $schema: ___, $id: ____, ...rest } = schema
  const made: Record<string, unknown> = { ...rest }
  for (const name of ['properties', '$defs', 'definitions'])
    if (isObject(made[name]))
      made[name] = Object.fromEntries(
        Object.entries(made[name]).map(([key, inner]) => [
          key,
          name === 'properties' ? orNull(lenient(inner, depth + 1)) : lenient(inner, depth + 1),
        ]),
      )
  for (const name of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(made[name])) made[name] = made[name].map((inner) => lenient(inner, depth + 1))
  if (isObject(made.items)) made.items = lenient(made.items, depth + 1)
  if (isObject(made.additionalProperties))
    made.additionalProperties = orNull(lenient(made.additionalProperties, depth + 1))
  return made
}

// A constant, not a type: coercion would turn 0 and the empty text into null.
const orNull = (schema: unknown): unknown => ({ anyOf: [{ const: null }, schema] })
