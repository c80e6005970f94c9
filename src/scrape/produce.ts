// Runs the formats to make the document's fields. A failing format yields null and a warning; only a Problem ends the
// scrape.

import { abortProblem } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import type { Materials } from './formats/format.ts'
import { FormatOutcome, type OutcomeParts } from './formats/outcome.ts'
import type { Prepared } from './materials.ts'
import type { ScrapePlan } from './plan.ts'

interface Produced {
  fields: Record<string, unknown>
  warnings: string[]
  steps: { format: string; [fact: string]: unknown }[]
  fleeting: boolean
}

export async function produce(
  formats: ScrapePlan['formats'],
  { have, digest }: Prepared,
  signal: AbortSignal,
): Promise<Produced> {
  const ending = new AbortController()
  const together = formats.length > 1 ? AbortSignal.any([signal, ending.signal]) : signal
  const one = async ({ format, options }: ScrapePlan['formats'][number]): Promise<OutcomeParts> => {
    const missing = [...format.needs, format.name].map((need) => digest.failures[need]).find(Boolean)
    try {
      if (missing) throw new Error(missing)
      if (format.read && !Object.hasOwn(digest.reads, format.name)) throw new Error('the file was not opened')
      const read = digest.reads[format.name]
      const made = await format.produce({ ...(have as Materials), read }, options, together)
      return made instanceof FormatOutcome ? made.parts : { value: made }
    } catch (error) {
      if (signal.aborted) throw abortProblem(signal)
      if (error instanceof Problem) throw error
      return {
        value: null,
        warnings: [`The format ${format.name} could not be made: ${(error as Error).message}`],
        fleeting: true,
      }
    }
  }
  try {
    const outcomes = await Promise.all(formats.map(one))
    const all = formats.map(({ format }, n) => ({ format, ...outcomes[n]! }))
    return {
      fields: Object.assign({}, ...all.map(({ format, value, fields }) => ({ [format.field]: value, ...fields }))),
      warnings: [...new Set(all.flatMap(({ warnings = [] }) => warnings))],
      steps: all.flatMap(({ format, steps = [] }) => steps.map((step) => ({ format: format.name, ...step }))),
      fleeting: all.some(({ fleeting }) => fleeting),
    }
  } finally {
    // Cancel the other formats when one ends the scrape.
    ending.abort()
  }
}
