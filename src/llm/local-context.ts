// The context length of a model that Ollama or LM Studio serves, which their OpenAI-compatible lists do not state.
import { isObject } from '../base/values.ts'

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

async function contextOfOllama(
  model: string,
  read: (path: string, body?: object) => Promise<Record<string, unknown>>,
): Promise<number> {
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
