// Lets `orb mcp` tools take local file paths: the file is uploaded, and its reference replaces the path.
import { basename } from 'node:path'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { CommandExitError, exitCodes } from './command.ts'
import { readFileBytes } from './file-bytes.ts'
import { callService, describeErrorReply, type ServiceAnswer, type ServiceConnection } from './service-call.ts'

const PATH_INPUT = {
  type: 'string',
  description: 'The path of a file on this machine, up to 50 MB. Replaces the other file inputs.',
}

const TOOL = 'parse'

interface Tool {
  name?: string
  inputSchema?: { properties?: Record<string, unknown> }
}

export function addPathInputs(message: JSONRPCMessage): JSONRPCMessage {
  const { tools } = ('result' in message ? message.result : {}) as { tools?: Tool[] }
  if (!('result' in message) || !Array.isArray(tools)) return message
  const here = tools.map((tool) =>
    tool.name === TOOL
      ? {
          ...tool,
          inputSchema: { ...tool.inputSchema, properties: { path: PATH_INPUT, ...tool.inputSchema?.properties } },
        }
      : tool,
  )
  return { ...message, result: { ...message.result, tools: here } }
}

export async function replacePathByUpload(
  message: JSONRPCMessage,
  connection: ServiceConnection,
  signal: AbortSignal,
): Promise<JSONRPCMessage> {
  if (!('method' in message) || message.method !== 'tools/call') return message
  const { name, arguments: given } = (message.params ?? {}) as { name?: unknown; arguments?: Record<string, unknown> }
  if (name !== TOOL || typeof given?.path !== 'string') return message
  const { path, ...rest } = given as { path: string }
  const uploadRef = await upload(path, connection, signal)
  return { ...message, params: { ...message.params, arguments: { ...rest, uploadRef } } } as JSONRPCMessage
}

async function upload(path: string, connection: ServiceConnection, signal: AbortSignal): Promise<string> {
  const raw = readFileBytes(path)
  const body = { filename: basename(path) }
  const announced = readReply(
    await callService(connection, { method: 'POST', path: '/v2/parse/upload-url', body }, signal),
  )
  const { uploadUrl, uploadRef } = announced.data as { uploadUrl: string; uploadRef: string }
  // Only its path: the service's public host name may not resolve here.
  const { pathname, search } = new URL(uploadUrl)
  readReply(await callService(connection, { method: 'PUT', path: `${pathname}${search}`, raw }, signal))
  return uploadRef

  function readReply(answer: ServiceAnswer): Record<string, unknown> {
    if (answer.status >= 400) throw new CommandExitError(describeErrorReply(answer, connection), exitCodes.failed.code)
    return answer.json ?? {}
  }
}
