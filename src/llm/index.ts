// Who answers in this deployment: a model when one is configured, extraction otherwise.
import { extractive } from './extractive.ts'
import type { Llm } from './llm.ts'
import { type ModelSettings, openModel } from './model.ts'

export type LlmSettings = Omit<ModelSettings, 'url' | 'model'> & { url: string | undefined; model: string | undefined }

export const openLlm = ({ url, model, ...rest }: LlmSettings): Llm =>
  url !== undefined && model !== undefined ? openModel({ url, model, ...rest }) : extractive()

/** The same, for a caller who has only so much time: a model that takes longer is stood in for. */
export const patient = (llm: Llm, patienceMs: number): Llm => ({
  ...llm,
  extract: (ask, signal) => llm.extract({ patienceMs, ...ask }, signal),
  answer: (ask, signal) => llm.answer({ patienceMs, ...ask }, signal),
  summarise: (ask, signal) => llm.summarise({ patienceMs, ...ask }, signal),
  highlight: (ask, signal) => llm.highlight({ patienceMs, ...ask }, signal),
  clean: (ask, signal) => llm.clean({ patienceMs, ...ask }, signal),
})
