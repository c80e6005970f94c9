// The MCP tool of typed requests.
import type { McpToolDescriptions } from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  do: {
    use: 'Do what a user typed: a verb, an address and what is wanted. Runs the capability that fits; says which others would.',
    example: { request: 'screenshot of example.com' },
    inputs: { request: '' },
  },
}
