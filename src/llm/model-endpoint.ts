// Facts about the model's endpoint: JSON modes, accepted settings, context size.
import { abortAfter } from '../base/abort-after.ts'
import { isObject } from '../base/values.ts'
import { ModelFault, rateLimitText, toModelFault } from './model-fault.ts'

export interface ModelEndpointSettings {
  url: string
  model: string
  key: string | undefined
  contextTokens?: number | undefined
  /** Sends the requests instead of a plain connection, for endpoints that are not the operator's. */
  fetch?: typeof fetch | undefined
}

export interface ModelEndpointFacts {
  model: string
  json: 'schema' | 'object' | 'none'
  limitField: 'max_tokens' | 'max_completion_tokens' | undefined
  takesTemperature: boolean
  tools: boolean
  outputTokens: number
  contextTokens: number | undefined
  /** Why it is unusable now: wrong key, unknown model, unreachable. */
  trouble: string | undefined
  answers: number
  answerMs: number
  writtenTokens: number
}

export type ModelEndpoint = ReturnType<typeof openModelEndpoint>

const OUTPUT_TOKENS = 8192
/** Default piece size when the context window is unknown: about 12,000 tokens. */
const DEFAULT_PIECE_CHARS = 48_000
const SMALLEST_PIECE = 1500
/** Characters per token, a low estimate: non-Latin scripts have fewer. */
const CHARS_PER_TOKEN = 3
const OVERHEAD_TOKENS = 700
/** At the start: a model that answers later is asked again when it is needed. */
const PROBE_MS = 5000
/** A model may take minutes; its server accepts a request at once. */
const FIRST_ANSWER_MS = 10_000
const LONG_PAUSE_MS = 8000
/** Faults that last until an operator fixes them. */
const LASTING_FAULTS = new Set(['key', 'missing', 'down'])

/** Adapts the facts to a fault; true where the request is worth another try as it is. */
const LESSONS: Partial<Record<ModelFault['kind'], (facts: ModelEndpointFacts, fault: ModelFault) => boolean>> = {
  no_json_mode(facts) {
    if (facts.json === 'none') return false
    facts.json = facts.json === 'schema' ? 'object' : 'none'
    return true
  },
  no_limit_field(facts) {
    if (facts.limitField === undefined) return false
    facts.limitField = facts.limitField === 'max_tokens' ? 'max_completion_tokens' : undefined
    return true
  },
  no_temperature(facts) {
    if (!facts.takesTemperature) return false
    facts.takesTemperature = false
    return true
  },
  no_tools(facts) {
    // Not retried as is: the caller has another way.
    facts.tools = false
    return false
  },
  too_much_output(facts, { limit }) {
    const less = lower(limit ?? Math.floor(facts.outputTokens / 2), facts.outputTokens)
    if (less === undefined || less < 64) return false
    facts.outputTokens = less
    return true
  },
  too_long(facts, { limit }) {
    // Not retried as is: the caller cuts the page smaller.
    facts.contextTokens = lower(limit, facts.contextTokens) ?? facts.contextTokens
    return false
  },
}

export function openModelEndpoint({ url, model, key, contextTokens, fetch: send = fetch }: ModelEndpointSettings) {
  const facts: ModelEndpointFacts = {
    model,
    json: 'schema',
    limitField: 'max_tokens',
    takesTemperature: true,
    tools: true,
    outputTokens: OUTPUT_TOKENS,
    contextTokens,
    trouble: undefined,
    answers: 0,
    answerMs: 0,
    writtenTokens: 0,
  }
  let freeAt = 0
  const listModels = makeListRequest(url, key, send)
  const first = openFirstAnswerCheck(listModels)
  const outputTokens = () =>
    facts.contextTokens ? Math.min(facts.outputTokens, Math.floor(facts.contextTokens / 4)) : facts.outputTokens

  return {
    facts,
    /** Adapts to a refusal; false when there is nothing more to try. */
    learn(fault: ModelFault) {
      if (fault.retryAfterMs !== undefined && fault.retryAfterMs > 0) freeAt = performance.now() + fault.retryAfterMs
      if (fault.kind === 'slow') first.hasAnswered(false)
      if (LASTING_FAULTS.has(fault.kind)) facts.trouble = fault.message
      return LESSONS[fault.kind]?.(facts, fault) ?? false
    },
    works(ms: number, writtenTokens: number) {
      facts.trouble = undefined
      first.hasAnswered(true)
      facts.answers += 1
      facts.answerMs += ms
      facts.writtenTokens += writtenTokens
    },
    /** Rejects where the server, not its model, leaves a request without an answer. */
    assertAnswers: first.assert,
    assertFree() {
      const ms = freeAt - performance.now()
      if (ms > LONG_PAUSE_MS) throw new ModelFault('busy', rateLimitText(ms), ms)
    },
    outputTokens,
    pieceChars() {
      if (!facts.contextTokens) return DEFAULT_PIECE_CHARS
      const free = (facts.contextTokens - outputTokens() - OVERHEAD_TOKENS) * CHARS_PER_TOKEN
      return Math.max(SMALLEST_PIECE, free)
    },
    /** Queries the endpoint's model list, without using the model. */
    async probe(signal: AbortSignal) {
      const within = AbortSignal.any([signal, abortAfter(PROBE_MS)])
      try {
        const response = await listModels(within)
        if (response.status === 401 || response.status === 403) throw { statusCode: response.status }
        // Many endpoints have no model list; that is no failure.
        facts.trouble = undefined
        if (response.ok) read(await response.json(), facts, contextTokens === undefined)
        facts.contextTokens ??= await readLocalContext(url, model, send, within)
      } catch (error) {
        if (signal.aborted) return
        const { kind, message } = toModelFault(error)
        facts.trouble = kind === 'slow' ? 'the endpoint does not respond' : message
      }
    },
  }
}

