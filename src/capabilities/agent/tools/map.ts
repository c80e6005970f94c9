// The tool that asks a site what it has: its sitemaps and the links of its start page.
import { z } from 'zod'
import { prices } from '../../../base/prices.ts'
import { deadline } from '../../../base/time.ts'
import { webUrl } from '../../../scrape/options.ts'
import { queryOf } from '../goal.ts'
import type { Link } from '../notebook.ts'
import { type AgentTool, LINK_SLOT, place } from './tool.ts'

const MAX_LINKS = 200
const PATIENCE_MS = 20_000

export interface MapInput {
  url: string
  search: string
  from?: string | undefined
}

export const mapTool: AgentTool<MapInput> = {
  name: 'map',
  use: 'Lists the pages of the site of a link.',
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
  async call({ has, input, isAllowed }, client) {
    const { signal, clear } = deadline(PATIENCE_MS, client)
    const links: Link[] = []
    try {
      const { url } = input
      const question = { url, sitemap: 'include', links: 'page', robots: {}, headers: {}, keptSitemaps: 'use' } as const
      for await (const found of has.site.discover(question, signal)) {
        if (!isAllowed(found.url)) continue
        links.push({ url: found.url, text: found.title ?? '' })
        if (links.length >= MAX_LINKS) break
      }
    } catch (error) {
      if (client.aborted || links.length === 0) throw error
    } finally {
      clear()
    }
    return { result: { tool: 'map', links }, credits: prices.map }
  },
}
