// A server that speaks the protocol of OpenAI-compatible endpoints, faults included: what each request is answered with is
// scripted by the test, and every request is kept for it to look at.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ChatRequest {
  model: string
  messages: { role: string; content: string }[]
  response_format?: { type: string; json_schema?: { strict?: boolean; schema: Record<string, unknown> } }
  tools?: { type: string; function: { name: string; description?: string; parameters: { properties?: object } } }[]
  max_tokens?: number
  max_completion_tokens?: number
  temperature?: number
  stream?: boolean
  headers: Record<string, string | string[] | undefined>
}

/** Text is what the model says; the rest is how an endpoint can fail. */
export type Answer =
  | string
  | { text: string; finish?: 'stop' | 'length'; promptTokens?: number; reasoning?: string }
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** Says in the protocol's own way that it will not answer. */
  | { refusal: string }
  /** Calls a tool that nobody offered, instead of answering. */
  | { tool: string }
  /** Calls tools that it was offered. */
  | { calls: readonly { name: string; input: object }[] }
  /** Thinks for a while first. */
  | { afterMs: number; answer: Answer }
  /** Server-sent events, with the words of a text or of a tool's arguments one by one; `cut`: without their end. */
  | { streamed: string | { name: string; input: object }; cut?: true }
  /** A body as it is sent. */
  | { raw: string; type?: string }
  | 'hang'
  | 'drop'
  /** The answer breaks off in the middle of its bytes. */
  | 'half'

export interface ModelServer {
  url: string
  requests: ChatRequest[]
  close(): Promise<void>
}

/** `script`: the answer to the n-th request (from 0); `models`: what the list of models is, an error status or nothing. */
export async function startModel(
  script: (request: ChatRequest, n: number) => Answer,
  models: unknown = 404,
): Promise<ModelServer> {
  const requests: ChatRequest[] = []
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const list: unknown = typeof models === 'function' ? models() : models
      if (typeof list === 'number') return send(response, list, { error: { message: 'no list' } })
      return send(response, 200, list)
    }
    void read(request).then((body) => {
      const asked: ChatRequest = { ...JSON.parse(body), headers: request.headers }
      requests.push(asked)
      if (request.url !== '/v1/chat/completions') return send(response, 404, { error: { message: 'no such path' } })
      answer(response, asked, script(asked, requests.length - 1))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, asked: ChatRequest, given: Answer): void {
  if (given === 'hang') return
  if (typeof given === 'object' && 'afterMs' in given) {
    setTimeout(() => answer(response, asked, given.answer), given.afterMs)
    return
  }
  if (given === 'drop') {
    response.destroy()
    return
  }
  if (given === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
    response.write('{"id":"chatcmpl-1","object":"chat.completion","choices":[{"index":0,"mess', () =>
      response.destroy(),
    )
    return
  }
  if (typeof given === 'object' && 'status' in given) {
    send(response, given.status, given.body ?? { error: { message: 'failed' } }, given.headers)
    return
  }
  if (typeof given === 'object' && 'raw' in given) {
    response.writeHead(200, { 'content-type': given.type ?? 'application/json' }).end(given.raw)
    return
  }
  if (typeof given === 'object' && 'streamed' in given) {
    stream(response, asked, given)
    return
  }
  const { message, finish } = said(given)
  const prompt = typeof given === 'object' && 'text' in given ? (given.promptTokens ?? 100) : 100
  send(response, 200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: asked.model,
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', ...message } }],
    usage: { prompt_tokens: prompt, completion_tokens: 20, total_tokens: prompt + 20 },
  })
}

function stream(
  response: ServerResponse,
  { model }: ChatRequest,
  { streamed, cut }: Extract<Answer, { streamed: unknown }>,
): void {
  const text = typeof streamed === 'string' ? streamed : JSON.stringify(streamed.input)
  const call = (words: string, at: number) => ({
    tool_calls: [
      {
        index: 0,
        ...(at === 0 && typeof streamed === 'object' ? { id: 'call-1', type: 'function' } : {}),
        function: {
          ...(at === 0 && typeof streamed === 'object' ? { name: streamed.name } : {}),
          arguments: words,
        },
      },
    ],
  })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const event = (choice: object) =>
    response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model, ...choice })}\n\n`)
  for (const [at, words] of (text.match(/\S*\s*/g) ?? []).filter(Boolean).entries())
    event({
      choices: [{ index: 0, delta: typeof streamed === 'string' ? { content: words } : call(words, at) }],
    })
  if (!cut) {
    const finish_reason = typeof streamed === 'string' ? 'stop' : 'tool_calls'
    event({ choices: [{ index: 0, delta: {}, finish_reason }] })
    event({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } })
    response.write('data: [DONE]\n\n')
  }
  response.end()
}

function said(
  given:
    | string
    | { text: string; finish?: string; reasoning?: string }
    | { refusal: string }
    | { tool: string }
    | { calls: readonly { name: string; input: object }[] },
): {
  message: object
  finish: string
} {
  if (typeof given === 'string') return { message: { content: given }, finish: 'stop' }
  if ('text' in given) {
    const thought = given.reasoning === undefined ? {} : { reasoning_content: given.reasoning }
    return { message: { content: given.text, ...thought }, finish: given.finish ?? 'stop' }
  }
  if ('refusal' in given) return { message: { content: null, refusal: given.refusal }, finish: 'content_filter' }
  const calls = 'calls' in given ? given.calls : [{ name: given.tool, input: { url: 'http://10.0.0.1/' } }]
  const made = calls.map(({ name, input }, at) => ({
    id: `call-${at + 1}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  return { message: { content: null, tool_calls: made }, finish: 'tool_calls' }
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
