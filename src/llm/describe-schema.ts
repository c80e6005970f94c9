// A schema as a short shape, for endpoints that receive the whole schema beside the prompt.
import { isObject } from '../base/values.ts'
import type { JsonSchema } from './llm.ts'

const KNOWN = new Set([
  ...['$schema', 'title', 'description', 'type', 'properties', 'required', 'items', 'enum', 'format'],
  'additionalProperties',
])
const MAX_DEPTH = 12

/** Such as `{name: string, tags: [string], price: number (in euros)}`; undefined: the schema says more than a shape can. */
export function describeSchema(schema: JsonSchema, depth = 0): string | undefined {
  if (depth > MAX_DEPTH || Object.keys(schema).some((keyword) => !KNOWN.has(keyword))) return undefined
  if (isObject(schema.additionalProperties)) return undefined
  const shape = shapeOf(schema, depth)
  if (shape === undefined) return undefined
  const notes = [schema.format, schema.description].filter((text) => typeof text === 'string' && text !== '')
  return notes.length > 0 ? `${shape} (${notes.join(', ')})` : shape
}

function shapeOf({ type, properties, items, enum: values }: JsonSchema, depth: number): string | undefined {
  if (Array.isArray(values)) return values.map((one) => JSON.stringify(one)).join(' | ')
  if (isObject(properties)) {
    const fields = Object.entries(properties).map(([name, part]) => {
      const text = isObject(part) ? describeSchema(part, depth + 1) : undefined
      return text === undefined ? undefined : `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${text}`
    })
    return fields.includes(undefined) ? undefined : `{${fields.join(', ')}}`
  }
  if (isObject(items)) {
    const text = describeSchema(items, depth + 1)
    return text === undefined ? undefined : `[${text}]`
  }
  const types = [type].flat()
  if (types.length === 0 || !types.every((one) => typeof one === 'string')) return undefined
  return types.includes('object') || types.includes('array') ? undefined : types.join(' | ')
}
