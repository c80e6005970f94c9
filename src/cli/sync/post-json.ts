// JSON requests to the operator's own index or embedding server.
import { CommandExitError, exitCodes } from '../command.ts'

export interface PostOptions {
  method?: string
  headers?: Record<string, string>
  allow?: readonly number[]
  signal?: AbortSignal
}

export async function postJson<Reply>(url: string, body: unknown, options: PostOptions = {}): Promise<Reply> {
  const { method = 'POST', headers = {}, allow = [], signal } = options
  const isText = typeof body === 'string'
  const response = await fetch(url, {
    method,
    headers: { 'content-type': isText ? 'application/x-ndjson' : 'application/json', ...headers },
    body: body === undefined ? null : isText ? body : JSON.stringify(body),
    ...(signal ? { signal } : {}),
  }).catch((error: Error) => {
    throw new CommandExitError(`${new URL(url).origin} does not respond: ${error.message}`, exitCodes.unreachable.code)
  })
  const text = await response.text()
  if (!response.ok && !allow.includes(response.status))
    throw new CommandExitError(`${method} ${url} returned ${response.status}: ${text.slice(0, 300)}`)
  return (text === '' ? {} : JSON.parse(text)) as Reply
}
