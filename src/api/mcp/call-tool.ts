// Runs a tool call as an internal request to our own routes, with the same keys, limits, prices and errors.

import { setTimeout as wait } from 'node:timers/promises'
import type { CallToolResult, ImageContent } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { TeamMcpTool } from '../../capabilities/mcp-tool-descriptions.ts'
import { findStatusOperation, type Operation } from '../../capabilities/operation.ts'
import { newId } from '../../store/id.ts'
import { isAdmin } from '../../teams/key-rights.ts'
import { makeToolRouteRequest } from './file-input.ts'
import { openLongReplyPager } from './paginate-long-replies.ts'
import { problemToToolError, replyToMcpContent, toolErrorResult, toToolResult } from './tool-results.ts'
import {
  ADMIN_TOOL,
  DO_TOOL,
  describeTool,
  emptyReplyText,
  MORE_TOOLS_TOOL,
  READ_NEXT_PART_TOOL,
  readToolArguments,
  type ToolSet,
  toolNameOf,
  unknownToolMessage,
} from './tools.ts'

/** Beyond these limits only the link is returned. */
const MAX_PICTURES = 4
const MAX_PICTURE_BYTES = 5 * 1024 * 1024

interface CallParts {
  server: FastifyInstance
  clock: Clock
  innerCalls: Map<string, AbortSignal>
  boxFor(request: FastifyRequest): ToolSet
  teamTools(request: FastifyRequest): Promise<TeamMcpTool[]>
}

export type ToolCaller = ReturnType<typeof makeToolCaller>

export function makeToolCaller(parts: CallParts) {
  const { server, clock, boxFor, teamTools } = parts
  const kept = openLongReplyPager(clock)
  const callOperation = makeOperationCaller(parts)

  async function callRoute(
    operation: Operation,
    given: Record<string, unknown>,
    call: McpToolCall,
  ): Promise<CallToolResult> {
    const { outer, signal, progress } = call
    const named = readToolArguments(operation, given)
    const started = await callOperation(operation, named, outer, signal)
    const { statusCode, body, retryAfter } = progress
      ? await waitForJob(operation, started, { operations: boxFor(outer).operations, callOperation, call })
      : started
    if (statusCode >= 400) return problemToToolError(body, retryAfter)
    const { text, pictures } = replyToMcpContent(body)
    const { content } = toToolResult(kept.keep(outer.caller?.teamId ?? '', text || emptyReplyText(operation, named)))
    return { content: [...content, ...(await imagesOf(pictures, server))] }
  }

  /** Runs the first offer for a typed request, and names the second. */
  async function runTypedRequest(
    operation: Operation,
    given: Record<string, unknown>,
    call: McpToolCall,
  ): Promise<CallToolResult> {
    const { statusCode, body, retryAfter } = await callOperation(operation, given, call.outer, call.signal)
    if (statusCode >= 400) return problemToToolError(body, retryAfter)
    const { offers } = JSON.parse(body) as { offers: { operation: string; label: string; body: object }[] }
    const [first, second] = offers
    const meant = first && boxFor(call.outer).operations.get(toolNameOf({ name: first.operation }))
    if (!meant) return toolErrorResult('No tool fits this request: name a URL, or a verb such as scrape or search.')
    const result = await callRoute(meant, { ...first.body }, call)
    const said = `Ran ${toolNameOf(meant)} (${first.label}).${second ? ` Another reading: ${second.operation} ${JSON.stringify(second.body)}` : ''}`
    return { ...result, content: [{ type: 'text', text: said }, ...result.content] }
  }

  function readOn(cursor: unknown, outer: FastifyRequest): CallToolResult {
    const part = kept.more(outer.caller?.teamId ?? '', String(cursor))
    if (part) return toToolResult(part)
    return toolErrorResult('This cursor is unknown or has expired: call the tool that returned it again.')
  }

  async function callTool(
    name: string,
    given: Record<string, unknown>,
    call: McpToolCall,
  ): Promise<CallToolResult | undefined> {
    const { outer } = call
    const box = boxFor(outer)
    if (name === READ_NEXT_PART_TOOL) return readOn(given.cursor, outer)
    if (name === MORE_TOOLS_TOOL || (name === ADMIN_TOOL && isAdmin(outer.caller ?? { rights: [] }))) {
      const { tool, arguments: inner } = given
      const meant = box.operations.get(String(tool))
      if (!meant) return toolErrorResult(unknownToolMessage(String(tool), box))
      if (inner === undefined || inner === null)
        return toToolResult(kept.keep(outer.caller?.teamId ?? '', describeTool(meant)))
      if (typeof inner !== 'object') return toolErrorResult('arguments: must be an object')
      return callRoute(meant, inner as Record<string, unknown>, call)
    }
    const operation = box.operations.get(name)
    if (operation && name === DO_TOOL) return runTypedRequest(operation, given, call)
    if (operation) return callRoute(operation, given, call)
    const own = (await teamTools(outer)).find((tool) => tool.name === name)
    const meant = own && box.operations.get(own.operation)
    return meant && callRoute(meant, own.inputs(given), call)
  }

  return { callTool, callOperation }
}

