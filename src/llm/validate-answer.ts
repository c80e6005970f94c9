// Validates an answer against the schema, field by field. Null is allowed everywhere, because a model that must fill a
// field invents a value; `pattern` is skipped, because callers' patterns can backtrack without end.
import { isObject } from '../base/values.ts'
import type { JsonSchema } from './llm.ts'

/** A value that does not fit, in words for the model and the caller. */
export interface Misfit {
  /** Names and indexes; empty: the answer as a whole. */
  path: readonly string[]
  /** Without the value: it may be words of the page, which are sent in a fence only. */
  line: string
  given?: string
}

const MAX_MISFITS = 10
const MAX_SHOWN = 60

/** Undefined when the schema cannot be compiled. */
export async function makeSchemaCheck(schema: JsonSchema): Promise<((value: unknown) => Misfit[]) | undefined> {
  const [{ Ajv }, formats] = await Promise.all([import('ajv'), import('ajv-formats')])
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true, logger: false })
  formats.default.default(ajv, ['date', 'date-time', 'email', 'uri', 'uuid', 'time', 'duration'])
  try {
    const validate = ajv.compile(makeLenient(schema, 0) as object)
    return (value) => {
      if (validate(value)) return []
      const misfits = new Map<string, Misfit>()
      for (const error of validate.errors ?? []) {
        // Only the inner error of "null or …" says what is wanted.
        if (error.keyword === 'anyOf' || (error.keyword === 'const' && error.params.allowedValue === null)) continue
        if (misfits.size >= MAX_MISFITS || misfits.has(error.instancePath)) continue
        const path = error.instancePath.split('/').slice(1).map(unescapePointer)
        misfits.set(error.instancePath, { path, line: lineFor(path, error), given: formatValue(valueAt(value, path)) })
      }
      return misfits.size > 0 ? [...misfits.values()] : [{ path: [], line: 'the answer does not fit the schema' }]
    }
  } catch {
    return undefined
  }
}

const unescapePointer = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

function lineFor(
  path: readonly string[],
  { keyword, params, message }: { keyword: string; params: Record<string, unknown>; message?: string | undefined },
): string {
  const wanted =
    keyword === 'type'
      ? `${[params.type].flat().join(' or ')} is wanted`
      : keyword === 'enum'
        ? `one of ${JSON.stringify(params.allowedValues).slice(0, 200)} is wanted`
        : `it ${message ?? 'is not valid'}`
  return `${path.join('.') || 'the answer'}: ${wanted}`
}

const formatValue = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, MAX_SHOWN)

function valueAt(value: unknown, path: readonly string[]): unknown {
  let one = value
  for (const name of path)
    one = one !== null && typeof one === 'object' ? (one as Record<string, unknown>)[name] : undefined
  return one
}

/** Puts null in the place of what does not fit; an item of a list is left out. */
export function withoutMisfits(value: unknown, paths: readonly (readonly string[])[]): unknown {
  const here = paths.filter((path) => path.length > 0)
  if (here.length === 0 || value === null || typeof value !== 'object') return value
  const made = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const own = here.filter(([first]) => first === name).map((path) => path.slice(1))
    if (!own.some((path) => path.length === 0)) return [[name, withoutMisfits(inner, own)]]
    return Array.isArray(value) ? [] : [[name, null]]
  })
  return Array.isArray(value) ? made.map(([, one]) => one) : Object.fromEntries(made)
}

function makeLenient(schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > 70) return schema
  const { pattern: _, patternProperties: __, $schema: ___, $id: ____, ...rest } = schema
  const made: Record<string, unknown> = { ...rest }
  for (const name of ['properties', '$defs', 'definitions'])
    if (isObject(made[name]))
      made[name] = Object.fromEntries(
        Object.entries(made[name]).map(([key, inner]) => [
          key,
          name === 'properties' ? orNull(makeLenient(inner, depth + 1)) : makeLenient(inner, depth + 1),
        ]),
      )
  for (const name of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(made[name])) made[name] = made[name].map((inner) => makeLenient(inner, depth + 1))
  if (isObject(made.items)) made.items = makeLenient(made.items, depth + 1)
  if (isObject(made.additionalProperties))
    made.additionalProperties = orNull(makeLenient(made.additionalProperties, depth + 1))
  return made
}

const orNull = (schema: unknown): unknown => ({ anyOf: [{ const: null }, schema] })
