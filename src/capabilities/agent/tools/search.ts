// Tool: searches our own index and the configured providers.
import { z } from 'zod'
import { prices } from '../../../base/prices.ts'
import type { SearchAnswer } from '../../../base/search-types.ts'
import { type Goal, siteOf, webSearchQueryOf } from '../derive-goal.ts'
import type { AgentTool } from './agent-tool.ts'

const HITS = 10

export const searchTool: AgentTool<{ query: string }> = {
  name: 'search',
  use: 'Searches the web for the task.',
  input: z.strictObject({ query: z.string().min(1).max(500) }),
  price: () => prices.search.credits,
  visits: () => [],
  // Queries leave the service, so they consist of the caller's words, never of a model's.
  offer: { slots: {}, fill: (_chosen, { goal }) => ({ query: webSearchQueryOf(goal) }) },
  async call({ has, team, goal, input, isAllowed }, signal) {
    const answer = await has.search(input.query, { teamId: team.teamId, limit: HITS }, signal)
    const { warning } = answer
    const links = hitsFor(goal, answer)
      .filter(({ url }) => isAllowed(url))
      .map(({ url, title, description }) => ({ url, text: `${title} ${description}`.slice(0, 300) }))
    return { result: { tool: 'search', links, ...(warning ? { warning } : {}) }, credits: prices.search.credits }
  },
}

/** Hits of our own index alone count only on the caller's sites, or when no provider found anything. */
function hitsFor({ sites }: Goal, { web, asked }: SearchAnswer) {
  if (sites.length > 0) return web.filter(({ url }) => sites.includes(siteOf(url)))
  const isAlone = asked.every(({ name, hits }) => name === 'index' || hits === 0)
  return isAlone ? web : web.filter(({ from }) => from.some((name) => name !== 'index'))
}
