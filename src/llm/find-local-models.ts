// Finds model servers on this machine (Ollama, LM Studio, llama.cpp, vLLM and other OpenAI-compatible ones). It reads
// only their model lists.

import { get } from 'node:http'
import { abortAfter } from '../base/abort-after.ts'

export type LocalModel = { url: string; model: string }

const LIST_MS = 800
const MAX_LIST_BYTES = 1_000_000
const MAX_LISTED = 20
const IS_EMBEDDER = /embed|bge-|rerank|whisper/i

/** The models of all responding servers, in the order of `places` (`host:port`). */
export async function findLocalModels(
  places: readonly string[],
  signal: AbortSignal,
  listMs = LIST_MS,
): Promise<LocalModel[]> {
  const found = await Promise.all(
    places.map(async (place): Promise<LocalModel[]> => {
      const url = `http://${place}/v1`
      const within = AbortSignal.any([signal, abortAfter(listMs)])
      try {
        const { data } = JSON.parse(await bodyOf(`${url}/models`, within)) as { data?: { id?: unknown }[] }
        const ids = (data ?? []).flatMap(({ id }) => (typeof id === 'string' && !IS_EMBEDDER.test(id) ? [id] : []))
        return ids.slice(0, MAX_LISTED).map((model) => ({ url, model }))
      } catch {
        return []
      }
    }),
  )
  return found.flat()
}

/** Not by `fetch`: it loads an HTTP client of Node that nothing else here uses, a twentieth of the CPU of every start. */
const bodyOf = (url: string, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent: false, signal }, (response) => {
      if (response.statusCode !== 200) return void request.destroy(new Error(`status ${response.statusCode}`))
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > MAX_LIST_BYTES) request.destroy(new Error('too long'))
      })
      response.on('end', () => resolve(text))
      response.on('error', reject)
    })
    request.on('error', reject)
  })

/** One line for each server. */
export const describeLocalModels = (found: readonly LocalModel[]): string[] =>
  [...new Set(found.map(({ url }) => url))].map((url) => {
    const [first = '', ...others] = found.filter((one) => one.url === url).map(({ model }) => model)
    return `${describe(url, first)}${others.length > 0 ? ` It also has ${others.join(', ')}.` : ''}`
  })

const describe = (url: string, model: string): string =>
  `A language model was found on this machine: ${model} at ${url}. Set ORB_LLM_URL=${url} and ORB_LLM_MODEL=${model} (or ORB_LLM_AUTO=on) to use it for pages; until then, nothing is sent to it.`
