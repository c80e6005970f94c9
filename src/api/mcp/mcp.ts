// POST /mcp: a Model Context Protocol server over streamable HTTP, without sessions: each request stands for itself, so
// any process behind a load balancer may answer it. A tool call is a request to our own routes from inside, and so meets
// the same keys, limits, prices and errors as one from outside.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../base/problem.ts'
import type { Clock } from '../../base/time.ts'
import type { Capability } from '../../capabilities/capability.ts'
import type { Operation } from '../../capabilities/operation.ts'
import { operationsOf } from '../../capabilities/operations.ts'
import { newId } from '../../store/id.ts'
import { innerRequest } from './file-input.ts'
import { openKeptAnswers } from './kept-answers.ts'
import { agentOperations, asResult, asToolError, READ_ON, toolName, toolsOf, wordsOf } from './tools.ts'

export interface McpParts {
  capabilities: readonly Capability[]
  clock: Clock
  version: string
  /** Calls from inside, by the id of their request: how the routes learn that the agent went away. */
  innerCalls: Map<string, AbortSignal>
  clientGone(reply: FastifyReply): AbortSignal
}

/** Messages in one request; older clients send several at once. */
const MAX_MESSAGES = 20

const INSTRUCTIONS =
  'Web data: scrape a page, crawl or map a site, batch many pages, parse a file. Answers are markdown with the facts ' +
  `as JSON below; long ones come in parts, and \`${READ_ON}\` gets the next.`

export function addMcp(server: FastifyInstance, parts: McpParts): void {
  const { capabilities, clock, version, innerCalls, clientGone } = parts
  const operations = new Map(agentOperations(operationsOf(capabilities)).map((one) => [toolName(one), one]))
  const kept = openKeptAnswers(clock)

  async function callRoute(
    operation: Operation,
    given: Record<string, unknown>,
    outer: FastifyRequest,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const { method, path, headers, payload } = await innerRequest(operation, given, operations)
    const id = newId(clock.now())
    innerCalls.set(id, signal)
    try {
      const answer = await server.inject({
        method,
        url: path,
        ...(outer.socket.remoteAddress ? { remoteAddress: outer.socket.remoteAddress } : {}),
        headers: { ...passedOn(outer.headers), ...headers, 'x-request-id': id },
        ...(payload ? { payload } : {}),
      })
      if (answer.statusCode >= 400) return asToolError(answer.body, answer.headers['retry-after']?.toString())
      return asResult(kept.keep(outer.caller?.teamId ?? '', wordsOf(answer.body)))
    } finally {
      innerCalls.delete(id)
    }
  }

  function readOn(cursor: unknown, outer: FastifyRequest): CallToolResult {
    const part = kept.more(outer.caller?.teamId ?? '', String(cursor))
    if (part) return asResult(part)
    const text = 'This cursor is not known here (any more): call the tool again that gave it.'
    return { isError: true, content: [{ type: 'text', text }] }
  }

  server.post('/mcp', async (request, reply) => {
    if (Array.isArray(request.body) && request.body.length > MAX_MESSAGES)
      throw new Problem('bad_request', { because: `at most ${MAX_MESSAGES} messages may come in one request` })
    // Loaded by the first agent that comes: a service without any need not hold it.
    const [{ Server }, { WebStandardStreamableHTTPServerTransport }, schemas] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ])
    const mcp = new Server({ name: 'orbweaver', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
    mcp.setRequestHandler(schemas.ListToolsRequestSchema, () => ({ tools: toolsOf([...operations.values()]) }))
    mcp.setRequestHandler(schemas.CallToolRequestSchema, async ({ params }, { signal }) => {
      const given = params.arguments ?? {}
      if (params.name === READ_ON) return readOn(given.cursor, request)
      const operation = operations.get(params.name)
      if (!operation)
        throw new schemas.McpError(
          schemas.ErrorCode.InvalidParams,
          `There is no tool "${params.name}". There are ${[...operations.keys(), READ_ON].join(', ')}.`,
        )
      try {
        return await callRoute(operation, given, request, signal)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return { isError: true, content: [{ type: 'text', text: error.message }] }
      }
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

/** What the routes look at: who it is, and where it comes from. */
const PASSED_ON = ['authorization', 'host', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto']

const passedOn = (headers: FastifyRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

function asWebRequest({ headers, method, url }: FastifyRequest): Request {
  const plain = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !name.startsWith(':') ? [[name, value]] : [],
  )
  return new Request(new URL(url, 'http://localhost'), { method, headers: plain })
}
