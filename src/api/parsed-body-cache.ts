// Caches parsed and validated request bodies by their text. Clients repeat bodies, and parsing and validating one costs
// more than finding the page in the cache.
import { LRUCache } from 'lru-cache'
import { parseJsonBody } from '../base/parse-json-body.ts'
import { isObject } from '../base/values.ts'

/** Longer bodies are rare and seldom sent twice. */
const MAX_CACHED_BODY_CHARS = 2048
const MAX_CACHE_CHARS = 256 * 1024

export type ParsedBodyCache = ReturnType<typeof openParsedBodyCache>

/** `isFrozen`: requests that share a body must not change it; a test that does so fails. */
export function openParsedBodyCache(isFrozen: boolean) {
  const bodies = new LRUCache<string, object>({
    maxSize: MAX_CACHE_CHARS,
    sizeCalculation: (_body, text) => text.length + 1,
  })
  const results = new WeakMap<object, { reader: object; result: unknown }>()
  return {
    /** `mayKeep`: whether the text may stay in memory after its request. */
    read(text: string, mayKeep: (body: unknown) => boolean) {
      const known = bodies.get(text)
      if (known) return known
      const body = parseJsonBody(text)
      if (text.length > MAX_CACHED_BODY_CHARS || !isObject(body) || !mayKeep(body)) return body
      bodies.set(text, isFrozen ? freezeDeeply(body) : body)
      return body
    },
    /** What `validate` returned for this very body and reader before. A body that it refused is validated again. */
    validated<T>(body: unknown, reader: object, validate: () => T): T {
      if (!isObject(body)) return validate()
      const known = results.get(body)
      if (known?.reader === reader) return known.result as T
      const result = validate()
      results.set(body, { reader, result: isFrozen ? freezeDeeply(result) : result })
      return result
    },
  }
}

function freezeDeeply<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) freezeDeeply(inner)
  return Object.freeze(value)
}
