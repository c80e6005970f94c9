// The text of an MCP tool: when to use it, an example and its most used inputs. Agents read the whole list before their
// first call, so cards stay short; other options go into `options`.

export type McpInput = string | Readonly<Record<string, unknown>>

export interface McpCard {
  use: string
  /** When not to use it, and what to use instead. */
  not?: string
  example?: Readonly<Record<string, unknown>>
  /** Most used first. Required inputs need no entry. */
  inputs?: Readonly<Record<string, McpInput>>
}

export type McpCards = Readonly<Record<string, McpCard>>

/** A tool that a team has besides the operations: an operation with some of its inputs given. */
export interface TeamTool {
  name: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] }
  operation: string
  inputs(given: Readonly<Record<string, unknown>>): Record<string, unknown>
}

export const STRINGS = { type: 'array', items: { type: 'string' } }
export const OBJECT = { type: 'object' }
export const PAGE_OPTIONS = {
  type: 'object',
  description: 'Options of scrape for each page, such as {"formats":["markdown"]}',
}
export const PAGED = { limit: 'Most documents in one answer', skip: 'Documents to pass over' }
