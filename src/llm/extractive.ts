// The implementation without a model: every question is answered with the extraction result, computed before in a
// worker thread.
import { type Llm, type ModelAnswer, type ModelTask, NO_USAGE } from './llm.ts'

export const WITHOUT_MODEL =
  'No language model is configured (ORB_LLM_URL, ORB_LLM_MODEL): this was extracted from the page without one.'

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

/** Nothing was found, or the result has warnings. */
const isDoubtful = ({ found, foundWarnings = [] }: ModelTask<unknown>): boolean =>
  foundWarnings.length > 0 || found === null || (Array.isArray(found) && found.length === 0)

export function extractive(): Llm {
  // The hint about a model is added only where one might have done better.
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