/** A request to our own route, with the headers of the outer one. */
const makeOperationCaller =
  ({ server, clock, innerCalls, boxFor }: CallParts): CallOperation =>
  async (operation, given, outer, signal) => {
    const { method, path, headers, payload } = await makeToolRouteRequest(operation, given, boxFor(outer).operations)
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
      return {
        statusCode: answer.statusCode,
        body: answer.body,
        retryAfter: answer.headers['retry-after']?.toString(),
      }
    } finally {
      innerCalls.delete(id)
    }
  }

/** Loads inlined pictures and our own media links only; other URLs are ignored. */
async function imagesOf(pictures: readonly string[], server: FastifyInstance): Promise<ImageContent[]> {
  const images: ImageContent[] = []
  for (const picture of pictures.slice(0, MAX_PICTURES)) {
    const carried = /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(picture)
    const path = /\/v2\/media\/[\w.~-]+$/.exec(picture)?.[0]
    if (carried?.[1] && carried[2]) images.push({ type: 'image', mimeType: carried[1], data: carried[2] })
    else if (path) {
      const { statusCode, headers, rawPayload } = await server.inject({ method: 'GET', url: path })
      const mimeType = String(headers['content-type'] ?? '')
      if (statusCode === 200 && mimeType.startsWith('image/') && rawPayload.length <= MAX_PICTURE_BYTES)
        images.push({ type: 'image', mimeType, data: rawPayload.toString('base64') })
    }
  }
  return images
}

const PASSED_ON = ['authorization', 'host', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto']

const passedOn = (headers: FastifyRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

const POLL_MS = 1000

interface McpToolCall {
  outer: FastifyRequest
  signal: AbortSignal
  /** Undefined where the client did not ask for progress. */
  progress?: ((done: number, total: number | undefined, message: string) => Promise<void>) | undefined
}

type RouteReply = { statusCode: number; body: string; retryAfter: string | undefined }

type CallOperation = (
  operation: Operation,
  given: Record<string, unknown>,
  outer: FastifyRequest,
  signal: AbortSignal,
) => Promise<RouteReply>

type WaitContext = { operations: ReadonlyMap<string, Operation>; callOperation: CallOperation; call: McpToolCall }

/** The last status of the job that `started` names; `started` itself where the operation starts none. */
async function waitForJob(
  operation: Operation,
  started: RouteReply,
  { operations, callOperation, call: { outer, signal, progress } }: WaitContext,
): Promise<RouteReply> {
  const all = [...operations.values()]
  const status = findStatusOperation(operation, all)
  const [param] = status?.params ?? []
  if (!status || param === undefined || started.statusCode >= 400) return started
  const { id } = JSON.parse(started.body) as { id?: string }
  if (id === undefined) return started
  for (let polls = 0; ; polls += 1) {
    const reply = await callOperation(status, { [param]: id }, outer, signal)
    const job = reply.statusCode < 400 ? readJobProgress(reply.body) : undefined
    if (!job?.isRunning) return reply
    await progress?.(job.completed ?? polls, job.total, job.message)
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) continue
    const cancel = all.find(({ method, path }) => method === 'DELETE' && path === status.path)
    // The signal of the client has fired: this request needs one of its own.
    if (cancel) await callOperation(cancel, { [param]: id }, outer, new AbortController().signal)
    return reply
  }
}

const RUNNING = new Set(['scraping', 'processing'])

/** Undefined: not a job's status. */
function readJobProgress(body: string) {
  const { status, completed, total } = JSON.parse(body) as { status?: string; completed?: number; total?: number }
  if (status === undefined) return undefined
  const count = completed === undefined || total === undefined ? '' : `: ${completed} of ${total}`
  return { isRunning: RUNNING.has(status), completed, total, message: `${status}${count}` }
}
