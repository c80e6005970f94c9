// Why a model gave no usable answer, in words for the caller's warning, and whether asking again can help.

export type FaultKind =
  | 'key'
  | 'missing'
  | 'busy'
  | 'down'
  | 'slow'
  | 'too_long'
  | 'no_json_mode'
  | 'refused'
  | 'unusable'

export class ModelFault extends Error {
  readonly kind: FaultKind
  /** Milliseconds after which the endpoint wants to be asked again. */
  readonly retryAfterMs: number | undefined
  constructor(kind: FaultKind, message: string, retryAfterMs?: number) {
    super(message)
    this.name = 'ModelFault'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
  get mayPass(): boolean {
    return this.kind === 'busy' || this.kind === 'down'
  }
}

/** What an error of the AI SDK tells; its shape, not its class, since the package is loaded late. */
interface CallError {
  statusCode?: number
  responseHeaders?: Record<string, string>
  responseBody?: string
  message?: string
  name?: string
}

export function faultOf(error: unknown): ModelFault {
  if (error instanceof ModelFault) return error
  const { statusCode, responseHeaders = {}, responseBody = '', message = '', name } = (error ?? {}) as CallError
  const said = `${message} ${responseBody}`.slice(0, 4000)
  const because = message.slice(0, 160)
  if (name === 'AbortError' || name === 'TimeoutError') return new ModelFault('slow', 'it did not answer in time')
  if (statusCode === 401 || statusCode === 403)
    return new ModelFault('key', `the endpoint refused the key (${statusCode}); see ORB_LLM_KEY`)
  if (statusCode === 404)
    return new ModelFault('missing', `the endpoint has no such model or path (404); see ORB_LLM_URL and ORB_LLM_MODEL`)
  if (statusCode === 429)
    return new ModelFault('busy', 'the endpoint is rate limited (429)', retryAfter(responseHeaders))
  if (
    statusCode === 413 ||
    (statusCode === 400 && /context.{0,20}(?:length|window)|too (?:long|many tokens)|maximum.{0,30}tokens/i.test(said))
  )
    return new ModelFault('too_long', 'the page is longer than the model can read')
  if ((statusCode === 400 || statusCode === 422) && /response_format|json_object|json mode/i.test(said))
    return new ModelFault('no_json_mode', 'the endpoint has no JSON mode')
  if (statusCode !== undefined && statusCode < 300)
    return new ModelFault('down', 'its answer broke off, or is not what the protocol says')
  if (statusCode !== undefined && statusCode < 500)
    return new ModelFault('refused', `the endpoint refused the request (${statusCode}: ${because})`)
  return new ModelFault(
    'down',
    statusCode ? `the endpoint failed (${statusCode})` : `the endpoint cannot be reached (${because})`,
    retryAfter(responseHeaders),
  )
}

function retryAfter(headers: Record<string, string>): number | undefined {
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}
