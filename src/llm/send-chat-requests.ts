// Requests to an OpenAI-compatible endpoint: timeout, retries of transient errors, structured output where supported,
// refused settings dropped for later requests, all tokens counted.
import { setTimeout as wait } from 'node:timers/promises'
import { abortAfter } from '../base/abort-after.ts'
import { pauseDeadlines } from '../base/deadline.ts'
import { currentTraceparent, inSpan } from '../base/spans.ts'
import { once } from '../base/values.ts'
import { askUntilComplete } from './continue-answer.ts'
import type { ToolSpec } from './llm.ts'
import type { ModelEndpoint, ModelEndpointSettings } from './model-endpoint.ts'
import { type ModelExchange, makeReportingFetch } from './model-exchange.ts'
import { ModelFault, toModelFault } from './model-fault.ts'
import { readingStreams } from './model-fetch.ts'
import type { Chat, ChatMessage, ModelReply, RequestBudget } from './model-request-types.ts'
import { type StrictSchema, toStrictSchema } from './strict-schema.ts'
import { estimateTokens } from './token-budget.ts'

interface ChatSettings extends ModelEndpointSettings {
  timeoutMs: number
  onExchange?: ((exchange: ModelExchange) => void) | undefined
}

const MAX_TRIES = 3
/** Requests per question, retries and re-asking included. */
const MAX_REQUESTS_PER_QUESTION = 60
const FIRST_WAIT_MS = 400
/** Longer Retry-After values are not waited for. */
const MAX_RETRY_AFTER_MS = 8000
const PROVIDER = 'endpoint'
/** Above this length, too few counted tokens mean that the endpoint read only the end of the text. */
const MIN_COUNTED_CHARS = 12_000
const MAX_CHARS_PER_TOKEN = 8
/** The same for a count equal to a usual context window (2048 times a power of two): the text filled it. */
const WINDOW_CHARS_PER_TOKEN = 4.5

function opener({ url, model, key, onExchange, fetch: send = fetch }: ChatSettings) {
  async function load() {
    const [{ generateText, jsonSchema, tool }, { createOpenAICompatible }] = await Promise.all([
      import('ai'),
      import('@ai-sdk/openai-compatible'),
    ])
    const provider = createOpenAICompatible({
      name: PROVIDER,
      baseURL: url,
      ...(key ? { apiKey: key } : {}),
      fetch: onExchange ? makeReportingFetch(onExchange, readingStreams(send)) : readingStreams(send),
    })
    /** Tools are not executed here: calls are the response. */
    const toolsOf = (specs: readonly ToolSpec[]) =>
      Object.fromEntries(
        specs.map(({ name, use, slots, optional = [] }) => {
          const required = Object.keys(slots).filter((slot) => !optional.includes(slot))
          const schema = { type: 'object', properties: slots, required }
          return [name, tool({ description: use, inputSchema: jsonSchema(schema as never) })]
        }),
      )
    return { generateText, toolsOf, target: provider.chatModel(model) }
  }
  return once(load)
}

