// The text of an MCP tool: when to use it, an example and its most used inputs. Agents read the whole list before their
// first call, so cards stay short.

/** Words that describe the input, or a JSON Schema that replaces its own. */
export type McpInputDescription = string | Readonly<Record<string, unknown>>

export interface McpToolDescription {
  use: string
  /** When not to use it, and what to use instead. */
  not?: string
  example?: Readonly<Record<string, unknown>>
  /** Most used first. Required inputs need no entry. */
  inputs?: Readonly<Record<string, McpInputDescription>>
}

export type McpToolDescriptions = Readonly<Record<string, McpToolDescription>>

/** A tool that a team has besides the operations: an operation with some of its inputs given. */
export interface TeamMcpTool {
  name: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] }
  operation: string
  inputs(given: Readonly<Record<string, unknown>>): Record<string, unknown>
}

export const STRING_LIST_SCHEMA = { type: 'array', items: { type: 'string' } }
export const OBJECT_SCHEMA = { type: 'object' }
export const SCRAPE_OPTIONS_INPUT_SCHEMA = {
  type: 'object',
  description: 'Options of scrape for each page, such as {"formats":["markdown"]}',
}
export const PAGING_INPUTS = { limit: 'Maximum documents in one response', skip: 'Documents to pass over' }
