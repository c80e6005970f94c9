// What a format may return when its bare value is not all there is to say: warnings, more fields, or that the field is
// to be left out.
import type { ModelAnswer } from '../../llm/llm.ts'

export interface OutcomeParts {
  /** Undefined: the field is left out of the document. */
  value?: unknown
  /** Other fields of the document that it sets as well. */
  fields?: Readonly<Record<string, unknown>>
  /** What could not be done, and what a reader of the value should know. */
  warnings?: readonly string[]
  /** For the explain record. */
  steps?: readonly Readonly<Record<string, unknown>>[]
  /** The next caller with the same question should not get this again: a model was out of reach, for example. */
  fleeting?: boolean
}

export class FormatOutcome {
  readonly parts: OutcomeParts
  constructor(parts: OutcomeParts) {
    this.parts = parts
  }
}

export const outcome = (parts: OutcomeParts): FormatOutcome => new FormatOutcome(parts)

/** The page has no such thing: the field is left out, and the warning says why. */
export const absent = (warning: string): FormatOutcome => new FormatOutcome({ warnings: [warning] })

/** An answer of `llm` with what has to be said about it; `value` when the field holds something made of the answer. */
export function toldBy<T>(
  answer: ModelAnswer<T>,
  value: unknown = answer.value,
  fields?: OutcomeParts['fields'],
): FormatOutcome {
  const { by, usage, warnings, fleeting } = answer
  return new FormatOutcome({
    value,
    warnings,
    fleeting,
    steps: [{ by, ...usage }],
    ...(fields ? { fields } : {}),
  })
}
