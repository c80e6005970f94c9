// `orb mcp`: an MCP server on stdio that relays each message to POST /mcp. Standard output carries nothing else.
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { type Command, CommandExitError, exitCodes, UsageError } from './command.ts'
import { alignColumns, describeOwnFlags, listFlagNames } from './flag-help.ts'
import { parseFlags } from './flags.ts'
import { addPathInputs, replacePathByUpload } from './mcp-local-files.ts'
import { connectionFlags, readConnection, type ServiceConnection } from './service-call.ts'

const NO_INPUTS = { properties: {}, required: [] }
const SERVICE_ERROR = -32_000

export const mcpCommand: Command = {
  name: 'mcp',
  usage: 'mcp [flags]',
  summary: 'run a Model Context Protocol server on standard input and output, backed by the service',
  details: () => alignColumns(describeOwnFlags(connectionFlags)),
  flags: () => listFlagNames(NO_INPUTS, [], connectionFlags),
  async run(args) {
    const { own, positionals } = parseFlags(args, NO_INPUTS, connectionFlags)
    if (positionals.length > 0) throw new UsageError(`unexpected argument: ${positionals[0]}`)
    await relay(await readConnection(own))
    return exitCodes.done.code
  },
}

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
