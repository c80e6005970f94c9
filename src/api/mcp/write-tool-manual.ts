// Generates docs/mcp.md from the tools (`npm run docs`).

import type { Capability } from '../../capabilities/capability.ts'
import { deriveOperations } from '../../capabilities/derive-operations.ts'
import { LONG_REPLY_LIMITS } from './paginate-long-replies.ts'
import { MORE_TOOLS_TOOL, makeToolSet, READ_NEXT_PART_TOOL } from './tools.ts'

const HTTP_CLIENT = {
  mcpServers: { orbweaver: { url: 'http://localhost:3002/mcp', headers: { Authorization: 'Bearer fc-…' } } },
}
const STDIO_CLIENT = {
  mcpServers: {
    orbweaver: {
      command: 'npx',
      args: ['-y', 'orbweaver', 'mcp'],
      env: { ORB_URL: 'http://localhost:3002', ORB_API_KEY: 'fc-…' },
    },
  },
}

export function writeToolManual(capabilities: readonly Capability[]): string {
  const { tools } = makeToolSet(deriveOperations(capabilities), true)
  const rows = tools.map(({ name, description = '', inputSchema }) => {
    const required = (inputSchema.required ?? []).map((input) => `\`${input}\``).join(', ')
    return `| \`${name}\` | ${description.replaceAll('|', '\\|')} | ${required || '–'} |`
  })
  return [
    'The service is an MCP server: `POST /mcp` (streamable HTTP, without sessions) with the same key as everything else. `orbweaver mcp` is the same on standard input and output, for clients that start a program; it forwards each message to the service.',
    code(HTTP_CLIENT),
    code(STDIO_CLIENT),
    '## Tools',
    `The whole list takes less than 5,000 tokens. Each tool shows the inputs that most calls need; the others go into \`options\`, or beside the rest. The resource \`orbweaver://tools/<name>\` describes all of them; so does \`${MORE_TOOLS_TOOL}\` when it is called without arguments.`,
    'The inputs are the options of the HTTP calls. The limits, restrictions and credits of the key apply to each call. The tool `admin` is shown only to keys with the right `admin`. It reads and changes nothing.',
    ['| Tool | What it does | Needs |', '|---|---|---|', ...rows].join('\n'),
    '## Results',
    `A result is text: the page as markdown, then its metadata as JSON. A screenshot is an image. One message has at most ${LONG_REPLY_LIMITS.partChars} characters; a longer result ends with a cursor, and \`${READ_NEXT_PART_TOOL}\` returns the next part. Remaining parts stay in the memory of that process for ${LONG_REPLY_LIMITS.keepMs / 60_000} minutes: behind a load balancer, send one client to one process. A failure is an error of the tool (\`isError\`) with the text of the API.`,

    '## Protocol',

    'Clients of revision 2026-07-28 send each request on its own, with headers that are checked against its message. Clients that begin with `initialize` get the revisions of 2025. A tool that starts a job (crawl, batch, agent) returns its id. A client that requests progress (`progressToken`) gets progress notifications until the job ends, then its result; cancelling the call cancels the job.',

    'Resources: `orbweaver://tools/{tool}` has the whole input schema of a tool; `resources/templates/list` names those that read one thing by its id, such as `orbweaver://crawl_status/{id}`. Prompts: `research`, `extract` and `watch`.',
    'The released `firecrawl-mcp` works too: set `FIRECRAWL_API_URL` to the URL of this service and `FIRECRAWL_API_KEY` to one of its keys.',
  ].join('\n\n')
}

const code = (value: object): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
