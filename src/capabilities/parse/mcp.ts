// The MCP tools of parse.
import type { McpToolDescriptions } from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  parse: {
    use: 'Read a file or document (PDF, Word, Excel, image, HTML) to markdown with its tables.',
    not: 'web pages (scrape)',
    example: { url: 'https://example.com/paper.pdf' },
    inputs: {
      formats: { type: 'array', items: {}, description: 'As in scrape' },
      parsers: { type: 'array', items: {}, description: '[{"type":"pdf","mode":"fast|auto|ocr","maxPages":10}]' },
    },
  },
}
