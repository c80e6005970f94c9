// What an MCP tool tells an agent about itself: when to use it, one example, and the few inputs that most calls need. An
// agent reads the whole list before its first call, so cards stay short; other options go into `options`.

/** An input by its short description ('' where its name is enough), or its JSON Schema. */
export type McpInput = string | Readonly<Record<string, unknown>>

export interface McpCard {
  /** When to use it. */
  use: string
  /** When not to, and what to use instead. */
  not?: string
  example?: Readonly<Record<string, unknown>>
  /** Most used first. Required inputs need no entry. */
  inputs?: Readonly<Record<string, McpInput>>
}

/** Cards by the name of their operation, as `operations.ts` derives it (`crawl status`). */
export type McpCards = Readonly<Record<string, McpCard>>

export const STRINGS = { type: 'array', items: { type: 'string' } }
export const OBJECT = { type: 'object' }
export const PAGE_OPTIONS = {
  type: 'object',
  description: 'Options of scrape for each page, such as {"formats":["markdown"]}',
}
export const PAGED = { limit: 'Most documents in one answer', skip: 'Documents to pass over' }
