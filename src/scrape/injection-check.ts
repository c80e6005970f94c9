// Refuses a page with a prompt injection. The injected text is not repeated: a model may read the error.
import { Problem } from '../base/problem.ts'
import type { InjectionSource } from '../understanding/injection/texts.ts'

export async function assertNoInjection(page: InjectionSource): Promise<void> {
  const { findInjection } = await import('../understanding/injection/find.ts')
  const injection = findInjection(page)
  if (!injection) return
  throw new Problem('prompt_injection', {
    because: `the page ${injection.isHidden ? 'hides' : 'holds'} an order to a model that reads it for the caller`,
    details: { place: injection.place, score: injection.score },
  })
}
