// The MCP tools of interact.
import type { McpToolDescriptions } from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  interact: {
    use: 'Continue in a page you just scraped: click a button, fill in a form, load more; by `prompt` in words or by `code`.',
    not: 'steps known beforehand (`actions` of scrape), a browser of its own (session_open)',
    example: { id: '<scrape_id>', prompt: 'Click "Load more"' },
    inputs: { jobId: '`scrape_id` of the scrape', prompt: '', code: 'Playwright; `page` is there', language: '' },
  },
  'interact stop': { use: 'Close the page that interact keeps open.' },
  'session open': {
    use: 'Open a browser for a longer task, such as a login; a profile keeps it for next time.',
    not: 'a page you scraped (interact)',
    example: { profile: { name: 'shop' } },
    inputs: { profile: { type: 'object', description: '{"name":"…"}' }, ttl: 'Seconds it lives' },
  },
  'session prompt': { use: 'Run a prompt in an open browser session.' },
  'session run': { use: 'Run Playwright code in an open browser session.', inputs: { code: '', language: '' } },
  'session stop': { use: 'Close a browser session.' },
}
