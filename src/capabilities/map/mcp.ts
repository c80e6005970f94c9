// The MCP tools of map.
import type { McpToolDescriptions } from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  map: {
    use: 'List the URLs a website has, quickly and without reading them; with `search` the one page about a topic comes first.',
    not: 'page content (scrape, crawl)',
    example: { url: 'https://example.com', search: 'refunds' },
    inputs: { url: '', search: 'Order by these words', limit: '', includeSubdomains: '', sitemap: '' },
  },
}