export function openChat(settings: ChatSettings, endpoint: ModelEndpoint): Chat {
  const opened = opener(settings)

  const once: SendOnce = async (system, messages, structured, budget, signal) => {
    const left = Math.min(settings.timeoutMs, budget.endsAt - performance.now())
    if (left <= 0) throw new ModelFault('slow', lateWords(settings))
    endpoint.assertFree()
    if (budget.usage.calls >= MAX_REQUESTS_PER_QUESTION) throw new ModelFault('unusable', 'it was asked too many times')
    await endpoint.assertAnswers(signal)
    const reads = estimateTokens(system, ...messages.map(({ content }) => content))
    const hold = await heldFor(reads, budget, signal)
    budget.usage.calls += 1
    const { generateText, target, toolsOf } = await opened()
    const late = abortAfter(Math.ceil(left))
    // The scrape's deadline is for the page: a model on a CPU takes minutes.
    const goOn = pauseDeadlines()
    const began = performance.now()
    const most = Math.min(endpoint.outputTokens(), hold?.writes ?? Number.POSITIVE_INFINITY)
    let used = 0
    try {
      const { text, toolCalls, finishReason, usage } = await inSpan('model', {}, async () =>
        generateText({
          model: target,
          system,
          messages: [...messages],
          ...(typeof structured === 'object' && 'tools' in structured ? { tools: toolsOf(structured.tools) } : {}),
          ...optionsFor(structured, most, endpoint.facts),
          maxRetries: 0,
          headers: { traceparent: currentTraceparent() },
          abortSignal: AbortSignal.any([signal, late]),
        }),
      )
      const { inputTokens = 0, outputTokens = 0 } = usage
      // Some endpoints do not report usage.
      const [read, written] = [inputTokens || reads, outputTokens || estimateTokens(text)]
      used = read + written
      budget.usage.inputTokens += read
      budget.usage.outputTokens += written
      if (finishReason === 'content-filter') throw new ModelFault('declined', 'it refused to answer')
      const calls = toolCalls.map(({ toolName, input }) => ({ tool: toolName, input: input as unknown }))
      const value = text === '' && calls.length > 0 ? calledInstead(structured, calls) : text
      assertWasRead(messages, inputTokens)
      endpoint.works(performance.now() - began, outputTokens)
      return { text: stripThoughts(value), isCut: finishReason === 'length', wrappedAs: wrapperIn(structured), calls }
    } catch (error) {
      signal.throwIfAborted()
      if (late.aborted) used = reads
      throw late.aborted ? new ModelFault('slow', lateWords(settings)) : toModelFault(error)
    } finally {
      goOn()
      hold?.settle(used)
    }
  }

  return { ask: (...request) => askUntilComplete(sendWithRetries(once, endpoint), request) }
}

type SendOnce = (
  system: string,
  messages: readonly ChatMessage[],
  structured: Wanted,
  budget: RequestBudget,
  signal: AbortSignal,
) => Promise<ModelReply>

const sendWithRetries =
  (once: SendOnce, endpoint: ModelEndpoint): Chat['ask'] =>
  async (system, messages, shape, budget, signal) => {
    const schema = typeof shape === 'object' && 'schema' in shape ? toStrictSchema(shape.schema) : undefined
    let followsSchema = true
    const structuredShapeOf = () => {
      if (typeof shape === 'object' && 'tools' in shape) return shape
      if (shape === 'text' || endpoint.facts.json === 'none') return 'text'
      return schema && followsSchema && endpoint.facts.json === 'schema' ? schema : 'object'
    }
    for (let tries = 1; ; tries++) {
      try {
        return await once(system, messages, structuredShapeOf(), budget, signal)
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error
        if (error.kind === 'bad_schema' && followsSchema) {
          followsSchema = false
          continue
        }
        // A request with corrected settings is not a retry.
        if (endpoint.learn(error)) {
          tries -= 1
          continue
        }
        const pause = error.retryAfterMs ?? FIRST_WAIT_MS * 4 ** (tries - 1)
        const isLate = pause > MAX_RETRY_AFTER_MS || performance.now() + pause > budget.endsAt
        if (!error.mayPass || tries >= MAX_TRIES || isLate) throw error
        const goOn = pauseDeadlines()
        await wait(pause, undefined, { signal }).finally(goOn)
      }
    }
  }

const optionsFor = (wanted: Wanted, most: number, { takesTemperature, limitField }: ModelEndpoint['facts']) => ({
  ...(takesTemperature ? { temperature: 0 } : {}),
  ...(limitField === 'max_tokens' ? { maxOutputTokens: most } : {}),
  providerOptions: {
    [PROVIDER]: {
      ...(limitField === 'max_completion_tokens' ? { max_completion_tokens: most } : {}),
      ...formatFor(wanted),
    },
  },
})

