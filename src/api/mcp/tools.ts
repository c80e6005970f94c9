// Operations as tools for agents: names, descriptions and schemas derived, answers put into words. It knows the protocol's
// shapes and nothing of its transports.
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { partsOf } from '../../capabilities/answer-text.ts'
import { type Operation, statusOf } from '../../capabilities/operation.ts'
import { FILE_NOTE, fileInputs } from './file-input.ts'
import { KEPT, type Part } from './kept-answers.ts'

export const READ_ON = 'read_on'

/** Tools have names without spaces: `crawl status` is `crawl_status`. */
export const toolName = ({ name }: Operation): string => name.replace(/[ -]/g, '_')

/** What an agent can use: web data, not the keeping of an account. */
export const agentOperations = (operations: readonly Operation[]): Operation[] =>
  operations.filter(({ isAccount }) => !isAccount)

export const toolsOf = (operations: readonly Operation[]): Tool[] => [
  ...operations.map((operation) => toolOf(operation, operations)),
  {
    name: READ_ON,
    description: `The next part of an answer that was too long for one message. Its cursor stands at the end of the part before and works for ${KEPT.keepMs / 60_000} minutes.`,
    inputSchema: {
      type: 'object',
      properties: { cursor: { type: 'string', description: 'From the end of the part before.' } },
      required: ['cursor'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
]

function toolOf(operation: Operation, all: readonly Operation[]): Tool {
  const { method, summary } = operation
  const { properties, required } = operation.inputs()
  const status = statusOf(operation, all)
  const notes = [
    `${summary}.`,
    ...(status
      ? [
          `Answers at once with the id of a job; ask ${toolName(status)} for it until its status is no longer "scraping".`,
        ]
      : []),
    ...(operation.takesFile ? [FILE_NOTE] : []),
  ]
  return {
    name: toolName(operation),
    description: notes.join(' '),
    inputSchema: {
      type: 'object',
      properties: { ...(operation.takesFile ? fileInputs : {}), ...properties } as Record<string, object>,
      required: [...required],
    },
    annotations: {
      readOnlyHint: method === 'GET',
      destructiveHint: method === 'DELETE',
      openWorldHint: method === 'POST',
    },
  }
}

/** Parsing more than this would hold up other requests for tens of milliseconds; it is told as the JSON it is. */
const MAX_PARSED_CHARS = 2 * 1024 * 1024

/** The answer of a route in words: its text first, the facts around it as JSON. */
export function wordsOf(answer: string): string {
  if (answer.length > MAX_PARSED_CHARS) return answer
  let fields: unknown
  try {
    fields = JSON.parse(answer)
  } catch {
    return answer
  }
  if (!fields || typeof fields !== 'object' || Array.isArray(fields)) return answer
  const { main, rest } = partsOf(fields as Record<string, unknown>)
  const facts = Object.keys(rest).length > 0 ? JSON.stringify(rest) : ''
  return [main, facts].filter(Boolean).join('\n\n')
}

export function asResult({ text, cursor, from, total }: Part): CallToolResult {
  const shown = from + text.length
  const end = cursor
    ? `\n\n[${shown} of ${total} characters so far. For the rest: ${READ_ON} with cursor "${cursor}".]`
    : ''
  return { content: [{ type: 'text', text: `${text}${end}` }] }
}

interface Refusal {
  error?: unknown
  code?: unknown
  details?: unknown
}

/** A failure in the service's own words. */
export function asToolError(body: string, retryAfter: string | undefined): CallToolResult {
  let said: Refusal = {}
  try {
    said = JSON.parse(body) as Refusal
  } catch {
    said = { error: body.slice(0, 1000) }
  }
  const details = said.details === undefined ? '' : `\n${JSON.stringify(said.details).slice(0, 4000)}`
  const code = typeof said.code === 'string' ? ` (${said.code})` : ''
  const later = retryAfter === undefined ? '' : `\nTry again in ${retryAfter} s.`
  return { isError: true, content: [{ type: 'text', text: `${String(said.error)}${code}${details}${later}` }] }
}
