// The MCP tools of monitor.
import { type McpCards, OBJECT } from '../mcp-card.ts'

export const mcp: McpCards = {
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
      targets: { type: 'array', items: OBJECT },
      goal: 'What matters, in words',
      webhook: OBJECT,
      notification: OBJECT,
    },
  },
  'monitor list': { use: 'The monitors there are, with their ids.' },
  'monitor history': { use: 'What changed on the pages that a monitor watches, newest first.', inputs: { limit: '' } },
  'monitor run': { use: 'Run the check of a monitor now, before its time.' },
  'monitor delete': { use: 'Delete a monitor: stop watching for good.' },
}
