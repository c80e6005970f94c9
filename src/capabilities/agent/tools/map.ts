// Tool: lists a site's pages from its sitemaps and the links of its start page.
import { z } from 'zod'
import { prices } from '../../../base/prices.ts'
import { webUrlSchema } from '../../../scrape/scrape-options.ts'
import { webSearchQueryOf } from '../derive-goal.ts'
import { type AgentTool, LINK_NUMBER_SCHEMA, linkSourceShape } from './agent-tool.ts'
import { listSiteLinks } from './list-site-links.ts'

const MAX_LINKS = 200

type MapInput = { url: string; search: string; from?: string | undefined }

export const mapTool: AgentTool<MapInput> = {
  name: 'map',
  use: 'Lists more pages of the site.',
  input: z.strictObject({ url: webUrlSchema, search: z.string(), ...linkSourceShape }),
  price: () => prices.map,
  visits: (input) => [input],
  offer: {
    slots: { link: LINK_NUMBER_SCHEMA },
    fill({ link }, { at, goal }) {
      const where = at(link)
      return where && { ...where, search: webSearchQueryOf(goal) }
    },
  },
  async call({ has, input, isAllowed }, signal) {
    const { links, error } = await listSiteLinks(has, input.url, MAX_LINKS, async () => isAllowed, signal)
    if (error !== undefined && links.length === 0) throw error
    return { result: { tool: 'map', links }, credits: prices.map }
  },
}
