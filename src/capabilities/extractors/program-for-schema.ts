// The part of a program that reads fields of a caller's schema: the same name and a type that fits.
import { isObject } from '../../base/values.ts'
import type { FieldProgram, Program } from '../../understanding/learn/program-types.ts'

export function programForSchema(program: Program, schema: Record<string, unknown>): Program | undefined {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const fields: Program['fields'] = {}
  for (const [name, wanted] of Object.entries(properties)) {
    const field = Object.hasOwn(program.fields, name) ? program.fields[name] : undefined
    // A list of records that is the whole value has no name: it serves the list with the same fields.
    const fitting = [field, program.records].flatMap((one) => (one ? (fieldForSchema(one, wanted) ?? []) : []))[0]
    if (fitting) fields[name] = fitting
  }
  return Object.keys(fields).length > 0 ? { ...program, records: null, fields } : undefined
}

function fieldForSchema(field: FieldProgram, wanted: unknown): FieldProgram | undefined {
  if (!isObject(wanted)) return undefined
  const types = [wanted.type].flat()
  const items = isObject(wanted.items) ? wanted.items : {}
  if (field.type === 'list') return types.includes('array') && !items.properties ? field : undefined
  if (field.type !== 'records')
    return types.includes(field.type) || (field.type === 'integer' && types.includes('number')) ? field : undefined
  if (!types.includes('array') || !isObject(items.properties)) return undefined
  const fields: Record<string, FieldProgram> = {}
  for (const [name, one] of Object.entries(items.properties)) {
    const known =
      field.fields && Object.hasOwn(field.fields, name) ? fieldForSchema(field.fields[name]!, one) : undefined
    if (!known) return undefined
    fields[name] = known
  }
  return { ...field, fields }
}
