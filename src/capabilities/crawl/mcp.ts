// The MCP tools of crawl.
import {
  type McpToolDescriptions,
  PAGING_INPUTS,
  SCRAPE_OPTIONS_INPUT_SCHEMA,
  STRING_LIST_SCHEMA,
} from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  crawl: {
    use: 'Download every page of a website or a section, such as documentation, following its links. Then ask crawl_status.',
    not: 'one page (scrape), only the list of URLs (map)',
    example: { url: 'https://example.com/docs', limit: 50 },
    inputs: {
      url: '',
      limit: 'Most pages. Always set it; 10000 by default',
      includePaths: { ...STRING_LIST_SCHEMA, description: 'Regular expressions of paths' },
      excludePaths: STRING_LIST_SCHEMA,
      maxDiscoveryDepth: '',
      crawlEntireDomain: 'Also pages above the start',
      allowSubdomains: '',
      sitemap: '',
      routes: '"hash": #/about is a page; "auto": tabs, too',
      scrapeOptions: SCRAPE_OPTIONS_INPUT_SCHEMA,
      prompt: 'What to crawl, in words',
    },
  },
  'crawl status': { use: 'Whether a crawl is finished or still running, and its pages.', inputs: PAGING_INPUTS },
  'crawl cancel': { use: 'Stop a running crawl. Its pages stay.' },
}
