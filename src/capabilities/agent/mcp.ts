// The MCP tools of agent: names, descriptions and inputs.
import { type McpToolDescriptions, STRING_LIST_SCHEMA } from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  agent: {
    use: 'Research a question over several websites without known pages: plans, searches, reads, compares and answers with sources, as JSON by a schema. Then ask agent_status.',
    not: 'one page (scrape), a quick lookup (search)',
    example: { prompt: 'Compare the free plans of Acme and Globex' },
    inputs: {
      prompt: '',
      urls: { ...STRING_LIST_SCHEMA, description: 'Where to begin' },
      schema: { type: 'object', description: 'JSON Schema of the answer' },
      maxCredits: '',
      strictConstrainToURLs: 'Only these pages',
    },
  },
  'agent status': { use: 'Whether the agent has found its answer yet, with its data and sources.' },
  'agent cancel': { use: 'Stop a run of the agent.' },
}
