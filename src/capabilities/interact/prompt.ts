// Who does what words say in a session: a model, where there is one.
import { Problem } from '../../base/problem.ts'
import type { Llm } from '../../llm/llm.ts'
import type { Prompter } from './interact.ts'

export function openPrompter(_llm: Llm): Prompter {
  return async () => {
    throw new Problem('not_offered', { because: 'prompts' })
  }
}
