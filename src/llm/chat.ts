// One conversation with an OpenAI-compatible endpoint: time limits, a few retries of what may pass, JSON mode where the
// endpoint has one, and every token counted. The AI SDK is loaded with the first question.
import { setTimeout as wait } from 'node:timers/promises'
import { faultOf, ModelFault } from './fault.ts'
import type { Usage } from './llm.ts'

export interface Message {
  role: 'user' | 'assistant'
  content: string
}

export interface Reply {
  text: string
  /** The model stopped because it had no room left, not because it was done. */
  isCut: boolean
}

/** What one question to llm/ may use, over all its requests. */
export interface Budget {
  usage: Usage
  endsAt: number
}

export interface Chat {
  ask(
    system: string,
    messages: readonly Message[],
    wantsJson: boolean,
    budget: Budget,
    signal: AbortSignal,
  ): Promise<Reply>
}

export interface ChatSettings {
  url: string
  model: string
  key: string | undefined
}

const MAX_TRIES = 3
/** Requests that one question may make, retries and re-asking included. */
const MAX_CALLS = 40
const MAX_OUTPUT_TOKENS = 8192
const FIRST_WAIT_MS = 400
const LONGEST_WAIT_MS = 8000
const PROVIDER = 'endpoint'

export function openChat({ url, model, key }: ChatSettings): Chat {
  let hasJsonMode = true
  let loaded: Promise<Awaited<ReturnType<typeof load>>> | undefined

  async function load() {
    const [{ generateText }, { createOpenAICompatible }] = await Promise.all([
      import('ai'),
      import('@ai-sdk/openai-compatible'),
    ])
    const provider = createOpenAICompatible({ name: PROVIDER, baseURL: url, ...(key ? { apiKey: key } : {}) })
    return { generateText, target: provider.chatModel(model) }
  }

  async function once(
    system: string,
    messages: readonly Message[],
    wantsJson: boolean,
    budget: Budget,
    signal: AbortSignal,
  ): Promise<Reply> {
    const left = budget.endsAt - performance.now()
    if (left <= 0) throw new ModelFault('slow', 'it did not answer in time')
    if (budget.usage.calls >= MAX_CALLS) throw new ModelFault('unusable', 'it was asked too many times')
    budget.usage.calls += 1
    loaded ??= load()
    const { generateText, target } = await loaded
    const late = AbortSignal.timeout(Math.ceil(left))
    try {
      const { text, finishReason, usage } = await generateText({
        model: target,
        system,
        messages: [...messages],
        temperature: 0,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        maxRetries: 0,
        abortSignal: AbortSignal.any([signal, late]),
        ...(wantsJson && hasJsonMode
          ? { providerOptions: { [PROVIDER]: { response_format: { type: 'json_object' } } } }
          : {}),
      })
      budget.usage.inputTokens += usage.inputTokens ?? 0
      budget.usage.outputTokens += usage.outputTokens ?? 0
      if (finishReason === 'content-filter') throw new ModelFault('unusable', 'it refused to answer')
      if (finishReason === 'tool-calls' && text === '')
        throw new ModelFault('unusable', 'it called a tool, and was offered none')
      return { text, isCut: finishReason === 'length' }
    } catch (error) {
      signal.throwIfAborted()
      throw late.aborted ? new ModelFault('slow', 'it did not answer in time') : faultOf(error)
    }
  }

  return {
    async ask(system, messages, wantsJson, budget, signal) {
      for (let tries = 1; ; tries++) {
        try {
          return await once(system, messages, wantsJson, budget, signal)
        } catch (error) {
          if (!(error instanceof ModelFault)) throw error
          if (error.kind === 'no_json_mode' && hasJsonMode) {
            hasJsonMode = false
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
