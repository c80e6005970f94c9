// A format's result beyond a plain value: warnings, further fields, or no field.
import type { ModelAnswer } from '../../llm/llm.ts'
import type { Lesson } from '../learnt-extractor.ts'

export interface FormatOutcomeParts {
  value?: unknown
  fields?: Readonly<Record<string, unknown>>
  /** Further facts for the document's metadata. */
  metadata?: Readonly<Record<string, unknown>>
  warnings?: readonly string[]
  steps?: readonly Readonly<Record<string, unknown>>[]
  /** Must not be cached, because a model was unreachable, for example. */
  doNotCache?: boolean
  /** An example for an extractor. */
  lesson?: Lesson | undefined
}

export class FormatOutcome {
  readonly parts: FormatOutcomeParts
  constructor(parts: FormatOutcomeParts) {
    this.parts = parts
  }
}

export const makeFormatOutcome = (parts: FormatOutcomeParts): FormatOutcome => new FormatOutcome(parts)

export const makeAbsentFormatOutcome = (warning: string): FormatOutcome => new FormatOutcome({ warnings: [warning] })

export function outcomeOfModelAnswer<T>(
  answer: ModelAnswer<T>,
  value: unknown = answer.value,
  fields?: FormatOutcomeParts['fields'],
  explained: Readonly<Record<string, unknown>> = {},
): FormatOutcome {
  const { by, usage, warnings, doNotCache } = answer
  return new FormatOutcome({
    value,
    warnings,
    doNotCache,
    steps: [{ by, ...usage, ...explained }],
    ...(fields ? { fields } : {}),
  })
}
