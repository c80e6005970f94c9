// Validates outside input with a schema, or throws a Problem that names the place and the fix.

import type { z } from 'zod'
import { cutInputToSchemaLimits } from './cut-input-to-schema-limits.ts'
import { Problem } from './problem.ts'
import {
  isMissingValueIssue,
  listSchemaKeysAt,
  unknownKeysMessage,
  validationIssueMessage,
} from './validation-messages.ts'
import { isObject } from './values.ts'

const UNKNOWN_KEY = 'Unrecognized key in body -- please review the v2 API documentation for request body changes'

const MAX_ECHOED = 10
const MAX_NAME = 100

interface Issue {
  code: string
  path: (string | number)[]
  message: string
  keys?: string[]
}

export function validateInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(cutInputToSchemaLimits(schema, withoutHiddenKeys(input)), { reportInput: true })
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, MAX_ECHOED).flatMap(flatten).slice(0, MAX_ECHOED)
  const first = issues[0] as z.core.$ZodIssue
  const details = issues.map((issue) => toPlainIssue(issue, schema))
  const where = first.path.map((step) => String(step).slice(0, MAX_NAME)).join('.')
  if (where === 'url' || where === 'urls') throw new Problem('invalid_url', { instead: urlMessage(first), details })
  if (first.code === 'unrecognized_keys')
    throw new Problem('bad_request', { instead: UNKNOWN_KEY, details, also: { hint: unknownAt(first, schema) } })
  // A cross-field rule has a fixed text; any other message names its place.
  const exact = first.code === 'custom' && !(first.params?.named as boolean | undefined)
  const because =
    exact || !where
      ? validationIssueMessage(first)
      : `${where}${isMissingValueIssue(first) ? ' ' : ': '}${validationIssueMessage(first)}`
  // An unusable JSON Schema is well-formed JSON, so it is not a 400.
  const kind = first.code === 'custom' && first.params?.kind === 'unprocessable' ? 'unprocessable' : 'bad_request'
  throw exact ? new Problem(kind, { instead: because, details }) : new Problem(kind, { because, details })
}

/** The contract has one sentence for every unknown key; the key and a suggestion go into `hint`. */
function unknownAt({ keys, path }: z.core.$ZodIssueUnrecognizedKeys, schema: z.ZodType): string {
  const place = path.length > 0 ? ` in ${path.join('.')}` : ''
  return `Not known${place}: ${unknownKeysMessage(keys, listSchemaKeysAt(schema, path))}`
}

function withoutHiddenKeys(input: unknown): unknown {
  if (!isObject(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([key]) => !key.startsWith('__')))
}

const urlMessage = (issue: z.core.$ZodIssue): string => {
  const { message, path } = issue
  return message.startsWith('Invalid URL') ? message : `Invalid URL: ${path.join('.')} ${validationIssueMessage(issue)}`
}

function flatten(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const depth = (branch: readonly z.core.$ZodIssue[]) => Math.max(0, ...branch.map((inner) => inner.path.length))
  const closest = [...issue.errors].sort((a, b) => depth(b) - depth(a) || a.length - b.length)[0] ?? []
  return closest.flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] }))
}

function toPlainIssue(issue: z.core.$ZodIssue, schema: z.ZodType): Issue {
  const { code, path } = issue
  return {
    code,
    path: path.map((step) => (typeof step === 'number' ? step : String(step).slice(0, MAX_NAME))),
    ...(issue.code === 'unrecognized_keys'
      ? {
          message: `Unrecognized key: ${unknownKeysMessage(issue.keys, listSchemaKeysAt(schema, path))}`,
          keys: issue.keys.slice(0, MAX_ECHOED).map((key) => key.slice(0, MAX_NAME)),
        }
      : { message: validationIssueMessage(issue) }),
  }
}
