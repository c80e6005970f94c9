// Converts replies to MCP content: text first, other fields as JSON, pictures as images.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { isObject } from '../../base/values.ts'
import { splitReplyText } from '../../capabilities/split-reply-text.ts'
import type { ReplyPart } from './paginate-long-replies.ts'
import { READ_NEXT_PART_TOOL } from './tools.ts'

/** Parsing more would block the event loop for tens of milliseconds; it is returned as JSON. */
const MAX_PARSED_CHARS = 2 * 1024 * 1024

type McpAnswer = { text: string; pictures: string[] }

export function replyToMcpContent(answer: string): McpAnswer {
  if (answer.length > MAX_PARSED_CHARS) return { text: answer, pictures: [] }
  let fields: unknown
  try {
    fields = JSON.parse(answer)
  } catch {
    return { text: answer, pictures: [] }
  }
  if (!isObject(fields)) return { text: answer, pictures: [] }
  const pictures = picturesIn(fields)
  const { main, rest } = splitReplyText(fields)
  const isPicture = main !== undefined && pictures.includes(main)
  const facts = isPicture ? { screenshot: linkOnly(main), ...rest } : rest
  const factsText = Object.keys(facts).length > 0 ? JSON.stringify(facts, (_, value) => linkOnly(value)) : ''
  return { text: [isPicture ? undefined : main, factsText].filter(Boolean).join('\n\n'), pictures }
}

const linkOnly = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('data:image/') ? '[the picture of this message]' : value

function picturesIn({ data }: Record<string, unknown>): string[] {
  if (!isObject(data)) return []
  const { screenshot, actions } = data
  const taken = isObject(actions) && Array.isArray(actions.screenshots) ? actions.screenshots : []
  return [screenshot, ...taken].filter((one): one is string => typeof one === 'string' && one !== '')
}

export function toToolResult({ text, cursor, from, total }: ReplyPart): CallToolResult {
  const shown = from + text.length
  const end = cursor
    ? `\n\n[${shown} of ${total} characters so far. For the rest: ${READ_NEXT_PART_TOOL} with cursor "${cursor}".]`
    : ''
  return { content: [{ type: 'text', text: `${text}${end}` }] }
}

export const toolErrorResult = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })

type Refusal = { error?: unknown; code?: unknown; details?: unknown; hint?: unknown }

export function problemToToolError(body: string, retryAfter: string | undefined): CallToolResult {
  let said: Refusal = {}
  try {
    said = JSON.parse(body) as Refusal
  } catch {
    said = { error: body.slice(0, 1000) }
  }
  const details = said.details === undefined ? '' : `\n${JSON.stringify(said.details).slice(0, 4000)}`
  const code = typeof said.code === 'string' ? ` (${said.code})` : ''
  const hint = typeof said.hint === 'string' ? `\n${said.hint}` : ''
  const later = retryAfter === undefined ? '' : `\nTry again in ${retryAfter} s.`
  return toolErrorResult(`${String(said.error)}${code}${details}${hint}${later}`)
}
