// The tool that asks a site what it has: its sitemaps and the links of its start page.
import { prices } from '../../../base/prices.ts'
import { deadline } from '../../../base/time.ts'
import type { Link } from '../notebook.ts'
import type { AgentTool } from './tool.ts'

const MAX_LINKS = 200
const PATIENCE_MS = 20_000

export const mapTool: AgentTool<{ url: string }> = {
  name: 'map',
  price: prices.map,
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
