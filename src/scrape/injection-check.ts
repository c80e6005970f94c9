// Refuses a page that gives orders to a model. What the order says is not repeated: a model may read the error as well.
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
