// One conversation with an OpenAI-compatible endpoint: time limits, a few retries of what may pass, JSON by schema where the
// endpoint has that, settings it refuses left out from then on, and every token counted. The AI SDK is loaded with the
// first question.
import { setTimeout as wait } from 'node:timers/promises'
import type { Endpoint, EndpointSettings } from './endpoint.ts'
import { faultOf, ModelFault } from './fault.ts'
import type { JsonSchema, ToolSpec, Usage } from './llm.ts'
import { type Structured, structuredFor } from './strict-schema.ts'
import { withoutThoughts } from './thoughts.ts'
import { type Hold, type TokenCounts, tokensIn } from './tokens.ts'

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

const MAX_TRIES = 3
/** Requests that one question may make, retries and re-asking included. */
const MAX_CALLS = 60
const FIRST_WAIT_MS = 400
const LONGEST_WAIT_MS = 8000
const PROVIDER = 'endpoint'
/** An endpoint that counts so few tokens for so many letters has read only the end of them. */
const MIN_COUNTED_CHARS = 12_000
const MAX_CHARS_PER_TOKEN = 10

/** The model of an endpoint, once the first question is put. */
function opener({ url, model, key }: EndpointSettings) {
  async function load() {
    const [{ generateText, jsonSchema, tool }, { createOpenAICompatible }] = await Promise.all([
      import('ai'),
      import('@ai-sdk/openai-compatible'),
    ])
    const provider = createOpenAICompatible({ name: PROVIDER, baseURL: url, ...(key ? { apiKey: key } : {}) })
    /** Nothing is executed here: what was called is an answer. */
    const toolsOf = (specs: readonly ToolSpec[]) =>
      Object.fromEntries(
        specs.map(({ name, use, slots }) => {
          const schema = { type: 'object', properties: slots, additionalProperties: false }
          return [name, tool({ description: use, inputSchema: jsonSchema(schema as never) })]
        }),
      )
    return { generateText, toolsOf, target: provider.chatModel(model) }
  }
  let loaded: ReturnType<typeof load> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

export function openChat(settings: EndpointSettings, endpoint: Endpoint): Chat {
  const opened = opener(settings)

  async function once(
    system: string,
    messages: readonly ChatMessage[],
    structured: Wanted,
    budget: Budget,
    signal: AbortSignal,
  ): Promise<Reply> {
    const left = budget.endsAt - performance.now()
    if (left <= 0) throw new ModelFault('slow', 'it did not answer in time')
    if (budget.usage.calls >= MAX_CALLS) throw new ModelFault('unusable', 'it was asked too many times')
    const reads = tokensIn(system, ...messages.map(({ content }) => content))
    const hold = await heldFor(reads, budget, signal)
    budget.usage.calls += 1
    const { generateText, target, toolsOf } = await opened()
    const late = AbortSignal.timeout(Math.ceil(left))
    const { takesTemperature, limitField } = endpoint.facts
    const most = Math.min(endpoint.outputTokens(), hold?.writes ?? Number.POSITIVE_INFINITY)
    let used = 0
    try {
      const { text, toolCalls, finishReason, usage } = await generateText({
        model: target,
        system,
        messages: [...messages],
        ...(typeof structured === 'object' && 'tools' in structured ? { tools: toolsOf(structured.tools) } : {}),
        ...(takesTemperature ? { temperature: 0 } : {}),
        ...(limitField === 'max_tokens' ? { maxOutputTokens: most } : {}),
        maxRetries: 0,
        abortSignal: AbortSignal.any([signal, late]),
        providerOptions: {
          [PROVIDER]: {
            ...(limitField === 'max_completion_tokens' ? { max_completion_tokens: most } : {}),
            ...formatFor(structured),
          },
        },
      })
      const { inputTokens = 0, outputTokens = 0 } = usage
      // Some endpoints do not count.
      used = (inputTokens || reads) + (outputTokens || tokensIn(text))
      budget.usage.inputTokens += inputTokens
      budget.usage.outputTokens += outputTokens
      if (finishReason === 'content-filter') throw new ModelFault('unusable', 'it refused to answer')
      const calls = toolCalls.map(({ toolName, input }) => ({ tool: toolName, input: input as unknown }))
      const value = text === '' && calls.length > 0 ? calledInstead(structured, calls) : text
      assertWasRead(messages, inputTokens)
      endpoint.works()
      const wrappedAs = typeof structured === 'object' && 'wrappedAs' in structured ? structured.wrappedAs : undefined
      return { text: withoutThoughts(value), isCut: finishReason === 'length', wrappedAs, calls }
    } catch (error) {
      signal.throwIfAborted()
      // It may have read all of it.
      if (late.aborted) used = reads
      throw late.aborted ? new ModelFault('slow', 'it did not answer in time') : faultOf(error)
    } finally {
      hold?.settle(used)
    }
  }

  return {
    async ask(system, messages, shape, budget, signal) {
      const schema = typeof shape === 'object' && 'schema' in shape ? structuredFor(shape.schema) : undefined
      let followsSchema = true
      const structured = () => {
        if (typeof shape === 'object' && 'tools' in shape) return shape
        if (shape === 'text' || endpoint.facts.json === 'none') return 'text'
        return schema && followsSchema && endpoint.facts.json === 'schema' ? schema : 'object'
      }
      for (let tries = 1; ; tries++) {
        try {
          return await once(system, messages, structured(), budget, signal)
        } catch (error) {
          if (!(error instanceof ModelFault)) throw error
          if (error.kind === 'bad_schema' && followsSchema) {
            followsSchema = false
            continue
          }
          // What was learnt is another request, not another try of the same one.
          if (endpoint.learn(error)) {
            tries -= 1
            continue
          }
          const pause = Math.min(LONGEST_WAIT_MS, error.retryAfterMs ?? FIRST_WAIT_MS * 4 ** (tries - 1))
          if (!error.mayPass || tries >= MAX_TRIES || performance.now() + pause > budget.endsAt) throw error
          await wait(pause, undefined, { signal })
        }
      }
    },
  }
}

/** Room in what the work may use; nothing where nobody counts. */
async function heldFor(reads: number, { tokens }: Budget, signal: AbortSignal): Promise<Hold | undefined> {
  if (!tokens) return undefined
  if (reads > tokens.limits.reads) throw new ModelFault('too_long', 'the page is longer than one request may be')
  const hold = await tokens.hold(reads, signal)
  if (!hold) throw new ModelFault('spent', SPENT)
  return hold
}

export const SPENT = 'the tokens that this run may use are used up'

type Wanted = Structured | 'object' | 'text' | { tools: readonly ToolSpec[] }

function formatFor(wanted: Wanted): { response_format?: never } {
  if (wanted === 'text' || (typeof wanted === 'object' && 'tools' in wanted)) return {}
  if (wanted === 'object') return { response_format: { type: 'json_object' } as never }
  const { strict, schema } = wanted
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict, schema } } as never }
}

/** Some models answer by calling a tool of their own making; what they give it is data like any other answer. */
function calledInstead(wanted: Wanted, calls: Reply['calls']): string {
  if (typeof wanted === 'object' && 'tools' in wanted) return ''
  const [first] = calls
  const fields = typeof wanted === 'object' ? Object.keys((wanted.schema.properties ?? {}) as object) : []
  const isAnswer =
    first?.input !== null &&
    typeof first?.input === 'object' &&
    fields.some((name) => Object.hasOwn(first.input!, name))
  if (!isAnswer) throw new ModelFault('unusable', 'it called a tool, and was offered none')
  return JSON.stringify(first.input)
}

/** Some servers cut what is too long for them and say nothing: then the instructions are what was lost. */
function assertWasRead(messages: readonly ChatMessage[], inputTokens: number): void {
  const chars = messages.reduce((sum, { content }) => sum + content.length, 0)
  if (chars < MIN_COUNTED_CHARS || inputTokens < 256 || chars / inputTokens <= MAX_CHARS_PER_TOKEN) return
  throw new ModelFault('too_long', 'the endpoint read only a part of the page', undefined, inputTokens)
}
