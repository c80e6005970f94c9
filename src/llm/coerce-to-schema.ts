// Turns a model's values into the types that the schema wants where their meaning is certain: "€48.50" to 48.5, "yes" to
// true, one thing to a list of it, a list of one to the thing. Other values stay as they are, for the schema check.
import { parseDate, toIsoDate, toIsoDateTime } from '../base/parse-dates.ts'
import { isObject } from '../base/values.ts'
import type { JsonSchema } from './llm.ts'
import { parseModelJson } from './parse-model-json.ts'

const MAX_DEPTH = 60
const YES = /^(?:true|yes|y|on|1|ja|oui|s[ií]|sim|tak|да|はい|是)$/i
const NO = /^(?:false|no|n|off|0|nein|non|n[aã]o|nie|нет|いいえ|否)$/i

export const coerceToSchema = (value: unknown, schema: JsonSchema): unknown => coerce(value, schema, schema, 0)

function coerce(value: unknown, part: unknown, root: JsonSchema, depth: number): unknown {
  if (!isObject(part) || value === null || value === undefined || depth > MAX_DEPTH) return value
  const wanted = resolveReference(part, root)
  if (!wanted) return value
  const choices = [wanted.anyOf, wanted.oneOf].find(Array.isArray)
  if (choices) {
    const own = choices.find(
      (one) => isObject(one) && typesOf(resolveReference(one, root) ?? {}).includes(typeOf(value)),
    )
    const first = choices.find((one) => isObject(one) && one.type !== 'null')
    return coerce(value, own ?? first, root, depth + 1)
  }
  if (Array.isArray(wanted.enum)) return choiceOf(value, wanted.enum)
  const types = typesOf(wanted)
  if (types.includes('object')) return objectOf(value, wanted, root, depth)
  if (types.includes('array')) return listOf(value, wanted, root, depth)
  const [type] = types
  if (type === undefined || (type !== 'string' && types.includes(typeOf(value)))) return value
  const plain = plainValueOf(value, type, depth)
  if (plain === null) return null
  if (type === 'string') return textOf(plain, wanted.format)
  if (type === 'boolean') return truthOf(plain)
  return type === 'number' || type === 'integer' ? numberOf(plain, type) : plain
}

