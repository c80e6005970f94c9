// The MCP tools of extractors.
import type { McpToolDescriptions } from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  'extractor teach': {
    use: 'Learn from one page and its values how to read a site’s other pages without a model.',
    not: 'reading one page once (scrape with json)',
    example: { examples: [{ url: 'https://shop.example/p/1', data: { name: 'Lamp', price: 49 } }] },
    inputs: { examples: '', schema: '', name: '' },
  },
}
