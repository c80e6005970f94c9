// Requests from commands to a running service. The address is the operator's own, so it does not go through the
// egress.
import { readFileSync } from 'node:fs'
import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { join, resolve } from 'node:path'
import { valueOr } from '../base/attempt.ts'
import { CommandExitError, exitCodes } from './command.ts'
import type { CommandFlag } from './flags.ts'
import { readLogin } from './login-file.ts'

export type ServiceConnection = { url: string; key: string | undefined }

interface ServiceRequest {
  method: string
  path: string
  body?: object | undefined
  form?: FormData
  raw?: Uint8Array
}

export interface ServiceAnswer {
  status: number
  text: string
  bytes: Uint8Array
  json: Record<string, unknown> | undefined
}

export const connectionFlags: readonly CommandFlag[] = [
  {
    name: 'service',
    value: 'url',
    help: 'URL of the service. Default: ORB_URL, that of `orb login`, or this machine.',
  },
  {
    name: 'key',
    value: 'key',
    help: 'API key. Default: ORB_API_KEY, that of `orb login`, or the first key in the data folder.',
  },
]

/** The key in the data folder is sent to this machine's service only, that of a login to its service only. */
export async function readConnection(own: Readonly<Record<string, string | true>>): Promise<ServiceConnection> {
  const { isLoopback, readConfig } = await import('../config.ts')
  const config = readConfig()
  const login = readLogin()
  const url = typeof own.service === 'string' ? own.service.replace(/\/+$/, '') : (config.url ?? login?.url)
  const here = isLoopback(config.host) ? config.host : '127.0.0.1'
  const at = url ?? `http://${here.includes(':') ? `[${here}]` : here}:${config.port}`
  const host = hostOf(at)
  // A key goes to the service it was made for, and to no other.
  const kept = login?.url === at ? login.key : isLoopback(host) ? keptKey(config.dataDir) : undefined
  return { url: at, key: typeof own.key === 'string' ? own.key : (config.apiKey ?? kept) }
}

function hostOf(url: string): string {
  try {
    return new URL(url).hostname.replace(/^\[|\]$/g, '')
  } catch {
    throw new CommandExitError(
      `--service must be a URL such as http://localhost:3002, not "${url}"`,
      exitCodes.usage.code,
    )
  }
}

const keptKey = (dataDir: string): string | undefined =>
  valueOr(undefined, () => readFileSync(join(resolve(dataDir), 'first-key'), 'utf8').trim() || undefined)

export async function callService(
  { url, key }: ServiceConnection,
  { method, path, body, form, raw }: ServiceRequest,
  signal: AbortSignal,
): Promise<ServiceAnswer> {
  const encoded = form ? new Response(form) : undefined
  const type =
    encoded?.headers.get('content-type') ?? (raw ? 'application/octet-stream' : body ? 'application/json' : undefined)
  const content = encoded
    ? Buffer.from(await encoded.arrayBuffer())
    : (raw ?? (body ? Buffer.from(JSON.stringify(body)) : undefined))
  const headers = {
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...(type ? { 'content-type': type } : {}),
    ...(content ? { 'content-length': content.byteLength } : {}),
  }
  try {
    const { status, bytes } = await exchange(new URL(path, `${url}/`), { method, headers, signal }, content)
    const text = bytes.toString('utf8')
    return { status, text, bytes, json: asObject(text) }
  } catch (error) {
    if (signal.aborted) throw new CommandExitError('Stopped.', exitCodes.interrupted.code)
    throw makeUnreachableError(url, error as NodeJS.ErrnoException)
  }
}

/** `fetch` never settles when a server hangs up at once, and gives up after 5 minutes. */
function exchange(
  url: URL,
  options: RequestOptions,
  content: Uint8Array | undefined,
): Promise<{ status: number; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('close', () => reject(new Error('the connection was closed before the answer was whole')))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) }))
    })
    request.once('error', reject)
    request.end(content)
  })
}

const makeUnreachableError = (url: string, { code, message }: NodeJS.ErrnoException): CommandExitError =>
  new CommandExitError(
    `No service responds at ${url} (${code ?? message}). Start it with \`npm start\`, or set ORB_URL or --service.`,
    exitCodes.unreachable.code,
  )

function asObject(text: string): Record<string, unknown> | undefined {
  const value = valueOr(undefined, (): unknown => JSON.parse(text))
  return value && typeof value === 'object' ? (value as Record<string, unknown>) : undefined
}

/** The JSON of the reply. A refusal ends the command. */
export async function requestJson<Reply = Record<string, unknown>>(
  connection: ServiceConnection,
  request: ServiceRequest,
  signal: AbortSignal,
): Promise<Reply> {
  const answer = await callService(connection, request, signal)
  if (answer.status >= 400) throw new CommandExitError(describeErrorReply(answer, connection))
  return (answer.json ?? {}) as Reply
}

export function describeErrorReply({ status, json, text }: ServiceAnswer, { url }: ServiceConnection): string {
  const said = typeof json?.error === 'string' ? json.error : text.slice(0, 500) || `HTTP ${status}`
  const details = Array.isArray(json?.details)
    ? (json.details as { path?: unknown[]; message?: string; keys?: string[] }[])
    : []
  const places = details
    .slice(0, 10)
    .map(({ path = [], message = '', keys }) => `  ${[...path, ...(keys ?? [])].join('.') || '(body)'}: ${message}`)
    .filter((line) => !said.includes(line.split(': ').slice(1).join(': ')))
  const hint = typeof json?.hint === 'string' ? [json.hint] : []
  const key =
    status === 401 ? [`Set --key or ORB_API_KEY; \`npx orbweaver keys\` beside the service at ${url} shows one.`] : []
  const help = typeof json?.help === 'string' ? [`More: ${json.help}`] : []
  return [said, ...places, ...hint, ...key, ...help].join('\n')
}