/** One step by `$ref` within the schema. */
function resolveReference(part: Record<string, unknown>, root: JsonSchema): Record<string, unknown> | undefined {
  if (typeof part.$ref !== 'string') return part
  let found: unknown = root
  for (const name of part.$ref.replace(/^#\/?/, '').split('/').filter(Boolean))
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  return isObject(found) ? found : undefined
}

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value

function typesOf({ type, properties, items }: Record<string, unknown>): string[] {
  const named = [type].flat().filter((one): one is string => typeof one === 'string' && one !== 'null')
  // Every integer is a number.
  if (named.includes('number')) return [...named, 'integer']
  if (named.length > 0) return named
  return properties !== undefined ? ['object'] : items !== undefined ? ['array'] : []
}

function objectOf(value: unknown, wanted: Record<string, unknown>, root: JsonSchema, depth: number): unknown {
  const given = typeof value === 'string' ? (parseModelJson(value)?.value ?? value) : value
  const one = Array.isArray(given) && given.length <= 1 ? (given[0] ?? null) : given
  if (!isObject(one)) return one
  const fields = isObject(wanted.properties) ? wanted.properties : {}
  const isClosed = wanted.additionalProperties === false
  const kept = Object.entries(one).filter(([name]) => !isClosed || Object.hasOwn(fields, name))
  if (kept.length === 0) return Object.keys(one).length === 0 ? {} : one
  // An answer without any of the fields is no answer with nulls.
  const isOurs = kept.some(([name]) => Object.hasOwn(fields, name))
  const required = isOurs && Array.isArray(wanted.required) ? wanted.required : []
  return {
    ...Object.fromEntries(required.map((name) => [String(name), null])),
    ...Object.fromEntries(
      kept.map(([name, inner]) => [name, coerce(inner, fields[name] ?? wanted.additionalProperties, root, depth + 1)]),
    ),
  }
}

function listOf(value: unknown, wanted: Record<string, unknown>, root: JsonSchema, depth: number): unknown {
  const lists = isObject(value) ? Object.values(value).filter(Array.isArray) : []
  const isNumbered = isObject(value) && Object.keys(value).every((name, at) => name === String(at))
  const list = Array.isArray(value)
    ? value
    : isObject(value) && (isNumbered || lists.length === 1)
      ? isNumbered
        ? Object.values(value)
        : lists[0]!
      : [value]
  const { properties } = (isObject(wanted.items) ? resolveReference(wanted.items, root) : undefined) ?? {}
  // An object with none of the fields is no item.
  const isItem = (item: unknown) =>
    item !== null &&
    !(isObject(properties) && isObject(item) && !Object.keys(item).some((name) => Object.hasOwn(properties, name)))
  return list.map((item) => coerce(item, wanted.items, root, depth + 1)).filter(isItem)
}

/** What a list or an object holds where one plain value is wanted: `["Lamp"]`, `{"amount": 48.5, "currency": "EUR"}`. */
function plainValueOf(value: unknown, type: string, depth: number): unknown {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return value
  const parts = Object.values(value).filter((one) => one !== null && one !== '')
  if (parts.length === 0) return null
  if (parts.length === 1) return plainValueOf(parts[0], type, depth + 1)
  if (Array.isArray(value))
    return type === 'string' && parts.every((one) => typeof one !== 'object') ? parts.join(', ') : value
  const fits = parts.filter((one) => typeof one === type || (type === 'integer' && Number.isInteger(one)))
  return type !== 'string' && fits.length === 1 ? fits[0] : value
}

function textOf(value: unknown, format: unknown): unknown {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string' || (format !== 'date' && format !== 'date-time')) return text
  if (/^\d{4}-\d{2}-\d{2}(?:T|$)/.test(text) && (format === 'date') === (text.length === 10)) return text
  const date = parseDate(text)
  return date ? (format === 'date' ? toIsoDate(date) : toIsoDateTime(date)) : text
}

const truthOf = (value: unknown): unknown => {
  const said = String(value).trim().replace(/[.!]$/, '')
  return YES.test(said) ? true : NO.test(said) ? false : value
}

/** A text with exactly one number. */
function numberOf(value: unknown, type: string): unknown {
  const numbers = typeof value === 'string' ? (value.match(/(?<![\p{L}\d])[-+−]?\d[\d.,'’ \u00a0\u202f]*/gu) ?? []) : []
  const number = typeof value === 'string' && numbers.length === 1 ? plainNumber(numbers[0]!) : value
  return type === 'integer' && typeof number === 'number' && !Number.isInteger(number) ? value : number
}

/** "1.234,50" and "1,234.50": the last separator is the decimal one, unless it groups thousands. */
function plainNumber(written: string): number | undefined {
  const bare = written
    .replace(/['’ \u00a0\u202f]/g, '')
    .replace('−', '-')
    .replace(/[.,]+$/, '')
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','))
  const sign = bare[last] ?? ''
  const isGroup = last < 0 || bare.split(sign).length > 2 || (sign === ',' && /^[-+]?\d{1,3},\d{3}$/.test(bare))
  const digits = isGroup
    ? bare.replace(/[.,]/g, '')
    : `${bare.slice(0, last).replace(/[.,]/g, '')}.${bare.slice(last + 1)}`
  const number = Number(digits)
  return Number.isFinite(number) ? number : undefined
}

function choiceOf(value: unknown, choices: readonly unknown[]): unknown {
  const plain = plainValueOf(value, 'string', 0)
  if (plain === null) return null
  const said = String(plain).trim().toLowerCase()
  return (
    choices.find((choice) => choice === plain) ??
    choices.find((choice) => String(choice).toLowerCase() === said) ??
    value
  )
}
