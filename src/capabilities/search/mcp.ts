// The MCP tools of search.
import { type McpCards, PAGE_OPTIONS, STRINGS } from '../mcp-card.ts'

export const mcp: McpCards = {
  search: {
    use: 'Search the web for a topic, news or images when you have no address.',
    not: 'a known page (scrape), research over several steps (agent)',
    example: { query: 'solid state battery 2026', limit: 5 },
    inputs: {
      query: '',
      limit: '',
      sources: { ...STRINGS, description: 'web, news, images' },
      categories: { ...STRINGS, description: 'github, research, pdf, developer' },
      includeDomains: STRINGS,
      excludeDomains: STRINGS,
      tbs: 'qdr:d|w|m|y: the last day, week…',
      country: '',
      scrapeOptions: { ...PAGE_OPTIONS, description: 'Read each hit too, such as {"formats":["markdown"]}' },
    },
  },
}
