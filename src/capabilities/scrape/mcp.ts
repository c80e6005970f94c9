// The MCP tools of scrape.
import { type McpToolDescriptions, OBJECT_SCHEMA } from '../mcp-tool-descriptions.ts'

const FORMATS = {
  type: 'array',
  items: {},
  description:
    'markdown (default), html, links, images, screenshot, summary, branding, product, menu, network (JSON that the page fetched), {"type":"json","schema":{…},"prompt":"…"}, {"type":"question","question":"…"}',
}

export const mcp: McpToolDescriptions = {
  scrape: {
    use: 'Read one web page by its URL: its text as markdown, a screenshot, or JSON fields such as price and title by a schema.',
    not: 'several URLs (batch), a whole site (crawl), no URL (search)',
    example: { url: 'https://example.com', formats: ['markdown'] },
    inputs: {
      url: '',
      formats: FORMATS,
      onlyMainContent: 'Without navigation and footer; true by default',
      includeTags: 'CSS selectors to keep',
      excludeTags: 'CSS selectors to drop',
      waitFor: 'ms before reading',
      timeout: 'ms for all',
      mobile: '',
      maxAge: 'ms; 0: do not use the cache',
      actions: {
        type: 'array',
        items: OBJECT_SCHEMA,
        description: 'Steps first: {"type":"click","selector":"…"}, write, press, scroll, wait',
      },
      location: { type: 'object', description: '{"country":"DE","languages":["de"]}' },
    },
  },
}
