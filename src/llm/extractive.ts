// No model: every question is answered with what extraction found, and the answer says so. The work itself is done in a
// worker thread by content/ before the question is put.
import { type Llm, type ModelAnswer, type ModelTask, NO_USAGE } from './llm.ts'

export const WITHOUT_MODEL =
  'No language model is configured (ORB_LLM_URL, ORB_LLM_MODEL): this was extracted from the page without one.'

/** What extraction found, as an answer; `because`, when there is something to say, is said first. */
export const asFound = <T>(
  { found, foundWarnings = [] }: ModelTask<T>,
  because: string | undefined,
): ModelAnswer<T> => ({
  value: found,
  by: 'extractive',
  warnings: [...(because === undefined ? [] : [because]), ...foundWarnings],
  usage: NO_USAGE,
  fleeting: false,
})

/** Nothing was found, or what was found comes with a word of caution. */
const isDoubtful = ({ found, foundWarnings = [] }: ModelTask<unknown>): boolean =>
  foundWarnings.length > 0 || found === null || (Array.isArray(found) && found.length === 0)

export function extractive(): Llm {
  // Said only where a model might have done better: not of every answer that is right.
  const found = async <T>(ask: ModelTask<T>): Promise<ModelAnswer<T>> =>
    asFound(ask, isDoubtful(ask) ? WITHOUT_MODEL : undefined)
  return {
    by: 'extractive',
    name: 'extractive',
    facts: () => undefined,
    smallFacts: () => undefined,
    probe: async () => undefined,
    extract: found,
    choose: found,
    answer: found,
    summarise: found,
    highlight: found,
    clean: found,
  }
}