const lower = (limit: number | undefined, now: number | undefined): number | undefined =>
  limit !== undefined && limit > 0 && limit < (now ?? Number.POSITIVE_INFINITY) ? limit : undefined

function makeListRequest(url: string, key: string | undefined, send: typeof fetch) {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
  return (signal: AbortSignal) => send(`${url.replace(/\/$/, '')}/models`, { headers, signal, redirect: 'error' })
}

/** Tells a server that is gone from a model that takes its time: by its list, or any other answer to that request. */
function openFirstAnswerCheck(listModels: (signal: AbortSignal) => Promise<Response>) {
  let known = false
  return {
    hasAnswered(isSo: boolean): void {
      known = isSo
    },
    async assert(signal: AbortSignal): Promise<void> {
      if (known) return
      const late = abortAfter(FIRST_ANSWER_MS)
      const response = await listModels(AbortSignal.any([signal, late])).catch(() => undefined)
      void response?.body?.cancel().catch(() => {})
      signal.throwIfAborted()
      if (late.aborted)
        throw new ModelFault('slow', `the endpoint does not respond: no response within ${FIRST_ANSWER_MS / 1000} s`)
      known = response !== undefined
    },
  }
}

/** Reads our model's entry; servers name its context length in different fields. */
function read(list: unknown, facts: ModelEndpointFacts, mayLearn: boolean): void {
  const { data } = (list ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) return
  const entries = data.filter((one): one is Record<string, unknown> => one !== null && typeof one === 'object')
  const isOurs = ({ id }: Record<string, unknown>) => id === facts.model || id === `${facts.model}:latest`
  const own = entries.find(isOurs)
  if (!own) {
    const names = entries.slice(0, 5).map(({ id }) => String(id).slice(0, 60))
    // Some servers serve one model under any name.
    if (names.length > 1) facts.trouble = `the endpoint lists no model "${facts.model}"; it has ${names.join(', ')}`
    return
  }
  const meta = (own.meta ?? {}) as Record<string, unknown>
  const said = [own.max_model_len, own.context_length, own.context_window, meta.n_ctx].find(
    (length): length is number => typeof length === 'number' && length > 0,
  )
  if (said !== undefined && mayLearn) facts.contextTokens = said
}

/** What both load a model with unless configured; Ollama silently drops the start of a longer text. */
const DEFAULT_CONTEXT = 4096

/** Undefined: another server. Hosted endpoints (https) get no such request. */
export async function readLocalContext(
  url: string,
  model: string,
  send: typeof fetch,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { protocol, origin } = new URL(url)
  if (protocol !== 'http:') return undefined
  const read = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const response = await send(`${origin}${path}`, { ...init, signal, redirect: 'error' }).catch(() => undefined)
    if (!response?.ok) return {}
    const reply: unknown = await response.json().catch(() => undefined)
    return isObject(reply) ? reply : {}
  }
  const { version } = await read('/api/version')
  if (typeof version === 'string') return contextOfOllama(model, read)
  const { max_context_length: most, loaded_context_length: loaded } = await read(
    `/api/v0/models/${encodeURIComponent(model)}`,
  )
  return sizeOf(loaded) ?? (sizeOf(most) === undefined ? undefined : Math.min(sizeOf(most)!, DEFAULT_CONTEXT))
}

async function contextOfOllama(model: string, read: (path: string, body?: object) => Promise<Record<string, unknown>>) {
  const { models } = await read('/api/ps')
  const running = (Array.isArray(models) ? models : []).filter(isObject)
  const own = running.find(({ name }) => name === model || name === `${model}:latest`)
  const loaded = sizeOf(own?.context_length)
  if (loaded !== undefined) return loaded
  const { parameters, model_info: info } = await read('/api/show', { model })
  const set = /^num_ctx\s+(\d+)/m.exec(String(parameters ?? ''))?.[1]
  if (set !== undefined) return Number(set)
  const [, most] = Object.entries(isObject(info) ? info : {}).find(([name]) => name.endsWith('.context_length')) ?? []
  return Math.min(sizeOf(most) ?? DEFAULT_CONTEXT, DEFAULT_CONTEXT)
}

const sizeOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
