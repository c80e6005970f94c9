// Endpoints as people run them, each with the manners of its server: what it refuses, how it says so, how much it reads. The
// model behind all of them is the same: it knows what stands in the prompt that reached it, and nothing else.
import type { Answer, ChatRequest } from './server.ts'

export interface Dialect {
  name: string
  models: unknown
  script(request: ChatRequest, n: number): Answer
  /** It cannot answer well, and what stands in must say so. */
  isBad: boolean
}

const CHARS_PER_TOKEN = 4
const tokensOf = (request: ChatRequest): number =>
  Math.ceil(request.messages.reduce((sum, { content }) => sum + content.length, 0) / CHARS_PER_TOKEN)
const refuse = (message: string, status = 400, more: object = {}): Answer => ({
  status,
  body: { error: { message, type: 'invalid_request_error', ...more } },
})
const listed = (...models: object[]) => ({ object: 'list', data: models })

/** What a good model says about the page in the prompt: the designer of the customs house, if the prompt names her. */
function knows(request: ChatRequest, seen = request.messages.map(({ content }) => content).join('\n')): string {
  const asked = request.messages.find(({ role }) => role === 'user')?.content ?? ''
  const page = seen.slice(seen.indexOf('<page>'))
  const isThere = page.includes('Eleanor Marsh')
  if (/JSON Schema of the answer/.test(asked) || /What is wrong/.test(asked))
    return JSON.stringify({ designer: isThere ? 'Eleanor Marsh' : null, year: /\b1784\b/.test(page) ? 1784 : null })
  if (/Query: /.test(asked)) {
    const line = /[^.\n]*Eleanor Marsh[^.\n]*\./.exec(page)?.[0]?.trim()
    return JSON.stringify({ passages: line ? [line] : [] })
  }
  if (/Question: /.test(asked)) return isThere ? 'It was designed by Eleanor Marsh.' : 'NOT_ON_THIS_PAGE'
  return isThere ? 'A customs house by Eleanor Marsh.' : 'A page about boats.'
}

/** Every field named, none other allowed: what strict structured output asks of a schema. */
function isStrict(schema: unknown): boolean {
  if (schema === null || typeof schema !== 'object') return true
  if (Array.isArray(schema)) return schema.every(isStrict)
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>
  const isObject = [type].flat().includes('object')
  const names = Object.keys((properties ?? {}) as object)
  const fits =
    !isObject || (additionalProperties === false && names.every((name) => (required as string[])?.includes(name)))
  return fits && Object.values(schema).every(isStrict)
}

/** Keeps the end of what is too long for it, and says nothing. */
const ollama: Dialect = {
  name: 'Ollama',
  models: listed({ id: 'tiny:latest', object: 'model', owned_by: 'library' }),
  isBad: false,
  script(request) {
    const window = 4096
    const all = request.messages.map(({ content }) => content).join('\n')
    const seen = all.slice(-window * CHARS_PER_TOKEN)
    const text =
      tokensOf(request) > window ? knows(request, seen.includes('<page>') ? seen : `<page>${seen}`) : knows(request)
    return { text, promptTokens: Math.min(window, tokensOf(request)) }
  },
}

const vllm: Dialect = {
  name: 'vLLM',
  models: listed({ id: 'tiny', object: 'model', owned_by: 'vllm', max_model_len: 8192 }),
  isBad: false,
  script(request) {
    const input = tokensOf(request)
    const output = request.max_tokens ?? 0
    if (input + output > 8192)
      return refuse(
        `'max_tokens' or 'max_completion_tokens' is too large: ${output}. This model's maximum context length is 8192 tokens and your request has ${input} input tokens (${output} > 8192 - ${input}).`,
      )
    return { text: knows(request), promptTokens: input }
  },
}

const llamaCpp: Dialect = {
  name: 'llama.cpp',
  // It serves its one model under any name.
  models: listed({
    id: '/models/some-file.gguf',
    object: 'model',
    owned_by: 'llamacpp',
    meta: { n_ctx_train: 131072 },
  }),
  isBad: false,
  script(request) {
    const input = tokensOf(request)
    const schema = JSON.stringify(request.response_format?.json_schema?.schema ?? {})
    if (schema.includes('"format"')) return refuse('failed to parse grammar', 400)
    if (input > 4096)
      return refuse('the request exceeds the available context size, try increasing it', 400, {
        type: 'exceed_context_size_error',
        n_prompt_tokens: input,
        n_ctx: 4096,
      })
    return { text: knows(request), promptTokens: input }
  },
}

const openAi: Dialect = {
  name: 'OpenAI',
  models: listed({ id: 'tiny', object: 'model' }, { id: 'other', object: 'model' }),
  isBad: false,
  script(request) {
    if (request.max_tokens !== undefined)
      return refuse(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      )
    if (request.temperature !== undefined)
      return refuse(
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      )
    const format = request.response_format
    if (format?.type === 'json_schema' && format.json_schema?.strict && !isStrict(format.json_schema.schema))
      return refuse("Invalid schema for response_format 'answer': 'additionalProperties' is required to be false.")
    if (format?.type === 'json_object' && !/json/i.test(JSON.stringify(request.messages)))
      return refuse(
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      )
    return { text: knows(request), promptTokens: tokensOf(request) }
  },
}

const reasoning: Dialect = {
  name: 'a reasoning model',
  models: 404,
  isBad: false,
  script: (request, n) => {
    const draft =
      'Let me see. {"designer": "somebody else", "year": 1} could be it, or ["nothing"]. Hmm, NOT_ON_THIS_PAGE?'
    // Some templates open the thought in the prompt, some servers take it out, most do neither.
    if (n % 3 === 0) return `<think>\n${draft}\n</think>\n\n${knows(request)}`
    if (n % 3 === 1) return `${draft}\n</think>\n${knows(request)}`
    return { text: knows(request), reasoning: draft }
  },
}

const noModes: Dialect = {
  name: 'a server without any mode',
  models: 404,
  isBad: false,
  script: (request) => {
    for (const field of ['response_format', 'max_tokens', 'max_completion_tokens', 'temperature'] as const)
      if (request[field] !== undefined)
        return { status: 422, body: { detail: [{ loc: ['body', field], msg: 'Extra inputs are not permitted' }] } }
    return { text: `Sure, here it is:\n\n\`\`\`json\n${knows(request)}\n\`\`\`\n`, promptTokens: tokensOf(request) }
  },
}

const chatty: Dialect = {
  name: 'a model that says what comes to its mind',
  models: 404,
  isBad: true,
  script: () => 'I am a helpful assistant! What would you like to talk about today?',
}

const dreamer: Dialect = {
  name: 'a model that only thinks',
  models: 404,
  isBad: true,
  script: () => ({ text: '<think>Where do I begin? The user wants {"designer": "me"}', finish: 'length' }),
}

const otherKeys: Dialect = {
  name: 'a model that answers another question',
  models: 404,
  isBad: true,
  script: () => '{"weather":"fine","passages_about":"nothing"}',
}

export const dialects: readonly Dialect[] = [
  ollama,
  vllm,
  llamaCpp,
  openAi,
  reasoning,
  noModes,
  chatty,
  dreamer,
  otherKeys,
]
