// The implementation without a model: every question is answered with the extraction result, computed before in a
// worker thread.
import { type Llm, type ModelAnswer, type ModelTask, NO_USAGE } from './llm.ts'

export const NO_MODEL_WARNING =
  'No language model is configured (ORB_LLM_URL, ORB_LLM_MODEL): this was extracted from the page without one.'

export const answerWithExtraction = <T>(
  { found, foundWarnings = [] }: ModelTask<T>,
  because: string | undefined,
): ModelAnswer<T> => ({
  value: found,
  by: 'extractive',
  warnings: [...(because === undefined ? [] : [because]), ...foundWarnings],
  usage: NO_USAGE,
  doNotCache: false,
})

const isDoubtful = ({ found, foundWarnings = [] }: ModelTask<unknown>): boolean =>
  foundWarnings.length > 0 || found === null || (Array.isArray(found) && found.length === 0)

export function makeExtractiveLlm(): Llm {
  // The hint about a model is added only where one might have done better.
  const answerByExtraction = async <T>(ask: ModelTask<T>): Promise<ModelAnswer<T>> =>
    answerWithExtraction(ask, isDoubtful(ask) ? NO_MODEL_WARNING : undefined)
  return {
    by: 'extractive',
    name: 'extractive',
    facts: () => undefined,
    smallFacts: () => undefined,
    probe: async () => undefined,
    extract: answerByExtraction,
    choose: answerByExtraction,
    answer: answerByExtraction,
    summarise: answerByExtraction,
    highlight: answerByExtraction,
    clean: answerByExtraction,
  }
}