const lateWords = ({ timeoutMs }: ChatSettings): string =>
  `it did not respond in time, within ${Math.round(timeoutMs / 1000)} s (ORB_LLM_TIMEOUT)`

/** Reserves tokens; undefined where there is no limit. */
async function heldFor(reads: number, { tokens }: RequestBudget, signal: AbortSignal) {
  if (!tokens) return undefined
  if (reads > tokens.limits.reads) throw new ModelFault('too_long', 'the page is longer than one request may be')
  const hold = await tokens.hold(reads, signal)
  if (!hold) throw new ModelFault('spent', TOKENS_SPENT_TEXT)
  return hold
}

export const TOKENS_SPENT_TEXT = 'the tokens that this run may use are used up'

const wrapperIn = (wanted: Wanted): string | undefined =>
  typeof wanted === 'object' && 'wrappedAs' in wanted ? wanted.wrappedAs : undefined

type Wanted = StrictSchema | 'object' | 'text' | { tools: readonly ToolSpec[] }

function formatFor(wanted: Wanted): { response_format?: never } {
  if (wanted === 'text' || (typeof wanted === 'object' && 'tools' in wanted)) return {}
  if (wanted === 'object') return { response_format: { type: 'json_object' } as never }
  const { strict, schema } = wanted
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict, schema } } as never }
}

/** Some models answer with an invented tool call; its input is treated as the answer. */
function calledInstead(wanted: Wanted, calls: ModelReply['calls']): string {
  if (typeof wanted === 'object' && 'tools' in wanted) return ''
  const [first] = calls
  const fields = typeof wanted === 'object' ? Object.keys((wanted.schema.properties ?? {}) as object) : []
  const isAnswer =
    first?.input !== null &&
    typeof first?.input === 'object' &&
    fields.some((name) => Object.hasOwn(first.input!, name))
  if (!isAnswer) throw new ModelFault('unusable', 'it called a tool, although none was offered')
  return JSON.stringify(first.input)
}

/** Some servers silently truncate long prompts, and the instructions are lost first. */
function assertWasRead(messages: readonly ChatMessage[], inputTokens: number): void {
  const chars = messages.reduce((sum, { content }) => sum + content.length, 0)
  if (chars < MIN_COUNTED_CHARS || inputTokens < 256) return
  const power = Math.round(Math.log2(inputTokens))
  const isWindow = power >= 11 && Math.abs(inputTokens - 2 ** power) <= 8
  if (chars / inputTokens <= (isWindow ? WINDOW_CHARS_PER_TOKEN : MAX_CHARS_PER_TOKEN)) return
  throw new ModelFault('too_long', 'the endpoint read only a part of the page', undefined, inputTokens)
}

const TAGS = 'think|thinking|thought|thoughts|reasoning|reflection|scratchpad'
const CLOSED = new RegExp(`<(${TAGS})\\b[^>]*>[\\s\\S]*?</\\1\\s*>`, 'gi')
/** Some templates put the opening tag into the prompt, so that only the closing one appears. */
const UNOPENED_THOUGHT = new RegExp(`^[\\s\\S]*</(?:${TAGS})\\s*>`, 'i')
/** Cut off or never closed: all of it is thought. */
const UNCLOSED_THOUGHT = new RegExp(`<(?:${TAGS})\\b[^>]*>[\\s\\S]*$`, 'i')
const FINAL = /<\|channel\|>\s*final[\s\S]*?<\|message\|>([\s\S]*?)(?:<\|(?:end|return|start)\|>|$)/
const CHANNEL = /<\|channel\|>[\s\S]*$/

function stripThoughts(text: string): string {
  const final = FINAL.exec(text)
  if (final) return final[1]!.trim()
  return text
    .replace(CLOSED, '')
    .replace(UNOPENED_THOUGHT, '')
    .replace(UNCLOSED_THOUGHT, '')
    .replace(CHANNEL, '')
    .trim()
}
