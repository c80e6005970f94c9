// Tool: lists a site's pages from its sitemaps and the links of its start page.
import { z } from 'zod'
import { prices } from '../../../base/prices.ts'
import { webUrl } from '../../../scrape/options.ts'
import { queryOf } from '../goal.ts'
import { siteLinks } from './site-links.ts'
import { type AgentTool, LINK_SLOT, place } from './tool.ts'

const MAX_LINKS = 200

interface MapInput {
  url: string
  search: string
  from?: string | undefined
}

export const mapTool: AgentTool<MapInput> = {
  name: 'map',
  use: 'Lists more pages of the site.',
  input: z.strictObject({ url: webUrl, search: z.string(), ...place }),
  price: () => prices.map,
  visits: (input) => [input],
  offer: {
    slots: { link: LINK_SLOT },
    fill({ link }, { at, goal }) {
      const where = at(link)
      return where && { ...where, search: queryOf(goal) }
    },
  },
  async call({ has, input, isAllowed }, signal) {
    const { links, error } = await siteLinks(has, input.url, MAX_LINKS, async () => isAllowed, signal)
    if (error !== undefined && links.length === 0) throw error
    return { result: { tool: 'map', links }, credits: prices.map }
  },
}
