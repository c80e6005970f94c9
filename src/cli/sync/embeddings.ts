// Vectors of texts, from any endpoint that speaks OpenAI's `/embeddings`. The address is the operator's own.
import { postJson } from './post-json.ts'

export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<number[][]>

interface EmbeddingSettings {
  embeddingsUrl?: string | undefined
  embeddingsModel?: string | undefined
  embeddingsKey?: string | undefined
}

/** Undefined when no endpoint is set: then an index holds text only. */
export function makeEmbedder({ embeddingsUrl, embeddingsModel, embeddingsKey }: EmbeddingSettings): Embed | undefined {
  if (!embeddingsUrl) return undefined
  return async (texts, signal) => {
    const { data } = await postJson<{ data: { index: number; embedding: number[] }[] }>(
      `${embeddingsUrl}/embeddings`,
      { model: embeddingsModel, input: texts },
      { headers: embeddingsKey ? { authorization: `Bearer ${embeddingsKey}` } : {}, signal },
    )
    return [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding)
  }
}
