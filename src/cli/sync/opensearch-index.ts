// Chunks as documents of an OpenSearch index, which is created when missing. User and password may stand in the address.

import type { OpenChunkIndex } from './chunk-index.ts'
import { type PostOptions, postJson } from './post-json.ts'

export const openOpenSearchChunkIndex: OpenChunkIndex = async (address, dimensions) => {
  const { username, password } = address
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const headers: Record<string, string> = username
    ? { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
    : {}
  const index = `${address.protocol.replace('opensearch+', '')}//${address.host}${address.pathname}`
  const call = <Reply>(path: string, body: unknown, options: PostOptions = {}) =>
    postJson<Reply>(`${index}${path}`, body, { headers, ...options })
  const { error } = await call<{ error?: unknown }>('', undefined, { method: 'GET', allow: [404] })
  if (error) {
    const vector = dimensions ? { embedding: { type: 'knn_vector', dimension: dimensions } } : {}
    const properties = { url: { type: 'keyword' }, hash: { type: 'keyword' }, text: { type: 'text' }, ...vector }
    const settings = dimensions ? { settings: { 'index.knn': true } } : {}
    await call('', { ...settings, mappings: { properties } }, { method: 'PUT' })
  }
  return {
    async known(ids) {
      const { docs } = await call<{ docs: { _id: string; found?: boolean }[] }>('/_mget?_source=false', { ids })
      return new Set(docs.flatMap(({ _id, found }) => (found ? [_id] : [])))
    },
    async put(chunks, vectors) {
      const lines = chunks.flatMap(({ id, ...chunk }, at) => [
        JSON.stringify({ index: { _id: id } }),
        JSON.stringify({ ...chunk, ...(vectors ? { embedding: vectors[at] } : {}) }),
      ])
      const { errors, items } = await call<{ errors: boolean; items: unknown[] }>(
        '/_bulk?refresh=true',
        `${lines.join('\n')}\n`,
      )
      if (errors) throw new Error(`OpenSearch rejected some chunks: ${JSON.stringify(items).slice(0, 300)}`)
    },
    async drop(url, except) {
      const must_not = except.length > 0 ? [{ ids: { values: except } }] : []
      await call('/_delete_by_query?refresh=true&conflicts=proceed', {
        query: { bool: { filter: [{ term: { url } }], must_not } },
      })
    },
    close: async () => undefined,
  }
}
