// The error table: HTTP status, code, whether a retry can help, and sentence. Only api/send-problem.ts turns a Problem
// into a response.
import table from './problems.json' with { type: 'json' }

interface Row {
  readonly status: number
  readonly code?: string
  readonly retry: boolean
  readonly say: string
  /** Advice in docs/errors.md, to which API responses link. */
  readonly help?: string
}

export const problems: Readonly<Record<keyof typeof table, Row>> = table

export type ProblemName = keyof typeof problems

interface ProblemExtras {
  because?: string
  /** Replaces the table's sentence, for cross-field rules whose text the contract fixes. */
  instead?: string
  details?: unknown
  retryAfterSeconds?: number
  also?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/** Used for a job's stored failure and for an HTTP response. */
export class Problem extends Error {
  readonly kind: ProblemName
  readonly details: unknown
  readonly retryAfterSeconds: number | undefined
  readonly also: Readonly<Record<string, unknown>> | undefined

  constructor(kind: ProblemName, extras: ProblemExtras = {}) {
    const { because, instead, details, retryAfterSeconds, also, cause } = extras
    const { say } = problems[kind]
    super(instead ?? (because ? `${say.replace(/\.$/, '')}: ${because}` : say), cause === undefined ? {} : { cause })
    this.name = 'Problem'
    this.kind = kind
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
    this.also = also
  }

  get row(): Row {
    return problems[this.kind]
  }

  toJSON(): SerialisedProblem {
    return { kind: this.kind, message: this.message, details: this.details, retryAfterSeconds: this.retryAfterSeconds }
  }

  static revive({ kind, message, details, retryAfterSeconds }: SerialisedProblem): Problem {
    return new Problem(kind, {
      instead: message,
      ...(details === undefined ? {} : { details }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
  }
}

export interface SerialisedProblem {
  kind: ProblemName
  message: string
  details?: unknown
  retryAfterSeconds?: number | undefined
}

const DISK: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the disk is full (EDQUOT)',
  EROFS: 'the disk is read-only (EROFS)',
}

/** Any other error becomes `internal` and keeps its cause for the log. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const because = DISK[(error as { code?: unknown } | undefined)?.code as string]
  return because ? new Problem('unavailable', { because, cause: error }) : new Problem('internal', { cause: error })
}
