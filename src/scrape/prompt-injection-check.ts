// Refuses a page with a prompt injection. The injected text is not repeated: a model may read the error.
import { Problem } from '../base/problem.ts'
import type { InjectionScanInput } from '../understanding/injection/list-sentences.ts'

export async function assertNoPromptInjection(page: InjectionScanInput): Promise<void> {
  const { findPromptInjection } = await import('../understanding/injection/find-prompt-injection.ts')
  const injection = findPromptInjection(page)
  if (!injection) return
  throw new Problem('prompt_injection', {
    // Not in `error`, which clients compare with the code.
    details: {
      message: `The page ${injection.isHidden ? 'hides' : 'contains'} instructions for a model that reads it for the caller.`,
      place: injection.place,
      score: injection.score,
    },
  })
}
