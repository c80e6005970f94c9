// The questions that formats and capabilities put to whoever can answer them: a language model, or what was extracted
// without one. Every question carries the answer that extraction found, made in a worker by pure functions of content/:
// without a model that is the answer, and with one it stands in when the model fails. Texts and facts only, never HTML.

import type { EndpointFacts } from './endpoint.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** Who answered. */
export type By = 'model' | 'extractive'

export interface Usage {
  inputTokens: number
  outputTokens: number
  /** Requests made, failed ones included. */
  calls: number
  /** What they cost, when the operator says what a token does. */
  cost?: number
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, calls: 0 }

/** An answer, and what must be said about it. */
export interface ModelAnswer<T> {
  value: T
  by: By
  /** For the document's `warning`: that extraction stood in, what was left out, what could not be found. */
  warnings: readonly string[]
  usage: Usage
  /** The model was asked and failed: the answer is worth having, and not worth keeping for the next caller. */
  fleeting: boolean
}

/** Where a page is from and when: what it says of dates and links is relative to that. */
export interface PageSource {
  url: string
  /** The day of the visit, as ISO date. */
  visited: string
  title?: string
  description?: string
  published?: string
  modified?: string
}

export interface ModelTask<T> {
  /** The page's text, as markdown; only a model reads it. */
  text(): string
  /** What extraction answers, and the warnings that belong to that answer. */
  found: T
  foundWarnings?: readonly string[]
  source?: PageSource | undefined
}

/** Jobs that are answered in JSON, each with a system prompt of its own. */
export type JsonJob = 'read' | 'act' | 'judge' | 'options' | 'query'

export interface ExtractAsk extends ModelTask<unknown> {
  /** Whose system prompt it is asked under; `read` unless told. */
  job?: JsonJob
  /** The system prompt describes the shape of the answer: the schema is not repeated in words. */
  isSchemaKnown?: boolean
  /** What the answer must look like; undefined: a flat object of the page's main facts. */
  schema: JsonSchema | undefined
  prompt: string | undefined
  /** What the page says of itself in data (JSON-LD and the like), as JSON text. */
  facts?(): string
}

/** A tool that a model may call, by the properties that its call may have. */
export interface ToolSpec {
  name: string
  use: string
  slots: Readonly<Record<string, object>>
}

export interface ChooseAsk extends ModelTask<null> {
  prompt: string
  tools: readonly ToolSpec[]
  /** The same choice as JSON, for an endpoint that calls no tools: an object with `steps`, each with the name of its `tool`. */
  schema: JsonSchema
}

export interface AnswerAsk extends ModelTask<string | null> {
  question: string
  /** Of a long page, the passages nearest to the question, in the page's order. */
  relevant?(): string | undefined
}

export interface HighlightAsk extends ModelTask<readonly string[]> {
  query: string
  relevant?(): string | undefined
}

export interface Llm {
  readonly by: By
  /** Names who answers: a document made by one is not served when another would be asked. */
  readonly name: string
  /** What is known of the model's endpoint; undefined without a model. */
  facts(): Readonly<EndpointFacts> | undefined
  /** The same of the model that reads and chooses, where that is another. */
  smallFacts(): Readonly<EndpointFacts> | undefined
  /** Asks the endpoint what it is. Never throws: what is wrong is in the facts. */
  probe(signal: AbortSignal): Promise<void>
  /** JSON that conforms to the schema; null where the page does not say. */
  extract(ask: ExtractAsk, signal: AbortSignal): Promise<ModelAnswer<unknown>>
  /** Calls of the tools it was offered, as `steps`, or what fits the schema; null: it chose nothing. */
  choose(ask: ChooseAsk, signal: AbortSignal): Promise<ModelAnswer<unknown>>
  /** The answer in words; null when the page does not hold it. */
  answer(ask: AnswerAsk, signal: AbortSignal): Promise<ModelAnswer<string | null>>
  summarise(ask: ModelTask<string | null>, signal: AbortSignal): Promise<ModelAnswer<string | null>>
  /** Passages of the page, verbatim, in its order. */
  highlight(ask: HighlightAsk, signal: AbortSignal): Promise<ModelAnswer<readonly string[]>>
  /** The markdown without what is not content. */
  clean(ask: ModelTask<string>, signal: AbortSignal): Promise<ModelAnswer<string>>
}
