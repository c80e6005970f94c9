// The MCP tools of search.
import { type McpToolDescriptions, SCRAPE_OPTIONS_INPUT_SCHEMA, STRING_LIST_SCHEMA } from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  search: {
    use: 'Search the web for a topic, news or images when you have no URL.',
    not: 'a known page (scrape), research over several steps (agent)',
    example: { query: 'solid state battery 2026', limit: 5 },
    inputs: {
      query: '',
      limit: '',
      sources: { ...STRING_LIST_SCHEMA, description: 'web, news, images' },
      categories: { ...STRING_LIST_SCHEMA, description: 'github, research, pdf, developer' },
      includeDomains: STRING_LIST_SCHEMA,
      excludeDomains: STRING_LIST_SCHEMA,
      tbs: 'qdr:d|w|m|y: the last day, week…',
      country: '',
      scrapeOptions: {
        ...SCRAPE_OPTIONS_INPUT_SCHEMA,
        description: 'Read each hit too, such as {"formats":["markdown"]}',
      },
    },
  },
}
