// The MCP server that answers one request, whichever revision of the protocol it came in.
import type {
  Server as McpServer,
  Resource,
  ResourceTemplateType,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../base/problem.ts'
import type { TeamMcpTool } from '../../capabilities/mcp-tool-descriptions.ts'
import type { Operation } from '../../capabilities/operation.ts'
import type { ToolCaller } from './call-tool.ts'
import { getPrompt, PROMPTS } from './prompts.ts'
import { toolErrorResult } from './tool-results.ts'
import {
  describeTool,
  MORE_TOOLS_TOOL,
  READ_NEXT_PART_TOOL,
  RESOURCE,
  type ToolSet,
  toolNameOf,
  unknownToolMessage,
} from './tools.ts'

/** The lists change with the version of the service and the tools of a team. */
const LIST_CACHE = { ttlMs: 5 * 60_000, cacheScope: 'private' } as const

const INSTRUCTIONS =
  'Web data. One page: scrape. Many: batch. A site: crawl, or map for its URLs only. No URL: search; a question ' +
  `over several sites: agent. A file: parse. Changes over time: monitor_create. Long answers: ${READ_NEXT_PART_TOOL}. Rarer options ` +
  `go into \`options\`; ${MORE_TOOLS_TOOL} describes and calls the rest.`

interface ServedRequest {
  request: FastifyRequest
  version: string
  box: ToolSet
  teamTools: readonly TeamMcpTool[]
  caller: ToolCaller
}

/** The module is loaded by the first request: it takes time and memory that other requests do not need. */
type Sdk = typeof import('@modelcontextprotocol/server')

export function makeMcpServer(
  { request, version, box, teamTools, caller }: ServedRequest,
  { Server, ProtocolError, ProtocolErrorCode, ResourceNotFoundError }: Sdk,
): McpServer {
  const makeInvalidParamsError = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  const mcp = new Server(
    { name: 'orbweaver', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': LIST_CACHE,
        'prompts/list': LIST_CACHE,
        'resources/list': LIST_CACHE,
        'resources/templates/list': LIST_CACHE,
        'server/discover': LIST_CACHE,
      },
    },
  )
  mcp.setRequestHandler('tools/list', () => ({
    tools: [
      ...box.tools,
      ...teamTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }) as Tool),
    ],
  }))
  mcp.setRequestHandler('resources/list', () => ({ resources: listToolResources(box) }))
  mcp.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: listResourceTemplates(box) }))
  mcp.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    const text = await readResource(uri, box, (operation, given) =>
      caller.callOperation(operation, given, request, mcpReq.signal),
    )
    if (text === undefined) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, mimeType: 'application/json', text }] }
  })
  mcp.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }))
  mcp.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = getPrompt(params.name, params.arguments ?? {})
    if (typeof prompt === 'string') throw makeInvalidParamsError(prompt)
    return prompt
  })
  mcp.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    try {
      const result = await caller.callTool(params.name, params.arguments ?? {}, {
        outer: request,
        signal: mcpReq.signal,
        progress: progressOf(mcpReq),
      })
      if (result) return result
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return toolErrorResult(error.message)
    }
    throw makeInvalidParamsError(unknownToolMessage(params.name, box))
  })
  return mcp
}

/** Undefined where the client did not ask for progress. */
function progressOf({ _meta, notify }: ServerContext['mcpReq']) {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress: number, total: number | undefined, message: string) =>
    notify({
      method: 'notifications/progress',
      params: { progressToken, progress, ...(total === undefined ? {} : { total }), message },
    })
}

const ROOT = 'orbweaver://'
const MIME_TYPE = 'application/json'

const listToolResources = ({ operations }: ToolSet): Resource[] =>
  [...operations].map(([name, { summary }]) => ({
    uri: `${RESOURCE}${name}`,
    name,
    description: `${summary}: every option`,
    mimeType: MIME_TYPE,
  }))

/** Reading one thing by its id needs no other input. */
const readsOne = ({ method, params, isAccount }: Operation): boolean =>
  method === 'GET' && params.length === 1 && !isAccount

const listResourceTemplates = ({ operations }: ToolSet): ResourceTemplateType[] =>
  [...operations.values()].filter(readsOne).map((operation) => ({
    uriTemplate: `${ROOT}${toolNameOf(operation)}/{id}`,
    name: toolNameOf(operation),
    description: operation.summary,
    mimeType: MIME_TYPE,
  }))

/** Undefined: there is no such resource. */
async function readResource(
  uri: string,
  { operations }: ToolSet,
  call: (operation: Operation, given: Record<string, unknown>) => Promise<{ statusCode: number; body: string }>,
): Promise<string | undefined> {
  const [, name = '', id = ''] = /^orbweaver:\/\/(\w+)\/([\w.~%-]{1,300})$/.exec(uri) ?? []
  if (uri.startsWith(RESOURCE)) {
    const described = operations.get(id)
    return described && describeTool(described)
  }
  const operation = operations.get(name)
  const [param] = operation?.params ?? []
  if (!operation || !readsOne(operation) || param === undefined) return undefined
  const { statusCode, body } = await call(operation, { [param]: decodeURIComponent(id) })
  return statusCode < 400 ? body : undefined
}
