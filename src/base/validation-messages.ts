// Turns validation issues into sentences that state what would be valid.
import type { z } from 'zod'
import type { SchemaDefinition } from './cut-input-to-schema-limits.ts'
import { findNearestName } from './did-you-mean.ts'

const OWN_WORDS = /^(?:Invalid input|Invalid option|Too big|Too small|Unrecognized key)/

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

export function validationIssueMessage(issue: z.core.$ZodIssue): string {
  const words = wordsFor(issue)
  return words.length > MAX_MESSAGE_CHARS ? `${words.slice(0, MAX_MESSAGE_CHARS)}…` : words
}

/** Messages quote the rejected value, which may be megabytes long. */
const MAX_MESSAGE_CHARS = 1000

function wordsFor(issue: z.core.$ZodIssue): string {
  if (!OWN_WORDS.test(issue.message)) return issue.message
  if (isMissingValueIssue(issue)) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}, not ${kindOf(issue.input)}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}${notThis(issue.input, issue.values)}`
    case 'too_small':
      return `must ${formatBound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`
    case 'too_big':
      return `must ${formatBound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`
    default:
      return issue.message
  }
}

export const isMissingValueIssue = (issue: z.core.$ZodIssue): boolean =>
  (issue.code === 'invalid_type' || issue.code === 'invalid_value') && 'input' in issue && issue.input === undefined

function formatBound(origin: string, how: string, size: number | bigint): string {
  if (origin === 'string') return `have ${how} ${size} ${size === 1 ? 'character' : 'characters'}`
  if (origin === 'array' || origin === 'set') return `have ${how} ${size} ${size === 1 ? 'entry' : 'entries'}`
  return `be ${how} ${size}`
}

const MAX_LISTED = 30

function oneOf(values: readonly unknown[]): string {
  if (values.length === 1) return JSON.stringify(values[0])
  const listed = values.slice(0, MAX_LISTED).join(', ')
  return `one of ${listed}${values.length > MAX_LISTED ? ', …' : ''}`
}

const MAX_SHOWN = 40

function notThis(input: unknown, values: readonly unknown[]): string {
  if (typeof input !== 'string') return ''
  const meant = findNearestName(input, values.map(String))
  return `, not "${input.slice(0, MAX_SHOWN)}"${meant ? `. Did you mean "${meant}"?` : ''}`
}

function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  return KINDS[typeof input] ?? typeof input
}

export function unknownKeysMessage(keys: readonly string[], known: Iterable<string>): string {
  const names = [...known]
  return keys
    .slice(0, 5)
    .map((key) => {
      const meant = findNearestName(key, names)
      return `"${key.slice(0, MAX_SHOWN)}"${meant ? ` (did you mean "${meant}"?)` : ''}`
    })
    .join(', ')
}

export function listSchemaKeysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const def = schema._zod.def as unknown as SchemaDefinition
  const [step, ...rest] = path
  if (def.innerType) return listSchemaKeysAt(def.innerType, path)
  if (def.in && def.out) return [...listSchemaKeysAt(def.in, path), ...listSchemaKeysAt(def.out, path)]
  if (def.options) return def.options.flatMap((option) => listSchemaKeysAt(option, path))
  if (def.element) return step === undefined ? [] : listSchemaKeysAt(def.element, rest)
  if (!def.shape) return []
  if (step === undefined) return Object.keys(def.shape)
  const inner = Object.hasOwn(def.shape, step) ? def.shape[String(step)] : undefined
  return inner ? listSchemaKeysAt(inner, rest) : []
}
