// The MCP tool of typed requests.
import type { McpToolDescriptions } from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  do: {
    use: 'Run a typed request: a verb, a URL and the expected result. Runs the best capability and names the next best.',
    example: { request: 'screenshot of example.com' },
    inputs: { request: '' },
  },
}
