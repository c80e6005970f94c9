// Parses flags by a JSON schema: `--only-main-content`, `--formats markdown,links`, `--location.country de`. The
// service validates the values.

import { readFileSync } from 'node:fs'
import { findNearestName } from '../base/did-you-mean.ts'
import { isObject } from '../base/values.ts'
import { type OperationInputs, type OperationSchema, toKebabCase } from '../capabilities/operation.ts'
import { UsageError } from './command.ts'
import { readStandardInput } from './read-list-input.ts'

export type CommandFlag = { name: string; short?: string; value?: string; help: string }

export type ParsedFlags = { given: Record<string, unknown>; own: Record<string, string | true>; positionals: string[] }

/** Of commands that have only flags of their own. */
export const NO_INPUTS: OperationInputs = { properties: {}, required: [] }

export function parseFlags(
  args: readonly string[],
  inputs: OperationInputs,
  ownFlags: readonly CommandFlag[],
): ParsedFlags {
  const parsed: ParsedFlags = { given: {}, own: {}, positionals: [] }
  const left = [...args]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') {
      parsed.positionals.push(...left.splice(0))
    } else if (word === '-' || !word.startsWith('-')) parsed.positionals.push(word)
    else takeFlag(word, left, inputs, ownFlags, parsed)
  }
  return parsed
}

function takeFlag(
  word: string,
  left: string[],
  inputs: OperationInputs,
  ownFlags: readonly CommandFlag[],
  parsed: ParsedFlags,
): void {
  const [, dashes = '', name = '', attached] = /^(--?)([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? []
  const next = (): string => {
    const value = attached ?? left.shift()
    if (value === undefined) throw new UsageError(`${word} needs a value`)
    return value
  }
  const own = ownFlags.find((flag) => (dashes === '--' ? flag.name === name : flag.short === name))
  if (own) {
    if (own.value === undefined && attached !== undefined) throw new UsageError(`--${own.name} takes no value`)
    parsed.own[own.name] = own.value === undefined ? true : next()
    return
  }
  const found = dashes === '--' ? findInput(name, inputs) : undefined
  if (found) {
    const value =
      takesBoolean(found.schema) && attached === undefined && !/^(true|false)$/.test(left[0] ?? '')
        ? true
        : parseFlagValue(found.schema, next(), `--${name}`)
    put(parsed.given, found.path, value, found.schema)
    return
  }
  const refused = dashes === '--' && name.startsWith('no-') ? findInput(name.slice(3), inputs) : undefined
  if (!refused || !takesBoolean(refused.schema)) throw new UsageError(unknownFlag(`${dashes}${name}`, inputs, ownFlags))
  if (attached !== undefined) throw new UsageError(`--${name} takes no value`)
  put(parsed.given, refused.path, false, refused.schema)
}

function unknownFlag(flag: string, { properties }: OperationInputs, ownFlags: readonly CommandFlag[]): string {
  const known = [...Object.keys(properties).map(toKebabCase), ...ownFlags.map(({ name }) => name)]
  const meant = findNearestName(flag.replace(/^-+(?:no-)?/, ''), known)
  return `there is no flag ${flag}${meant ? `; did you mean --${meant}?` : ''}`
}

type Found = { path: string[]; schema: OperationSchema }

function findInput(name: string, { properties }: OperationInputs): Found | undefined {
  const path: string[] = []
  let level: OperationSchema = { properties }
  for (const step of name.split('.')) {
    const known: Record<string, OperationSchema> = Object.assign(
      {},
      ...schemaBranches(level).map((branch) => branch.properties),
    )
    const key = Object.keys(known).find((candidate) => candidate === step || toKebabCase(candidate) === step)
    if (key !== undefined) {
      path.push(key)
      level = known[key] ?? {}
      continue
    }
    const open = path.length > 0 && schemaBranches(level).find(({ additionalProperties }) => additionalProperties)
    if (!open) return undefined
    path.push(step)
    level = typeof open.additionalProperties === 'object' ? open.additionalProperties : {}
  }
  return { path, schema: level }
}

export const schemaBranches = (schema: OperationSchema): readonly OperationSchema[] => {
  const inner = schema.anyOf ?? schema.oneOf
  return inner ? inner.flatMap(schemaBranches) : [schema]
}

export const takes = (schema: OperationSchema, type: string): boolean =>
  schemaBranches(schema).some((branch) => branch.type === type)

export const takesBoolean = (schema: OperationSchema): boolean =>
  takes(schema, 'boolean') ||
  schemaBranches(schema).some(
    ({ enum: values }) => values?.length === 2 && values.includes('true') && values.includes('false'),
  )

export function parseFlagValue(schema: OperationSchema, text: string, flag: string): unknown {
  if (text.startsWith('@') && (takes(schema, 'array') || takes(schema, 'object')))
    return fromFile(text.slice(1), flag, takes(schema, 'string'))
  if (takes(schema, 'boolean') && /^(true|false)$/.test(text)) return text === 'true'
  if (takes(schema, 'array')) return itemsOf(schema, text, flag)
  if (takes(schema, 'integer') || takes(schema, 'number')) return numberOf(text, flag)
  const isText = schemaBranches(schema).some(({ type, enum: values }) => type === 'string' || values !== undefined)
  if (/^\s*[{[]/.test(text) || !isText) return json(text, flag)
  return checkChoice(schema, text, flag)
}

function itemsOf(schema: OperationSchema, text: string, flag: string): unknown[] {
  if (/^\s*\[/.test(text)) return json(text, flag) as unknown[]
  if (/^\s*\{/.test(text)) return [json(text, flag)]
  const items = schemaBranches(schema).find(({ type }) => type === 'array')?.items ?? {}
  return text.split(',').map((item) => parseFlagValue(items, item.trim(), flag))
}

function numberOf(text: string, flag: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new UsageError(`${flag} must be a number, not "${text}"`)
  return value
}

function checkChoice(schema: OperationSchema, text: string, flag: string): string {
  const all = schemaBranches(schema)
  const values = all.flatMap((branch) => branch.enum ?? (branch.const === undefined ? [] : [branch.const]))
  const isOpen = all.some((branch) => branch.type === 'string' && !branch.enum && branch.const === undefined)
  if (!isOpen && values.length > 0 && !values.includes(text))
    throw new UsageError(`${flag} must be one of ${values.join(', ')}; not "${text}"`)
  return text
}

function json(text: string, flag: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${flag} must be JSON, or @ and the name of a JSON file: ${(error as Error).message}`)
  }
}

/** `isTextFine`: a file that is no JSON is taken as it is. */
function fromFile(path: string, flag: string, isTextFine: boolean): unknown {
  let text: string
  try {
    text = path === '-' ? readStandardInput(flag) : readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${flag}: the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  return isTextFine && !/^\s*[[{]/.test(text) ? text : json(text, flag)
}

/** A repeated flag appends to a list; otherwise it replaces. */
function put(into: Record<string, unknown>, path: readonly string[], value: unknown, schema: OperationSchema): void {
  let level = into
  for (const step of path.slice(0, -1)) {
    const inner = Object.hasOwn(level, step) ? level[step] : undefined
    const next = isObject(inner) ? inner : {}
    define(level, step, next)
    level = next
  }
  const last = path.at(-1) ?? ''
  const before = Object.hasOwn(level, last) ? level[last] : undefined
  const grown = takes(schema, 'array') && Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
  define(level, last, grown)
}

/** An own property, even for names such as `__proto__`. */
const define = (level: object, name: string, value: unknown): void => {
  Object.defineProperty(level, name, { value, enumerable: true, configurable: true, writable: true })
}
