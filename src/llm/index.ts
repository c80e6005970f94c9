// Selects the implementation: a model when configured, extraction otherwise.
import { makeExtractiveLlm } from './extractive-llm.ts'
import type { Llm, PageSource } from './llm.ts'
import { type ModelSettings, openOpenAiCompatibleLlm } from './openai-compatible-llm.ts'

export type LlmSettings = Omit<ModelSettings, 'url' | 'model'> & { url: string | undefined; model: string | undefined }

export const openLlm = ({ url, model, ...rest }: LlmSettings): Llm =>
  url !== undefined && model !== undefined ? openOpenAiCompatibleLlm({ url, model, ...rest }) : makeExtractiveLlm()

export const withPageSource = (llm: Llm, source: PageSource): Llm => ({
  ...llm,
  extract: (ask, signal) => llm.extract({ source, ...ask }, signal),
  answer: (ask, signal) => llm.answer({ source, ...ask }, signal),
  summarise: (ask, signal) => llm.summarise({ source, ...ask }, signal),
  highlight: (ask, signal) => llm.highlight({ source, ...ask }, signal),
  clean: (ask, signal) => llm.clean({ source, ...ask }, signal),
})

export function describeModelEndpoint(llm: Pick<Llm, 'facts'>): string[] {
  const facts = llm.facts()
  if (!facts || facts.trouble) return []
  const json = { schema: 'JSON by schema', object: 'JSON without a schema', none: 'JSON by asking for it' }[facts.json]
  const reads = facts.contextTokens ? `reads ${facts.contextTokens} tokens` : 'does not say how much it reads'
  const refused = [
    facts.takesTemperature ? '' : 'takes no temperature',
    facts.tools ? '' : 'calls no tools',
    facts.limitField === undefined ? 'takes no limit of its answers' : '',
    facts.answers > 0 ? `took ${(facts.answerMs / facts.answers / 1000).toFixed(1)} s an answer so far` : '',
  ].filter(Boolean)
  return [`The language model ${facts.model} answers with ${json} and ${[reads, ...refused].join(', ')}.`]
}
