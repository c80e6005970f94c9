// The MCP tools of crawl.
import { type McpCards, PAGE_OPTIONS, PAGED, STRINGS } from '../mcp-card.ts'

export const mcp: McpCards = {
  crawl: {
    use: 'Download every page of a website or a section, such as documentation, following its links. Then ask crawl_status.',
    not: 'one page (scrape), only the list of URLs (map)',
    example: { url: 'https://example.com/docs', limit: 50 },
    inputs: {
      url: '',
      limit: 'Most pages. Always set it; 10000 by default',
      includePaths: { ...STRINGS, description: 'Regular expressions of paths' },
      excludePaths: STRINGS,
      maxDiscoveryDepth: '',
      crawlEntireDomain: 'Also pages above the start',
      allowSubdomains: '',
      sitemap: '',
      scrapeOptions: PAGE_OPTIONS,
      prompt: 'What to crawl, in words',
    },
  },
  'crawl status': { use: 'Whether a crawl is finished or still running, and its pages.', inputs: PAGED },
  'crawl cancel': { use: 'Stop a running crawl. Its pages stay.' },
}
