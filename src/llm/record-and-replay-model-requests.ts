// Records model requests and responses, one file each, and answers from such files, for bench/models.mjs and tests.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { valueOr } from '../base/attempt.ts'

interface RecordedRequest {
  messages: readonly { role: string; content: string }[]
  tools?: unknown
  response_format?: unknown
}

interface Recorded {
  request: RecordedRequest
  status?: number
  response?: unknown
  answer?: string | { calls: readonly { name: string; input: object }[] }
}

export interface ModelExchange {
  request: RecordedRequest
  said: string
}

export function makeReportingFetch(onExchange: (exchange: ModelExchange) => void, ask: typeof fetch): typeof fetch {
  return async (url, init) => {
    const response = await ask(url, init)
    const text = await response.text()
    onExchange({ request: requestIn(init), said: saidIn(text) })
    return new Response(text, { status: response.status, headers: response.headers })
  }
}

function saidIn(text: string): string {
  const { choices } = (jsonOr(text) ?? {}) as { choices?: { message?: { content?: unknown } }[] }
  const content = Array.isArray(choices) ? choices[0]?.message?.content : undefined
  return typeof content === 'string' ? content : text.slice(0, 4000)
}

/** Local ports and the day of the visit differ between runs of the same task. */
const LOCAL_HOST_AND_PORT = /\b(?:127\.0\.0\.1|localhost):\d+/g
const VISITED = /\b(visited:? )\d{4}-\d{2}-\d{2}/gi
const makeSteady = (text: string): string =>
  text.replace(LOCAL_HOST_AND_PORT, '127.0.0.1:0').replace(VISITED, '$12000-01-01')

// Normalise before JSON.stringify: it writes a line break as `\n`, whose n hides the word boundary before "Visited".
export const hashRequest = ({ messages, tools, response_format }: RecordedRequest): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        messages.map(({ role, content }) => [role, typeof content === 'string' ? makeSteady(content) : content]),
        tools ?? null,
        response_format ?? null,
      ]),
    )
    .digest('hex')
    .slice(0, 12)

export function makeRecordingFetch(folder: string, ask: typeof fetch = fetch): typeof fetch {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let count = 0
  return async (url, init) => {
    const began = Date.now()
    const request = requestIn(init)
    const path = join(folder, `${String(++count).padStart(4, '0')}-${hashRequest(request)}.json`)
    const keep = (answer: object) => {
      const entry = { at: new Date(began).toISOString(), ms: Date.now() - began, request, ...answer }
      writeFileSync(path, `${JSON.stringify(entry, undefined, 2)}\n`, { mode: 0o600 })
    }
    try {
      const response = await ask(url, init)
      const text = await response.text()
      keep({ status: response.status, response: jsonOr(text) })
      return new Response(text, { status: response.status, headers: response.headers })
    } catch (error) {
      keep({ error: (error as Error).message })
      throw error
    }
  }
}

/** Answers from the files below a folder, without any connection. A request that is not there is a 404. */
export function makeReplayingFetch(folder: string): typeof fetch {
  const known = readRecordings(folder)
  return async (_url, init) => {
    const request = requestIn(init)
    const hash = hashRequest(request)
    const recorded = known.get(hash)
    if (!recorded) {
      const message = `no recorded answer for the request ${hash} in ${folder}`
      return Response.json({ error: { message } }, { status: 404 })
    }
    const host = LOCAL_HOST_AND_PORT.exec(JSON.stringify(request.messages))?.[0]
    LOCAL_HOST_AND_PORT.lastIndex = 0
    const { status = 200, response = makeRecordedResponse(recorded.answer ?? '') } = recorded
    const text = JSON.stringify(response)
    return new Response(host ? text.replaceAll('127.0.0.1:0', host) : text, {
      status,
      headers: { 'content-type': 'application/json' },
    })
  }
}

export function readRecordings(folder: string): Map<string, Recorded & { file: string }> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  return new Map(
    files.sort().map((file) => {
      const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded
      return [hashRequest(recorded.request), { ...recorded, file }]
    }),
  )
}

export function makeRecordedResponse(answer: NonNullable<Recorded['answer']>): object {
  const calls = typeof answer === 'string' ? [] : answer.calls
  const tool_calls = calls.map(({ name, input }, at) => ({
    id: `call-${at + 1}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const message = { role: 'assistant', content: typeof answer === 'string' ? answer : null }
  return {
    id: 'recorded',
    object: 'chat.completion',
    created: 0,
    model: 'recorded',
    choices: [
      calls.length > 0
        ? { index: 0, finish_reason: 'tool_calls', message: { ...message, tool_calls } }
        : { index: 0, finish_reason: 'stop', message },
    ],
  }
}

const requestIn = (init: Parameters<typeof fetch>[1]): RecordedRequest =>
  JSON.parse(String(init?.body ?? '{}')) as RecordedRequest

const jsonOr = (text: string): unknown => valueOr(text, () => JSON.parse(text))
