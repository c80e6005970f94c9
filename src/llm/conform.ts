// Whether an answer has the shape that was asked for. Null is let through everywhere: a model that must not leave a field
// open makes something up. Patterns are not tried: they come from callers, and a bad one can run for ever.
import type { JsonSchema } from './llm.ts'

export type ConformCheck = (value: unknown) => string[]

const MAX_ERRORS = 10

/** Undefined when the schema cannot be compiled. Validation also puts simple values into the type asked for. */
export async function checkFor(schema: JsonSchema): Promise<ConformCheck | undefined> {
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

const isObject = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

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

// A constant, not a type: putting values into the type asked for would make null of 0 and of the empty text.
const orNull = (schema: unknown): unknown => ({ anyOf: [{ const: null }, schema] })
