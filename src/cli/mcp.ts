// `orb mcp`: an MCP server on stdio that relays each message to POST /mcp. Standard output carries nothing else. Its tools
// take local file paths: the file is uploaded, and its reference replaces the path.
import { basename } from 'node:path'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { CommandExitError, exitCodes, UsageError } from './command.ts'
import { readFileBytes } from './file-bytes.ts'
import { makeCommand } from './local-command.ts'
import { connectionFlags, readConnection, requestJson, type ServiceConnection } from './service-call.ts'

const SERVICE_ERROR = -32_000

export const mcpCommand = makeCommand({
  name: 'mcp',
  summary: 'run a Model Context Protocol server on standard input and output, backed by the service',
  flags: connectionFlags,
  async run({ own }) {
    await relay(await readConnection(own))
    return exitCodes.done.code
  },
})

async function relay(connection: ServiceConnection): Promise<void> {
  const { url, key } = connection
  const [{ StdioServerTransport }, { StreamableHTTPClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ])
  const client = new StdioServerTransport()
  const service = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: key ? { authorization: `Bearer ${key}` } : {} },
    fetch: (to, init) => fetch(to, addMessageHeaders(init)),
  })
  const underWay = new Set<Promise<void>>()
  const gone = new AbortController()
  service.onmessage = (message) => void client.send(addPathInputs(message))
  client.onmessage = (message) => {
    const sent = replacePathByUpload(message, connection, gone.signal)
      .then((understood) => service.send(understood))
      .catch((error: Error) => refuse(message, error))
    underWay.add(sent)
    void sent.finally(() => underWay.delete(sent))
  }

  async function refuse(message: JSONRPCMessage, error: Error): Promise<void> {
    const isOurs = error instanceof UsageError || error instanceof CommandExitError
    const because = isOurs ? error.message : `The service at ${url} returned an unexpected response: ${whyOf(error)}`
    console.error(because)
    if (!('method' in message) || !('id' in message)) return
    // A tool error, so that the agent can read it and try another path.
    if (isOurs) {
      const result = { isError: true, content: [{ type: 'text', text: because }] }
      return client.send({ jsonrpc: '2.0', id: message.id, result })
    }
    await client.send({ jsonrpc: '2.0', id: message.id, error: { code: SERVICE_ERROR, message: because } })
  }

  await service.start()
  const closed = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  await client.start()
  await closed
  await Promise.all(underWay)
  await service.close()
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** Since revision 2026-07-28, HTTP repeats in headers what a message says about itself. Older messages carry no version. */
function addMessageHeaders(init: RequestInit = {}): RequestInit {
  if (typeof init.body !== 'string') return init
  const { method, params } = JSON.parse(init.body) as { method?: string; params?: Record<string, unknown> }
  const version = (params?._meta as Record<string, unknown> | undefined)?.[VERSION_KEY]
  if (method === undefined || typeof version !== 'string') return init
  const headers = new Headers(init.headers)
  headers.set('mcp-protocol-version', version)
  headers.set('mcp-method', method)
  const name = params?.name ?? params?.uri
  if (typeof name === 'string') headers.set('mcp-name', name)
  return { ...init, headers }
}

function whyOf(error: Error): string {
  const { code } = error as { code?: unknown }
  if (code === 401) return 'the key is missing or wrong. Set --key or ORB_API_KEY.'
  const { cause } = error as { cause?: { code?: string; message?: string } }
  return cause ? `${cause.code ?? cause.message}. Is it running? \`npm start\` starts it.` : error.message
}

const PATH_INPUT = {
  type: 'string',
  description: 'The path of a file on this machine, up to 50 MB. Replaces the other file inputs.',
}

const TOOL = 'parse'

interface Tool {
  name?: string
  inputSchema?: { properties?: Record<string, unknown> }
}

function addPathInputs(message: JSONRPCMessage): JSONRPCMessage {
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

async function replacePathByUpload(message: JSONRPCMessage, connection: ServiceConnection, signal: AbortSignal) {
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
  const announce = { method: 'POST', path: '/v2/parse/upload-url', body }
  type Announced = { data: { uploadUrl: string; uploadRef: string } }
  const { uploadUrl, uploadRef } = (await requestJson<Announced>(connection, announce, signal)).data
  // Only its path: the service's public host name may not resolve here.
  const { pathname, search } = new URL(uploadUrl)
  await requestJson(connection, { method: 'PUT', path: `${pathname}${search}`, raw }, signal)
  return uploadRef
}
