// Runs the formats to make the document's fields. A failing format yields null and a warning; only a Problem ends the
// scrape.

import { problemOfAbort } from '../base/deadline.ts'
import { Problem } from '../base/problem.ts'
import type { Materials } from './formats/format.ts'
import { FormatOutcome, type FormatOutcomeParts } from './formats/format-outcome.ts'
import type { Lesson } from './learnt-extractor.ts'
import type { PreparedMaterials } from './prepare-materials.ts'
import type { ScrapePlan } from './scrape-plan.ts'

interface Produced {
  fields: Record<string, unknown>
  metadata: Record<string, unknown>
  warnings: string[]
  steps: { format: string; [fact: string]: unknown }[]
  doNotCache: boolean
  lessons: Lesson[]
}

export async function produceFields(
  formats: ScrapePlan['formats'],
  { have, digest }: PreparedMaterials,
  signal: AbortSignal,
): Promise<Produced> {
  const ending = new AbortController()
  const together = formats.length > 1 ? AbortSignal.any([signal, ending.signal]) : signal
  const one = async ({ format, options }: ScrapePlan['formats'][number]): Promise<FormatOutcomeParts> => {
    const missing = [...format.needs, format.name].map((need) => digest.failures[need]).find(Boolean)
    try {
      if (missing) throw new Error(missing)
      if (format.read && !Object.hasOwn(digest.reads, format.name)) throw new Error('the file was not opened')
      const read = digest.reads[format.name]
      const made = await format.produce({ ...(have as Materials), read }, options, together)
      return made instanceof FormatOutcome ? made.parts : { value: made }
    } catch (error) {
      if (signal.aborted) throw problemOfAbort(signal)
      if (error instanceof Problem) throw error
      return {
        value: null,
        warnings: [`The format ${format.name} could not be made: ${(error as Error).message}`],
        doNotCache: true,
      }
    }
  }
  try {
    const outcomes = await Promise.all(formats.map(one))
    const all = formats.map(({ format }, n) => ({ format, ...outcomes[n]! }))
    return {
      fields: Object.assign({}, ...all.map(({ format, value, fields }) => ({ [format.field]: value, ...fields }))),
      metadata: Object.assign({}, ...all.map(({ metadata }) => metadata)),
      warnings: [...new Set(all.flatMap(({ warnings = [] }) => warnings))],
      steps: all.flatMap(({ format, steps = [] }) => steps.map((step) => ({ format: format.name, ...step }))),
      doNotCache: all.some(({ doNotCache }) => doNotCache),
      lessons: all.flatMap(({ lesson }) => lesson ?? []),
    }
  } catch (error) {
    // Cancel the other formats. Only then: an abort builds an error with its stack, which costs more than a format.
    ending.abort()
    throw error
  }
}
