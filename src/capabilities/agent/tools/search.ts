// Tool: searches our own index and the configured providers.
import { z } from 'zod'
import { prices } from '../../../base/prices.ts'
import { queryOf } from '../goal.ts'
import type { AgentTool } from './tool.ts'

const HITS = 10

export const searchTool: AgentTool<{ query: string }> = {
  name: 'search',
  use: 'Searches the web for what the task names.',
  input: z.strictObject({ query: z.string().min(1).max(500) }),
  price: () => prices.search.credits,
  visits: () => [],
  // Queries leave the service, so they consist of the caller's words, never of a model's.
  offer: { slots: {}, fill: (_chosen, { goal }) => ({ query: queryOf(goal) }) },
  async call({ has, team, input, isAllowed }, signal) {
    const { web, warning } = await has.search(input.query, { teamId: team.teamId, limit: HITS }, signal)
    const links = web
      .filter(({ url }) => isAllowed(url))
      .map(({ url, title, description }) => ({ url, text: `${title} ${description}`.slice(0, 300) }))
    return { result: { tool: 'search', links, ...(warning ? { warning } : {}) }, credits: prices.search.credits }
  },
}
