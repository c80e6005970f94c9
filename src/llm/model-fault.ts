// Why a model returned no usable response, in words for the caller's warning, and whether a retry can help.

type EndpointFault = 'key' | 'missing' | 'busy' | 'down' | 'slow' | 'spent' | 'refused'
type UnsupportedFault = 'no_json_mode' | 'no_tools' | 'bad_schema' | 'no_limit_field' | 'no_temperature'
type AnswerFault = 'too_long' | 'too_much_output' | 'declined' | 'misfit' | 'unusable'
type FaultKind = EndpointFault | UnsupportedFault | AnswerFault

export class ModelFault extends Error {
  readonly kind: FaultKind
  readonly retryAfterMs: number | undefined
  readonly limit: number | undefined
  constructor(kind: FaultKind, message: string, retryAfterMs?: number, limit?: number) {
    super(message)
    this.name = 'ModelFault'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.limit = limit
  }
  get mayPass(): boolean {
    return this.kind === 'busy' || this.kind === 'down'
  }
}

/** An AI SDK error by its shape, not its class, because the package is loaded late. */
interface CallError {
  statusCode?: number
  responseHeaders?: Record<string, string>
  responseBody?: string
  message?: string
  name?: string
}

export function toModelFault(error: unknown): ModelFault {
  if (error instanceof ModelFault) return error
  const { statusCode, responseHeaders = {}, responseBody = '', message = '', name } = (error ?? {}) as CallError
  const said = `${message} ${responseBody}`.slice(0, 4000)
  const because = message.slice(0, 160)
  if (name === 'AbortError' || name === 'TimeoutError') return new ModelFault('slow', 'it did not respond in time')
  if (statusCode === 401 || statusCode === 403)
    return new ModelFault('key', `the endpoint refused the key (${statusCode}); see ORB_LLM_KEY`)
  if (statusCode === 404 && said.includes('no recorded answer')) return new ModelFault('missing', because)
  if (statusCode === 404)
    return new ModelFault('missing', `the endpoint has no such model or path (404); see ORB_LLM_URL and ORB_LLM_MODEL`)
  if (statusCode === 402 || (statusCode === 429 && /insufficient_quota|billing|credit balance/i.test(said)))
    return new ModelFault('key', `the account at the endpoint has no credit left (${statusCode})`)
  if (statusCode === 429) {
    const pause = retryAfter(responseHeaders)
    return new ModelFault('busy', rateLimitText(pause), pause)
  }
  if (statusCode === 413) return new ModelFault('too_long', 'the page is longer than the model can read')
  const refusal = statusCode !== undefined && statusCode >= 400 ? refusalIn(said, statusCode) : undefined
  if (refusal) return refusal
  if (statusCode !== undefined && statusCode < 300)
    return new ModelFault('down', 'its response broke off or violates the protocol')
  if (statusCode !== undefined && statusCode < 500)
    return new ModelFault('refused', `the endpoint refused the request (${statusCode}: ${because})`)
  return new ModelFault(
    'down',
    statusCode ? `the endpoint failed (${statusCode})` : `the endpoint cannot be reached (${because})`,
    retryAfter(responseHeaders),
  )
}

const UNKNOWN =
  /unsupported|not support|does not support|unrecogni[sz]ed|unknown|extra (?:inputs|fields)|not permitted|not allowed|only the default|unexpected keyword|invalid (?:parameter|argument)/i
const NO_TOOLS =
  /\btools?\b.{0,80}(?:not support|unsupported|requires?|unrecogni[sz]ed|unknown|not permitted|not allowed)|(?:not support|unsupported|unrecogni[sz]ed|unknown|unexpected|extra).{0,60}\btools?\b|tool[_ -]choice|auto-tool/i
const CONTEXT = /context.{0,20}(?:length|window|size)|too (?:long|many tokens)|maximum.{0,30}tokens/i
const CONTEXT_TOKENS = /n_ctx\D{0,12}(\d{3,})|context (?:length|window|size)\D{0,24}(\d{3,})/i

