// Model requests with their answers, one file each: found again by a hash of what was asked.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface RecordedRequest {
  messages: readonly { role: string; content: string }[]
  tools?: unknown
  response_format?: unknown
}

interface Recorded {
  request: RecordedRequest
  response?: unknown
  answer?: string | { calls: readonly { name: string; input: object }[] }
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

export function readRecordings(folder: string): Map<string, Recorded & { file: string }> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  return new Map(
    files.sort().map((file) => {
      const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded
      return [hashRequest(recorded.request), { ...recorded, file }]
    }),
  )
}

/** The recorded answer, with the port of this run in its URLs. */
export function makeRecordedResponse({ answer = '', response }: Recorded, { messages }: RecordedRequest): object {
  const host = JSON.stringify(messages).match(LOCAL_HOST_AND_PORT)?.[0] ?? '127.0.0.1:0'
  const text = JSON.stringify(response ?? responseOf(answer))
  return JSON.parse(text.replaceAll('127.0.0.1:0', host)) as object
}

function responseOf(answer: NonNullable<Recorded['answer']>): object {
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
