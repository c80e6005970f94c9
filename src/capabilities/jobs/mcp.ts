// The MCP tools of jobs.
import type { McpToolDescriptions } from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  jobs: {
    use: 'List recent jobs of every kind: crawls, batches, agent runs.',
    inputs: { kind: '', limit: '' },
  },
  'jobs pages': { use: 'Every page of a crawl or batch: kept, dropped or failed, and why.', inputs: { limit: '' } },
}