function refusalIn(said: string, status: number): ModelFault | undefined {
  const isRequest = status < 500
  const number = (found: RegExpExecArray | null) => Number(found?.slice(1).find(Boolean)) || undefined
  if (isRequest && /max_(?:completion_)?tokens/i.test(said) && UNKNOWN.test(said) && !/too large|at most/i.test(said))
    return new ModelFault('no_limit_field', 'the endpoint takes no such limit of its answers')
  const output =
    /(?:at most|maximum(?: value)?(?: of| is|:)?|<=?|less than or equal to)\D{0,12}(\d{2,})\D{0,12}(?:completion|output)?/i
  if (isRequest && /max_(?:completion_)?tokens/i.test(said) && !/context/i.test(said) && output.test(said))
    return new ModelFault('too_much_output', 'the endpoint writes less at once', undefined, number(output.exec(said)))
  if (isRequest && /temperature/i.test(said) && UNKNOWN.test(said))
    return new ModelFault('no_temperature', 'the endpoint chooses its temperature itself')
  if (NO_TOOLS.test(said)) return new ModelFault('no_tools', 'the endpoint calls no tools')
  // llama.cpp and Ollama send these with status 500 too.
  if (
    /invalid (?:json )?schema|(?:parse|compile|convert)\w*.{0,30}(?:grammar|schema)|schema.{0,60}(?:not (?:supported|permitted|valid)|unsupported|must be|is required to)/i.test(
      said,
    )
  )
    return new ModelFault('bad_schema', 'the endpoint cannot follow this schema')
  if (isRequest && /response_format|json_object|json_schema|json mode|structured output|guided/i.test(said))
    return new ModelFault('no_json_mode', 'the endpoint has no JSON mode')
  if (!CONTEXT.test(said)) return undefined
  const limit = number(CONTEXT_TOKENS.exec(said))
  return new ModelFault('too_long', 'the page is longer than the model can read', undefined, limit)
}

export const rateLimitText = (pauseMs = 0): string =>
  `the endpoint is rate limited (429)${pauseMs >= 1000 ? ` and wants to be left alone for ${Math.ceil(pauseMs / 1000)} s` : ''}`

function retryAfter(headers: Record<string, string>): number | undefined {
  const said = headers['retry-after']
  if (said === undefined || said.trim() === '') return undefined
  const ms = /^\d+(?:\.\d+)?$/.test(said.trim()) ? Number(said) * 1000 : Date.parse(said) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

const MAX_CHARS = 600

/** "I can't help with that" in the languages in which models decline most. */
const REFUSAL_OPENINGS = [
  /^(?:i['’]?m |i am )?(?:very |so )?sorry\b.{0,40}\b(?:can(?:no|['’])t|cannot|unable|not able|won['’]t)\b/i,
  /^(?:unfortunately,? )?i (?:can(?:no|['’])t|cannot|am unable to|am not able to|won['’]t|must decline)\b/i,
  /^i(?:['’]m| am) (?:unable|not able|not allowed) to\b/i,
  /^as an? (?:ai|large language|language)\b/i,
  /^(?:es )?tut mir leid\b.{0,40}\bkann\b/i,
  /^(?:leider )?(?:ich )?kann ich? ?(?:dabei|ihnen|dir|das|leider)?.{0,20}\bnicht\b/i,
  /^(?:je suis )?désolée?(?!\p{L}).{0,40}\bne (?:peux|puis)\b/iu,
  /^lo siento\b.{0,40}\bno puedo\b/i,
  /^mi dispiace\b.{0,40}\bnon posso\b/i,
]
/** Answers of models whose server cut the page out of the prompt. */
const PAGE_MISSING_ANSWERS = [
  /\b(?:please|could you|can you)\b.{0,40}\b(?:provide|share|paste|send|give)\b.{0,60}\b(?:page|text|content|document|url|link|article)/i,
  /\b(?:no|any|the) (?:web ?page|page|text|content|document|article)\b.{0,30}\b(?:was|were|is|has been) (?:provided|given|included|shared|attached)/i,
  /\bi (?:do not|don['’]t|can(?:no|['’])t|cannot) (?:see|find|have|access|open|browse)\b.{0,30}\b(?:any|the|a|this|that) (?:web ?page|page|text|content|document|url|link|internet)/i,
]

/** A call of a tool, in words, where none was offered. */
const WRITTEN_CALL =
  /^(?:<tool_calls?>|<function=|\[TOOL_CALLS\]|<\|tool|\{\s*"(?:name|tool)"\s*:\s*"[\w-]+"\s*,\s*"(?:arguments|parameters)")/

export function findModelRefusal(text: string): ModelFault | undefined {
  const said = text.trim()
  if (said.length === 0 || said.length > MAX_CHARS) return undefined
  if (WRITTEN_CALL.test(said)) return new ModelFault('unusable', 'it called a tool, although none was offered')
  const opening = said.split('\n', 1)[0]!.slice(0, 200)
  if (PAGE_MISSING_ANSWERS.some((pattern) => pattern.test(opening)))
    return new ModelFault('unusable', `it stated that it did not receive the page: “${quote(opening)}”`)
  if (REFUSAL_OPENINGS.some((pattern) => pattern.test(opening)))
    return new ModelFault('declined', `it refused to answer: “${quote(opening)}”`)
  return undefined
}

const quote = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}…` : text)
