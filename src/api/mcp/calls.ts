// Runs a tool call as an internal request to our own routes, with the same keys, limits, prices and errors.
import type { CallToolResult, ImageContent } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { TeamTool } from '../../capabilities/mcp-card.ts'
import type { Operation } from '../../capabilities/operation.ts'
import { newId } from '../../store/id.ts'
import { isAdmin } from '../../teams/rights.ts'
import { asResult, asToolError, failed, wordsOf } from './answers.ts'
import { innerRequest } from './file-input.ts'
import { openKeptAnswers } from './kept-answers.ts'
import { ADMIN, argumentsOf, describeTool, doneText, MORE, noSuchTool, READ_ON, type ToolBox } from './tools.ts'

/** Beyond these limits only the link is returned. */
const MAX_PICTURES = 4
const MAX_PICTURE_BYTES = 5 * 1024 * 1024

interface CallParts {
  server: FastifyInstance
  clock: Clock
  innerCalls: Map<string, AbortSignal>
  boxFor(request: FastifyRequest): ToolBox
  teamTools(request: FastifyRequest): Promise<TeamTool[]>
}

type CallTool = (
  name: string,
  given: Record<string, unknown>,
  outer: FastifyRequest,
  signal: AbortSignal,
) => Promise<CallToolResult | undefined>

export function toolCalls({ server, clock, innerCalls, boxFor, teamTools }: CallParts): CallTool {
  const kept = openKeptAnswers(clock)

  async function callRoute(
    operation: Operation,
    given: Record<string, unknown>,
    outer: FastifyRequest,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const named = argumentsOf(operation, given)
    const { method, path, headers, payload } = await innerRequest(operation, named, boxFor(outer).operations)
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
      const { text, pictures } = wordsOf(answer.body)
      const { content } = asResult(kept.keep(outer.caller?.teamId ?? '', text || doneText(operation, named)))
      return { content: [...content, ...(await imagesOf(pictures))] }
    } finally {
      innerCalls.delete(id)
    }
  }

  /** Loads inlined pictures and our own media links only; other URLs are ignored. */
  async function imagesOf(pictures: readonly string[]): Promise<ImageContent[]> {
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

  function readOn(cursor: unknown, outer: FastifyRequest): CallToolResult {
    const part = kept.more(outer.caller?.teamId ?? '', String(cursor))
    if (part) return asResult(part)
    return failed('This cursor is not known here (any more): call the tool again that gave it.')
  }

  return async (name, given, outer, signal) => {
    const box = boxFor(outer)
    if (name === READ_ON) return readOn(given.cursor, outer)
    if (name === MORE || (name === ADMIN && isAdmin(outer.caller ?? { rights: [] }))) {
      const { tool, arguments: inner } = given
      const meant = box.operations.get(String(tool))
      if (!meant) return failed(noSuchTool(String(tool), box))
      if (inner === undefined || inner === null)
        return asResult(kept.keep(outer.caller?.teamId ?? '', describeTool(meant)))
      if (typeof inner !== 'object') return failed('arguments: must be an object')
      return callRoute(meant, inner as Record<string, unknown>, outer, signal)
    }
    const operation = box.operations.get(name)
    if (operation) return callRoute(operation, given, outer, signal)
    const own = (await teamTools(outer)).find((tool) => tool.name === name)
    const meant = own && box.operations.get(own.operation)
    return meant && callRoute(meant, own.inputs(given), outer, signal)
  }
}

const PASSED_ON = ['authorization', 'host', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto']

const passedOn = (headers: FastifyRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
