// A server that speaks the protocol of OpenAI-compatible endpoints, faults included: what each request is answered with is
// scripted by the test, and every request is kept for it to look at.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ChatRequest {
  model: string
  messages: { role: string; content: string }[]
  response_format?: { type: string }
  headers: Record<string, string | string[] | undefined>
}

/** Text is what the model says; the rest is how an endpoint can fail. */
export type Answer =
  | string
  | { text: string; finish?: 'stop' | 'length' }
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'hang'
  | 'drop'

export interface ModelServer {
  url: string
  requests: ChatRequest[]
  close(): Promise<void>
}

/** `script`: the answer to the n-th request (from 0). */
export async function startModel(script: (request: ChatRequest, n: number) => Answer): Promise<ModelServer> {
  const requests: ChatRequest[] = []
  const server = createServer((request, response) => {
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
  if (given === 'drop') {
    response.destroy()
    return
  }
  if (typeof given === 'object' && 'status' in given) {
    send(response, given.status, given.body ?? { error: { message: 'failed' } }, given.headers)
    return
  }
  const { text, finish = 'stop' } = typeof given === 'string' ? { text: given } : given
  send(response, 200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: asked.model,
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content: text } }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  })
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
