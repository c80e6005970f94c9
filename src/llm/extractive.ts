// No model: every question is answered with what extraction found, and the answer says so. The work itself is done in a
// worker thread by content/ before the question is put.
import { type Ask, type Llm, NO_USAGE, type Told } from './llm.ts'

export const WITHOUT_MODEL =
  'No language model is configured (ORB_LLM_URL, ORB_LLM_MODEL): this was extracted from the page without one.'

/** What extraction found, as an answer; `because` is said first. */
export const asFound = <T>({ found, foundWarnings = [] }: Ask<T>, because: string): Told<T> => ({
  value: found,
  by: 'extractive',
  warnings: [because, ...foundWarnings],
  usage: NO_USAGE,
  fleeting: false,
})

export function extractive(): Llm {
  const found = async <T>(ask: Ask<T>): Promise<Told<T>> => asFound(ask, WITHOUT_MODEL)
  return {
    by: 'extractive',
    name: 'extractive',
    extract: found,
    answer: found,
    summarise: found,
    highlight: found,
    clean: found,
  }
}
