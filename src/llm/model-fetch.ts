// Sends requests to a model endpoint: through the operator's proxy, with the operator's certificates, and to endpoints that
// only stream, whose pieces are put together into one response.

import { parseJson } from '../base/attempt.ts'
import { once } from '../base/values.ts'

interface ModelConnection {
  timeoutMs: number
  /** An HTTP proxy that all requests go through. */
  proxy?: string | undefined
  /** Certificates in PEM that are trusted besides the usual ones. */
  certificates?: string | undefined
}

/** Node's own fetch gives up after five minutes without headers, whatever the request's timeout. */
export function makeModelFetch({ timeoutMs, proxy, certificates }: ModelConnection): typeof fetch {
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  async function open() {
    const [{ Agent, ProxyAgent, fetch: send }, { rootCertificates }] = await Promise.all([
      import('undici'),
      import('node:tls'),
    ])
    const tls = certificates === undefined ? {} : { ca: [...rootCertificates, certificates] }
    const dispatcher =
      proxy === undefined
        ? new Agent({ ...limits, connect: tls })
        : new ProxyAgent({ ...limits, uri: proxy, requestTls: tls, proxyTls: tls })
    return (url: never, init: object) => send(url, { ...init, dispatcher })
  }
  const opened = once(open)
  return (async (url: never, init: object) => (await opened())(url, init)) as unknown as typeof fetch
}

const WANTS_STREAM =
  /\bstream(?:ing)?\b.{0,60}\b(?:required|must|only|true)\b|\b(?:only|requires?|must)\b.{0,60}\bstream/i
const MAX_STREAM_CHARS = 20_000_000

/** Asks again with `stream` where the endpoint demands it, and reads streamed answers whether asked for or not. */
export function readingStreams(send: typeof fetch): typeof fetch {
  let isStreaming = false
  return async (url, init) => {
    const response = await send(url, isStreaming ? withStream(init) : init)
    if (response.status === 400 && !isStreaming) {
      const said = await response.text()
      if (!WANTS_STREAM.test(said)) return new Response(said, response)
      isStreaming = true
      return wholeAnswer(await send(url, withStream(init)))
    }
    return wholeAnswer(response)
  }
}

const withStream = (init: Parameters<typeof fetch>[1]): Parameters<typeof fetch>[1] => ({
  ...init,
  body: JSON.stringify({ ...JSON.parse(String(init?.body ?? '{}')), stream: true, stream_options: USAGE }),
})
const USAGE = { include_usage: true }

interface Piece {
  id?: string
  model?: string
  choices?: { delta?: Delta; finish_reason?: string | null }[]
  usage?: object | null
}
type Delta = { content?: string | null; reasoning_content?: string | null; tool_calls?: CallPiece[] }
type CallPiece = { index?: number; id?: string; function?: { name?: string; arguments?: string } }
type JoinedCall = { id: string; name: string; parts: string[] }

async function wholeAnswer(response: Response): Promise<Response> {
  if (!response.ok || !/event-stream/i.test(response.headers.get('content-type') ?? '')) return response
  const texts: Record<'content' | 'reasoning_content', string[]> = { content: [], reasoning_content: [] }
  const calls: JoinedCall[] = []
  let [finish, usage, last]: [string | null, object | undefined, Piece] = [null, undefined, {}]
  let isDone = false
  for await (const data of eventsOf(response)) {
    if (data === '[DONE]') isDone = true
    const piece = pieceIn(data)
    if (!piece) continue
    last = piece
    usage = piece.usage ?? usage
    const [choice] = piece.choices ?? []
    finish = choice?.finish_reason ?? finish
    for (const name of ['content', 'reasoning_content'] as const) texts[name].push(choice?.delta?.[name] ?? '')
    for (const piece of choice?.delta?.tool_calls ?? []) joinCall(calls, piece)
  }
  const tool_calls = calls.flatMap(({ id, name, parts }) =>
    name === '' ? [] : [{ id, type: 'function', function: { name, arguments: parts.join('') || '{}' } }],
  )
  const [content, reasoning_content] = [texts.content.join(''), texts.reasoning_content.join('')]
  const message = {
    role: 'assistant',
    content: content || null,
    ...(reasoning_content ? { reasoning_content } : {}),
    ...(tool_calls.length > 0 ? { tool_calls } : {}),
  }
  return Response.json({
    id: last.id ?? 'streamed',
    object: 'chat.completion',
    created: 0,
    model: last.model ?? '',
    // A stream that breaks off is an answer that was cut.
    choices: [{ index: 0, finish_reason: finish ?? (isDone ? 'stop' : 'length'), message }],
    ...(usage ? { usage } : {}),
  })
}

function joinCall(calls: JoinedCall[], { index = 0, id, function: said }: CallPiece): void {
  if (!(index >= 0 && index < 64)) return
  calls[index] ??= { id: `call-${index + 1}`, name: '', parts: [] }
  const call = calls[index]
  call.id = id ?? call.id
  call.name += said?.name ?? ''
  call.parts.push(said?.arguments ?? '')
}

function pieceIn(data: string): Piece | undefined {
  const value = parseJson(data)
  return value !== null && typeof value === 'object' ? value : undefined
}

/** The `data` of server-sent events. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let [rest, read] = ['', 0]
  const lines: string[] = []
  for await (const bytes of response.body ?? []) {
    const text = decoder.decode(bytes as Uint8Array, { stream: true })
    read += text.length
    if (read > MAX_STREAM_CHARS) break
    lines.push(...`${rest}${text}`.split('\n'))
    rest = lines.pop()!
    for (const line of lines.splice(0)) if (line.startsWith('data:')) yield line.slice(5).trim()
  }
  if (rest.startsWith('data:')) yield rest.slice(5).trim()
}
