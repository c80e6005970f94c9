// The tool that asks the search: our own index and the providers that are set up.
import { prices } from '../../../base/prices.ts'
import type { AgentTool } from './tool.ts'

const HITS = 10

export const searchTool: AgentTool<{ query: string }> = {
  name: 'search',
  price: prices.search.credits,
  async call({ has, team, input, isAllowed }, signal) {
    const { web, warning } = await has.search(input.query, { teamId: team.teamId, limit: HITS }, signal)
    const links = web
      .filter(({ url }) => isAllowed(url))
      .map(({ url, title, description }) => ({ url, text: `${title} ${description}`.slice(0, 300) }))
    return { result: { tool: 'search', links, ...(warning ? { warning } : {}) }, credits: prices.search.credits }
  },
}
