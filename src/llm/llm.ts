// The questions that formats and capabilities ask a language model. Each carries the extraction result, computed in a
// worker, which is the answer without a model and the fallback when the model fails. Input is text and facts, never
// HTML.

import type { ModelEndpointFacts } from './model-endpoint.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

type By = 'model' | 'extractive'

export type TokenUsage = { inputTokens: number; outputTokens: number; calls: number; cost?: number }

/** Limits what the current key spends, and counts it. */
export interface ModelMeter {
  /** Why nothing more may be spent; undefined: it may. */
  spentText(): Promise<string | undefined>
  count(usage: TokenUsage): void
}

export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, calls: 0 }

/** Undefined: no request was made. */
export function sumModelUsage(all: readonly (Partial<TokenUsage> | undefined)[]): TokenUsage | undefined {
  const sum = all.reduce<TokenUsage>(
    (total, { calls = 0, inputTokens = 0, outputTokens = 0, cost } = {}) => ({
      calls: total.calls + calls,
      inputTokens: total.inputTokens + inputTokens,
      outputTokens: total.outputTokens + outputTokens,
      ...(cost === undefined && total.cost === undefined ? {} : { cost: (total.cost ?? 0) + (cost ?? 0) }),
    }),
    NO_USAGE,
  )
  return sum.calls > 0 ? sum : undefined
}

export interface ModelAnswer<T> {
  value: T
  by: By
  /** For the document's `warning`: fallback used, parts omitted, values not found. */
  warnings: readonly string[]
  usage: TokenUsage
  /** The model failed and the fallback was used: do not cache. */
  doNotCache: boolean
}

/** Source and time of a page: its dates and links are relative to that. */
export interface PageSource {
  url: string
  visited: string
  title?: string
  description?: string
  published?: string
  modified?: string
}

export interface ModelTask<T> {
  text(): string
  found: T
  foundWarnings?: readonly string[]
  source?: PageSource | undefined
}

/** Questions answered in JSON, each with its own system prompt. */
export type JsonPromptKind = 'read' | 'act' | 'judge' | 'options' | 'query' | 'compose'

export interface ExtractTask extends ModelTask<unknown> {
  job?: JsonPromptKind
  /** The system prompt describes the shape already, so the schema is not repeated. */
  isSchemaKnown?: boolean
  schema: JsonSchema | undefined
  prompt: string | undefined
  facts?(): string
}

export interface ToolSpec {
  name: string
  use: string
  slots: Readonly<Record<string, object>>
  /** Of the slots; all others are required. */
  optional?: readonly string[] | undefined
}

export interface ChooseTask extends ModelTask<null> {
  prompt: string
  tools: readonly ToolSpec[]
  /** The same choice as JSON, for an endpoint without tool calls: `steps`, each with its `tool`. */
  schema: JsonSchema
  /** What a choice is answered with when it cannot be done, or asks for more; undefined: it is taken. */
  respond?(choice: unknown): string | undefined
}

export interface AnswerTask extends ModelTask<string | null> {
  question: string
  /** The text is notes on several pages, not a page. */
  isNotes?: true
  /** The page's structured data as JSON text: sizes and prices are often found nowhere else. */
  facts?(): string
  /** Of a long page, the passages nearest to the question, in page order. */
  relevant?(): string | undefined
}

export interface HighlightTask extends ModelTask<readonly string[]> {
  query: string
  relevant?(): string | undefined
}

export interface Llm {
  readonly by: By
  readonly name: string
  facts(): Readonly<ModelEndpointFacts> | undefined
  smallFacts(): Readonly<ModelEndpointFacts> | undefined
  /** Probes the endpoint. Never throws: failures are in the facts. */
  probe(signal: AbortSignal): Promise<void>
  /** JSON that conforms to the schema; null where the page has no value. */
  extract(ask: ExtractTask, signal: AbortSignal): Promise<ModelAnswer<unknown>>
  /** Tool calls as `steps`, or JSON of the schema; null: nothing chosen. */
  choose(ask: ChooseTask, signal: AbortSignal): Promise<ModelAnswer<unknown>>
  /** An answer in words; null when the page does not contain it. */
  answer(ask: AnswerTask, signal: AbortSignal): Promise<ModelAnswer<string | null>>
  summarise(ask: ModelTask<string | null>, signal: AbortSignal): Promise<ModelAnswer<string | null>>
  highlight(ask: HighlightTask, signal: AbortSignal): Promise<ModelAnswer<readonly string[]>>
  clean(ask: ModelTask<string>, signal: AbortSignal): Promise<ModelAnswer<string>>
}
