// The MCP tools of monitor.
import { type McpToolDescriptions, OBJECT_SCHEMA } from '../mcp-tool-descriptions.ts'

export const mcp: McpToolDescriptions = {
  'monitor create': {
    use: 'Watch pages, a site or a search on a schedule, and be notified when something changes, such as a price.',
    not: 'reading once (scrape)',
    example: {
      name: 'Price',
      schedule: { text: 'every 30 minutes' },
      targets: [{ type: 'scrape', urls: ['https://example.com/item'] }],
      goal: 'The price changes',
    },
    inputs: {
      name: '',
      schedule: { type: 'object', description: '{"text":"daily at 9am"} or {"cron":"…"}' },
      targets: { type: 'array', items: OBJECT_SCHEMA },
      goal: 'What matters, in words',
      webhook: OBJECT_SCHEMA,
      notification: OBJECT_SCHEMA,
    },
  },
  'monitor list': { use: 'All monitors with their ids.' },
  'monitor history': { use: 'What changed on the pages that a monitor watches, newest first.', inputs: { limit: '' } },
  'monitor run': { use: 'Run the check of a monitor now, before its time.' },
  'monitor delete': { use: 'Delete a monitor: stop watching for good.' },
}
