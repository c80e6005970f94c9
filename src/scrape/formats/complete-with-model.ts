// Joins a program that a model taught with the model: fields that the program reads with confidence are not asked for.
import { isObject } from '../../base/values.ts'
import type { Lesson } from '../learnt-extractor.ts'
import { type FormatOutcome, makeFormatOutcome } from './format-outcome.ts'
import type { ReadingByExtractor } from './read-by-extractor.ts'

type Schema = Record<string, unknown>

/** Below it a field is asked for again, and the answer is one more example. */
const CERTAIN = 0.6

/** The schema of the fields that are not read with confidence; undefined when none is left. */
export function schemaLeftToAsk(schema: Schema, taught: ReadingByExtractor | undefined): Schema | undefined {
  const { properties, required } = schema
  const certain = new Set(taught ? certainFields(taught) : [])
  if (!isObject(properties) || certain.size === 0) return schema
  const left = Object.entries(properties).filter(([name]) => !certain.has(name))
  if (left.length === 0) return undefined
  const names = Array.isArray(required) ? { required: required.filter((name) => !certain.has(String(name))) } : {}
  return { ...schema, properties: Object.fromEntries(left), ...names }
}

function certainFields({ reading: { value, fields } }: ReadingByExtractor): string[] {
  if (!isObject(value)) return []
  return Object.keys(fields).filter(
    (name) => fields[name]!.confidence >= CERTAIN && value[name] != null && hasNamedItems(value[name]),
  )
}

/** A list whose items lack their first field, which names them, was read by ways that do not fit this page. */
const hasNamedItems = (value: unknown): boolean =>
  !Array.isArray(value) || value.every((item) => !isObject(item) || Object.values(item)[0] != null)

/** Adds the fields that the program read to the model's answer, and what the answer teaches. */
export function completeModelOutcome(
  { parts }: FormatOutcome,
  { schema, prompt }: { schema?: Schema | undefined; prompt?: string | undefined },
  taught: ReadingByExtractor | undefined,
  verified: unknown,
  other: 'model' | 'rule' = 'model',
): FormatOutcome {
  if (!schema || !isObject(schema.properties)) return makeFormatOutcome(parts)
  const lesson = isObject(verified) ? makeLesson({ schema, prompt }, taught, verified) : undefined
  if (!taught || certainFields(taught).length === 0) return makeFormatOutcome({ ...parts, lesson })
  const { id, version } = taught.learnt
  const { fit, value, fields } = taught.reading
  const certain = new Set(certainFields(taught))
  const asked = isObject(parts.value) ? parts.value : {}
  const given = value as Schema
  const names = Object.keys(schema.properties)
  const by = (name: string) => (certain.has(name) ? fields[name] : { by: asked[name] == null ? null : other })
  return makeFormatOutcome({
    ...parts,
    value: Object.fromEntries(names.map((name) => [name, (certain.has(name) ? given : asked)[name] ?? null])),
    metadata: {
      ...parts.metadata,
      json: { extractor: { id, version, fit }, fields: Object.fromEntries(names.map((name) => [name, by(name)])) },
    },
    lesson,
  })
}

function makeLesson(
  task: Pick<Lesson, 'schema' | 'prompt'>,
  taught: ReadingByExtractor | undefined,
  data: Schema,
): Lesson | undefined {
  const isWorthIt = Object.values(data).some((one) => one != null && !(Array.isArray(one) && one.length === 0))
  return isWorthIt ? { ...task, data, extends: taught?.learnt.id } : undefined
}

/** The values without those at the paths, whose steps are separated by dots. */
export function withoutPaths(value: unknown, paths: ReadonlySet<string>, path = ''): unknown {
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const own = path === '' ? name : `${path}.${name}`
    return paths.has(own) ? [] : [[name, withoutPaths(one, paths, own)] as const]
  })
  return Array.isArray(value) ? kept.map(([, one]) => one) : Object.fromEntries(kept)
}
