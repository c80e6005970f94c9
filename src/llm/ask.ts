// What goes to a model and what comes back, for one request.
import type { JsonSchema, ToolSpec, Usage } from './llm.ts'
import type { TokenCounts } from './tokens.ts'

export interface ChatMessage {
  role: 'user' | 'assistant'
  content: string
}

export interface Reply {
  text: string
  /** The model stopped because it had no room left, not because it was done. */
  isCut: boolean
  /** Under which name the endpoint was made to wrap the value. */
  wrappedAs: string | undefined
  /** Tools that it called. */
  calls: readonly { tool: string; input: unknown }[]
}

/** What one question to llm/ may use, over all its requests. */
export interface Budget {
  usage: Usage
  endsAt: number
  /** What the work that it belongs to may use over all its questions. */
  tokens?: TokenCounts | undefined
}

/** What an answer must be: text, any JSON, JSON of this shape, or calls of these tools. */
export type AnswerShape = 'text' | 'json' | { schema: JsonSchema } | { tools: readonly ToolSpec[] }

export interface Chat {
  ask(
    system: string,
    messages: readonly ChatMessage[],
    shape: AnswerShape,
    budget: Budget,
    signal: AbortSignal,
  ): Promise<Reply>
}
