// The MCP tools of flows.
import { type McpToolDescriptions, OBJECT_SCHEMA, type TeamMcpTool } from '../mcp-tool-descriptions.ts'
import type { StoredFlow } from './store/index.ts'

export const mcp: McpToolDescriptions = {
  'flow run': {
    use: 'Repeat stored steps in a browser, such as a sign-in and a report, with other values.',
    not: 'steps that are not stored yet (session_prompt)',
    example: { name: 'report', with: { city: 'Ghent' } },
    inputs: { name: '', with: { ...OBJECT_SCHEMA, description: 'Values of the parameters' }, formats: '' },
  },
  'flow list': { use: 'The stored flows with their parameters.' },
}

const MAX_TOOLS = 50

export const makeFlowTools = (flows: readonly StoredFlow[]): TeamMcpTool[] =>
  flows.slice(0, MAX_TOOLS).map(({ name, parameters, steps }) => {
    const [first] = steps
    const site = first?.type === 'open' ? ` at ${first.url.slice(0, 100)}` : ''
    return {
      name: `flow_${name.replace(/-/g, '_')}`,
      description: `Runs the stored flow "${name}" in a browser${site}: ${steps.length} steps, no model.`,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(parameters).map(([one, { default: usual }]) => [
            one,
            { type: 'string', ...(usual === undefined ? {} : { default: usual }) },
          ]),
        ),
        required: Object.keys(parameters).filter((one) => parameters[one]?.default === undefined),
      },
      operation: 'flow_run',
      inputs: (given) => ({ name, with: given }),
    }
  })
