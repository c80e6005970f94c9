// POST /mcp: a stateless MCP server over streamable HTTP, so that any process behind a load balancer can answer. It serves
// revision 2026-07-28 and, for clients that begin with `initialize`, the revisions of 2025.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { once } from '../../base/values.ts'
import type { Capability } from '../../capabilities/capability.ts'
import { deriveOperations } from '../../capabilities/derive-operations.ts'
import type { TeamMcpTool } from '../../capabilities/mcp-tool-descriptions.ts'
import type { AllServices } from '../../capabilities/route.ts'
import { isAdmin } from '../../teams/key-rights.ts'
import { makeToolCaller } from './call-tool.ts'
import { makeMcpServer } from './mcp-server.ts'
import { makeToolSet, type ToolSet } from './tools.ts'

interface McpParts {
  capabilities: readonly Capability[]
  services: AllServices
  clock: Clock
  version: string
  publicUrl?: string | undefined
  innerCalls: Map<string, AbortSignal>
  clientGone(reply: FastifyReply): AbortSignal
}

const MAX_MESSAGES = 20
const loadSdk = once(() => import('@modelcontextprotocol/server'))

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
  const caller = makeToolCaller({ server, clock, innerCalls, boxFor, teamTools })

  const makeServer = async (request: FastifyRequest) =>
    makeMcpServer(
      { request, version, box: boxFor(request), teamTools: await teamTools(request), caller },
      await loadSdk(),
    )

  // The handler of 2026-07-28 keeps no state: the request that it serves comes with each call.
  const modern = once(async (): Promise<McpHttpHandler> => {
    const { createMcpHandler } = await loadSdk()
    return createMcpHandler(({ authInfo }) => makeServer(authInfo?.extra?.request as FastifyRequest), {
      legacy: 'reject',
    })
  })

  async function serveLegacy(request: FastifyRequest, web: Request, gone: AbortSignal): Promise<Response> {
    const { WebStandardStreamableHTTPServerTransport } = await loadSdk()
    const mcp = await makeServer(request)
    // Progress needs a stream; without it one JSON body is simpler for everything between us and the client.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !wantsProgress(request.body) })
    gone.addEventListener('abort', () => void transport.close())
    await mcp.connect(transport)
    return transport.handleRequest(web, { parsedBody: request.body })
  }

  server.post('/mcp', async (request, reply) => {
    assertNotRebound(request, parts.publicUrl)
    if (Array.isArray(request.body) && request.body.length > MAX_MESSAGES)
      throw new Problem('bad_request', { because: `at most ${MAX_MESSAGES} messages may come in one request` })
    const { isLegacyRequest } = await loadSdk()
    const gone = clientGone(reply)
    const web = asWebRequest(request, gone)
    const response = (await isLegacyRequest(web, request.body))
      ? await serveLegacy(request, web, gone)
      : await (await modern()).fetch(web, {
          parsedBody: request.body,
          authInfo: { token: '', clientId: '', scopes: [], extra: { request } },
        })
    return reply
      .code(response.status)
      .headers(Object.fromEntries(response.headers))
      .send(response.body ? Readable.fromWeb(response.body as ReadableStream) : '')
  })

  const refuse = async () => {
    throw new Problem('wrong_method', { because: 'this MCP server keeps no sessions; POST each message' })
  }
  server.get('/mcp', refuse)
  server.delete('/mcp', refuse)
}

const wantsProgress = (body: unknown): boolean =>
  [body]
    .flat()
    .some(
      (message) =>
        (message as { params?: { _meta?: { progressToken?: unknown } } })?.params?._meta?.progressToken !== undefined,
    )

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
      because: `pages of ${origin.slice(0, 200)} may not call /mcp at ${own.host.slice(0, 200)}; set ORB_PUBLIC_URL to the URL of this service`,
    })
}

function asWebRequest({ headers, method, url }: FastifyRequest, signal: AbortSignal): Request {
  const plain = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !name.startsWith(':') ? [[name, value]] : [],
  )
  return new Request(new URL(url, 'http://localhost'), { method, headers: plain, signal })
}
