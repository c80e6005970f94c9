// The types of one model request and its response.
import type { JsonSchema, TokenUsage, ToolSpec } from './llm.ts'
import type { TokenBudget } from './token-budget.ts'

export type ChatMessage = { role: 'user' | 'assistant'; content: string }

export interface ModelReply {
  text: string
  /** The model stopped at its length limit. */
  isCut: boolean
  /** The name under which the endpoint wrapped the value. */
  wrappedAs: string | undefined
  calls: readonly { tool: string; input: unknown }[]
}

export type RequestBudget = { usage: TokenUsage; endsAt: number; tokens?: TokenBudget | undefined }

/** The required response: text, any JSON, JSON of this schema, or calls of these tools. */
export type AnswerShape = 'text' | 'json' | { schema: JsonSchema } | { tools: readonly ToolSpec[] }

export interface Chat {
  ask(
    system: string,
    messages: readonly ChatMessage[],
    shape: AnswerShape,
    budget: RequestBudget,
    signal: AbortSignal,
  ): Promise<ModelReply>
}
