// The MCP tools of batch.
import { type McpToolDescriptions, PAGING_INPUTS, STRING_LIST_SCHEMA } from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  batch: {
    use: 'Scrape many URLs (a list of addresses) that you already have, as one job. Then call batch_status.',
    not: 'one page (scrape), unknown URLs (crawl)',
    example: { urls: ['https://example.com/a', 'https://example.com/b'] },
    inputs: {
      urls: STRING_LIST_SCHEMA,
      formats: { type: 'array', items: {}, description: 'As in scrape' },
      ignoreInvalidURLs: '',
    },
  },
  'batch status': { use: 'How far a batch is, and the pages it has scraped.', inputs: PAGING_INPUTS },
}
