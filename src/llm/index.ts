// Who answers in this deployment.
import { extractive } from './extractive.ts'
import type { Llm } from './llm.ts'

export const openLlm = (): Llm => extractive()
