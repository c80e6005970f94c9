// Bodies of documents that were answered from the cache lately: SQLite takes longer to copy one than for all else that a
// cache hit reads.
import { LRUCache } from 'lru-cache'
import { toBuffer } from './tables.ts'

const MAX_CACHE_BYTES = 8 * 1024 * 1024
const MAX_BODY_BYTES = 512 * 1024

/** Changes whenever a body is overwritten. */
interface DocumentVersion {
  documentId: string
  keepUntil: number
  bytes: number
}

export interface DocumentBodyCache {
  /** Callers share the bytes and must not change them. */
  read(version: DocumentVersion, load: () => Promise<{ body: Uint8Array } | undefined>): Promise<Uint8Array | undefined>
  /** After deletions: what is deleted must not stay in memory. */
  clear(): void
}

export function openDocumentBodyCache(): DocumentBodyCache {
  const kept = new LRUCache<string, { keepUntil: number; body: Uint8Array }>({
    maxSize: MAX_CACHE_BYTES,
    maxEntrySize: MAX_BODY_BYTES,
    sizeCalculation: ({ body }) => body.byteLength + 1,
  })
  return {
    async read({ documentId, keepUntil, bytes }, load) {
      const known = kept.get(documentId)
      if (known?.keepUntil === keepUntil && known.body.byteLength === bytes) return known.body
      const found = await load()
      if (!found) return undefined
      const body = toBuffer(found.body)
      kept.set(documentId, { keepUntil, body })
      return body
    },
    clear: () => kept.clear(),
  }
}
