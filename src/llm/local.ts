// Finds model servers on this machine (Ollama, LM Studio, llama.cpp, vLLM and other OpenAI-compatible ones). It reads
// only their model lists.

export interface LocalModel {
  /** The base URL, as ORB_LLM_URL takes it. */
  url: string
  model: string
}

const LIST_MS = 800
const MAX_LIST_BYTES = 1_000_000
/** Models that generate no text. */
const IS_EMBEDDER = /embed|bge-|rerank|whisper/i

/** The first model of each responding server, in the order of `places` (`host:port`). */
export async function findLocalModels(places: readonly string[], signal: AbortSignal): Promise<LocalModel[]> {
  const found = await Promise.all(
    places.map(async (place): Promise<LocalModel[]> => {
      const url = `http://${place}/v1`
      const within = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)])
      try {
        const response = await fetch(`${url}/models`, { signal: within, redirect: 'error' })
        const text = response.ok ? await response.text() : ''
        if (text.length > MAX_LIST_BYTES) return []
        const { data } = JSON.parse(text) as { data?: { id?: unknown }[] }
        const ids = (data ?? []).flatMap(({ id }) => (typeof id === 'string' && !IS_EMBEDDER.test(id) ? [id] : []))
        return ids[0] === undefined ? [] : [{ url, model: ids[0] }]
      } catch {
        return []
      }
    }),
  )
  return found.flat()
}

export const offerOf = ({ url, model }: LocalModel): string =>
  `A language model was found on this machine: ${model} at ${url}. Set ORB_LLM_URL=${url} and ORB_LLM_MODEL=${model} (or ORB_LLM_AUTO=on) to have it read pages; nothing is sent to it before.`
