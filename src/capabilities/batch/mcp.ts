// The MCP tools of batch.
import { type McpCards, PAGED, STRINGS } from '../mcp-card.ts'

export const mcp: McpCards = {
  batch: {
    use: 'Scrape many addresses from a list you already have, as one job. Then ask batch_status.',
    not: 'one page (scrape), addresses unknown (crawl)',
    example: { urls: ['https://example.com/a', 'https://example.com/b'] },
    inputs: {
      urls: STRINGS,
      formats: { type: 'array', items: {}, description: 'As in scrape' },
      ignoreInvalidURLs: '',
    },
  },
  'batch status': { use: 'How far a batch is, and the pages it has scraped.', inputs: PAGED },
}
