// Who answers in this deployment: a model when one is configured, extraction otherwise.
import { extractive } from './extractive.ts'
import type { Llm, PageSource } from './llm.ts'
import { type ModelSettings, openModel } from './model.ts'

export type LlmSettings = Omit<ModelSettings, 'url' | 'model'> & { url: string | undefined; model: string | undefined }

export const openLlm = ({ url, model, ...rest }: LlmSettings): Llm =>
  url !== undefined && model !== undefined ? openModel({ url, model, ...rest }) : extractive()

/** The same, for a caller who has only so much time: a model that takes longer is stood in for. */
export function patient(llm: Llm, patienceMs: number, source?: PageSource): Llm {
  // One deadline for all its questions: they may come one after the other.
  const endsAt = performance.now() + patienceMs
  const more = () => ({ patienceMs: Math.max(1, endsAt - performance.now()), source })
  return {
    ...llm,
    extract: (ask, signal) => llm.extract({ ...more(), ...ask }, signal),
    choose: (ask, signal) => llm.choose({ ...more(), ...ask }, signal),
    answer: (ask, signal) => llm.answer({ ...more(), ...ask }, signal),
    summarise: (ask, signal) => llm.summarise({ ...more(), ...ask }, signal),
    highlight: (ask, signal) => llm.highlight({ ...more(), ...ask }, signal),
    clean: (ask, signal) => llm.clean({ ...more(), ...ask }, signal),
  }
}

/** What was found out about the model, in a sentence for people; nothing without one. */
export function modelNotes(llm: Pick<Llm, 'facts'>): string[] {
  const facts = llm.facts()
  if (!facts || facts.trouble) return []
  const json = { schema: 'JSON by schema', object: 'JSON without a schema', none: 'JSON by asking for it' }[facts.json]
  const reads = facts.contextTokens ? `reads ${facts.contextTokens} tokens` : 'does not say how much it reads'
  const refused = [
    facts.takesTemperature ? '' : 'takes no temperature',
    facts.tools ? '' : 'calls no tools',
    facts.limitField === undefined ? 'takes no limit of its answers' : '',
  ].filter(Boolean)
  return [`The language model ${facts.model} answers with ${json} and ${[reads, ...refused].join(', ')}.`]
}
