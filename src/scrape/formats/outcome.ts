// A format's result beyond a plain value: warnings, further fields, or no field.
import type { ModelAnswer } from '../../llm/llm.ts'

export interface OutcomeParts {
  value?: unknown
  fields?: Readonly<Record<string, unknown>>
  warnings?: readonly string[]
  steps?: readonly Readonly<Record<string, unknown>>[]
  /** Must not be cached, because a model was unreachable, for example. */
  fleeting?: boolean
}

export class FormatOutcome {
  readonly parts: OutcomeParts
  constructor(parts: OutcomeParts) {
    this.parts = parts
  }
}

export const outcome = (parts: OutcomeParts): FormatOutcome => new FormatOutcome(parts)

export const absent = (warning: string): FormatOutcome => new FormatOutcome({ warnings: [warning] })

export function answeredBy<T>(
  answer: ModelAnswer<T>,
  value: unknown = answer.value,
  fields?: OutcomeParts['fields'],
  explained: Readonly<Record<string, unknown>> = {},
): FormatOutcome {
  const { by, usage, warnings, fleeting } = answer
  return new FormatOutcome({
    value,
    warnings,
    fleeting,
    steps: [{ by, ...usage, ...explained }],
    ...(fields ? { fields } : {}),
  })
}
