// POST /mcp: a stateless MCP server over streamable HTTP, so that any process behind a load balancer can answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { Capability } from '../../capabilities/capability.ts'
import { deriveOperations } from '../../capabilities/derive-operations.ts'
import type { TeamMcpTool } from '../../capabilities/mcp-tool-descriptions.ts'
import type { Services } from '../../capabilities/route.ts'
import { isAdmin } from '../../teams/key-rights.ts'
import { makeToolCaller } from './call-tool.ts'
import { toolErrorResult } from './tool-results.ts'
import {
  describeTool,
  findToolByUri,
  listToolResources,
  MORE_TOOLS_TOOL,
  makeToolSet,
  READ_NEXT_PART_TOOL,
  type ToolSet,
  unknownToolMessage,
} from './tools.ts'

interface McpParts {
  capabilities: readonly Capability[]
  services: Services
  clock: Clock
  version: string
  publicUrl?: string | undefined
  innerCalls: Map<string, AbortSignal>
  clientGone(reply: FastifyReply): AbortSignal
}

const MAX_MESSAGES = 20

const INSTRUCTIONS =
  'Web data. One page: scrape. Many: batch. A site: crawl, or map for its addresses alone. No address: search; a question ' +
  `over several sites: agent. A file: parse. Changes over time: monitor_create. Long answers: ${READ_NEXT_PART_TOOL}. Rarer options ` +
  `go into \`options\`; ${MORE_TOOLS_TOOL} tells and calls the rest.`

export function addMcpRoute(server: FastifyInstance, parts: McpParts): void {
  const { capabilities, clock, version, innerCalls, clientGone } = parts
  // Created on first use: the schemas take time.
  const boxes = new Map<boolean, ToolSet>()
  const boxFor = ({ caller }: FastifyRequest): ToolSet => {
    const forAdmin = caller !== undefined && isAdmin(caller)
    const box = boxes.get(forAdmin) ?? makeToolSet(deriveOperations(capabilities), forAdmin)
    boxes.set(forAdmin, box)
    return box
  }
  const teamTools = async ({ caller }: FastifyRequest): Promise<TeamMcpTool[]> => {
    if (!caller) return []
    const all = await Promise.all(capabilities.map((one) => one.teamTools(parts.services, caller.teamId)))
    return all.flat()
  }
  const callTool = makeToolCaller({ server, clock, innerCalls, boxFor, teamTools })

  server.post('/mcp', async (request, reply) => {
    assertNotRebound(request, parts.publicUrl)
    if (Array.isArray(request.body) && request.body.length > MAX_MESSAGES)
      throw new Problem('bad_request', { because: `at most ${MAX_MESSAGES} messages may come in one request` })
    const [{ Server }, { WebStandardStreamableHTTPServerTransport }, schemas] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ])
    const { McpError, ErrorCode } = schemas
    const box = boxFor(request)
    const mcp = new Server(
      { name: 'orbweaver', version },
      { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
    )
    mcp.setRequestHandler(schemas.ListToolsRequestSchema, async () => ({
      tools: [
        ...box.tools,
        ...(await teamTools(request)).map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      ],
    }))
    mcp.setRequestHandler(schemas.ListResourcesRequestSchema, () => ({ resources: listToolResources(box) }))
    mcp.setRequestHandler(schemas.ReadResourceRequestSchema, ({ params: { uri } }) => {
      const operation = findToolByUri(uri, box)
      if (!operation)
        throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}; resources/list has them.`)
      return { contents: [{ uri, mimeType: 'application/json', text: describeTool(operation) }] }
    })
    mcp.setRequestHandler(schemas.CallToolRequestSchema, async ({ params }, { signal }) => {
      try {
        const result = await callTool(params.name, params.arguments ?? {}, request, signal)
        if (result) return result
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return toolErrorResult(error.message)
      }
      throw new McpError(ErrorCode.InvalidParams, unknownToolMessage(params.name, box))
    })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    clientGone(reply).addEventListener('abort', () => void transport.close())
    await mcp.connect(transport)
    try {
      const response = await transport.handleRequest(asWebRequest(request), { parsedBody: request.body })
      return await reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(Buffer.from(await response.arrayBuffer()))
    } finally {
      await mcp.close()
    }
  })

  const refuse = async () => {
    throw new Problem('wrong_method', { because: 'this MCP server keeps no sessions; POST each message' })
  }
  server.get('/mcp', refuse)
  server.delete('/mcp', refuse)
}

const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** A page of another site may reach a service of the local network under a name of its own (DNS rebinding). */
function assertNotRebound({ headers, host, protocol }: FastifyRequest, publicUrl: string | undefined): void {
  const { origin } = headers
  if (origin === undefined) return
  const own = new URL(publicUrl ?? `${protocol}://${host}`)
  const isKnown = (name: string) => publicUrl !== undefined || LOCAL.test(name) || /^[\d.]+$|^\[/.test(name)
  const from = URL.canParse(origin) ? new URL(origin) : undefined
  const isLocal = from !== undefined && LOCAL.test(from.hostname)
  if (isLocal && LOCAL.test(own.hostname)) return
  if (from?.host !== own.host || !isKnown(own.hostname))
    throw new Problem('forbidden', {
      because: `pages of ${origin.slice(0, 200)} may not call /mcp at ${own.host.slice(0, 200)}; set ORB_PUBLIC_URL to the address of this service`,
    })
}

function asWebRequest({ headers, method, url }: FastifyRequest): Request {
  const plain = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !name.startsWith(':') ? [[name, value]] : [],
  )
  return new Request(new URL(url, 'http://localhost'), { method, headers: plain })
}
