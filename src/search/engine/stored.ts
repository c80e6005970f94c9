// A document as the service stores it, as far as it is searched.

export interface StoredDocument {
  metadata: Record<string, unknown>
  markdown?: unknown
  html?: unknown
  rawHtml?: unknown
  summary?: unknown
}

/** A page may say a thing several times: its first word counts. */
export const first = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) && typeof value[0] === 'string' ? value[0] : ''
