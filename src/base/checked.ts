// Outside input through a schema: the value, or a Problem that says what was wrong, where, and what would be right.
import type { z } from 'zod'
import { Problem } from './problem.ts'

const UNKNOWN_KEY = 'Unrecognized key in body -- please review the v2 API documentation for request body changes'

/** A validation issue as callers see it in `details`. */
interface Issue {
  code: string
  path: (string | number)[]
  message: string
  keys?: string[]
}

export function checked<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(withoutHiddenKeys(input))
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.flatMap(flatten)
  const first = issues[0] as z.core.$ZodIssue
  const details = issues.map(plain)
  const where = first.path.join('.')
  if (where === 'url' || where === 'urls') throw new Problem('invalid_url', { instead: urlMessage(first), details })
  if (first.code === 'unrecognized_keys') throw new Problem('bad_request', { instead: UNKNOWN_KEY, details })
  // A rule that spans fields has a fixed text; anything else names its place.
  const exact = first.code === 'custom' && !(first.params?.named as boolean | undefined)
  const because = exact || !where ? first.message : `${where}: ${first.message}`
  throw exact
    ? new Problem('bad_request', { instead: because, details })
    : new Problem('bad_request', { because, details })
}

/** Keys that begin with two underscores are private to the client that sent them. */
function withoutHiddenKeys(input: unknown): unknown {
  if (!input || typeof input !== 'object' || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([key]) => !key.startsWith('__')))
}

const urlMessage = ({ message }: z.core.$ZodIssue): string =>
  message.startsWith('Invalid URL') ? message : `Invalid URL: ${message}`

/** Of a union, the branch that came closest: the one whose own issues lie deepest. */
function flatten(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const depth = (branch: readonly z.core.$ZodIssue[]) => Math.max(0, ...branch.map((inner) => inner.path.length))
  const closest = [...issue.errors].sort((a, b) => depth(b) - depth(a) || a.length - b.length)[0] ?? []
  return closest.flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] }))
}

function plain({ code, path, message, ...rest }: z.core.$ZodIssue): Issue {
  const keys = 'keys' in rest ? (rest.keys as string[]) : undefined
  return {
    code,
    path: path.map((step) => (typeof step === 'number' ? step : String(step))),
    message,
    ...(keys ? { keys } : {}),
  }
}
