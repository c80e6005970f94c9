// Chunks as points of a Qdrant collection, which is created when missing. A password in the address is the API key.
import { createHash } from 'node:crypto'
import type { OpenChunkIndex } from './chunk-index.ts'
import { type PostOptions, postJson } from './post-json.ts'

export const openQdrantChunkIndex: OpenChunkIndex = async (address, dimensions) => {
  const key = decodeURIComponent(address.password)
  const headers: Record<string, string> = key ? { 'api-key': key } : {}
  const collection = `${address.protocol.replace('qdrant+', '')}//${address.host}/collections${address.pathname}`
  const call = <Reply>(path: string, body: unknown, options: PostOptions = {}) =>
    postJson<Reply>(`${collection}${path}`, body, { headers, ...options })
  const { result } = await call<{ result?: unknown }>('', undefined, { method: 'GET', allow: [404] })
  if (!result) {
    const vectors = dimensions ? { size: dimensions, distance: 'Cosine' } : {}
    await call('', { vectors }, { method: 'PUT' })
    await call('/index?wait=true', { field_name: 'url', field_schema: 'keyword' }, { method: 'PUT' })
  }
  return {
    async known(ids) {
      const own = new Map(ids.map((id) => [pointId(id), id]))
      const { result: found } = await call<{ result: { id: string }[] }>('/points', {
        ids: [...own.keys()],
        with_payload: false,
        with_vector: false,
      })
      return new Set(found.flatMap(({ id }) => own.get(id) ?? []))
    },
    async put(chunks, vectors) {
      const points = chunks.map((chunk, at) => ({ id: pointId(chunk.id), vector: vectors?.[at] ?? {}, payload: chunk }))
      await call('/points?wait=true', { points }, { method: 'PUT' })
    },
    async drop(url, except) {
      const must_not = except.length > 0 ? [{ has_id: except.map(pointId) }] : []
      await call('/points/delete?wait=true', { filter: { must: [{ key: 'url', match: { value: url } }], must_not } })
    },
    close: async () => undefined,
  }
}

function pointId(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}
