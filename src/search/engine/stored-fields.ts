// The searched fields of a stored document.

export interface StoredDocument {
  metadata: Record<string, unknown>
  markdown?: unknown
  html?: unknown
  rawHtml?: unknown
  summary?: unknown
}

/** For repeated metadata the first value counts. */
export const firstText = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) && typeof value[0] === 'string' ? value[0] : ''
