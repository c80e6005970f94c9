// Converts a run's trace to OpenTelemetry spans (OTLP JSON) named by the generative AI conventions: `invoke_agent` for
// the run and its readers, `execute_tool` for each step.
import { createHash } from 'node:crypto'
import type { AgentRun } from './store/agent-runs.ts'

interface TraceEvent {
  type: string
  occurredAt: string
  agent: { id: string; name: string; role: string }
  [field: string]: unknown
}

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  events?: { timeUnixNano: string; name: string; attributes: Attribute[] }[]
  status: { code: number; message?: string }
}

interface Attribute {
  key: string
  value: { stringValue: string } | { intValue: string }
}

const INTERNAL = 1
const CLIENT = 3
const OK = 1
const ERROR = 2
const MOST_TEXT = 4000

export function traceToOtelSpans(run: AgentRun, events: readonly TraceEvent[], version: string): object {
  const traceId = run.id.replaceAll('-', '')
  const spanId = (name: string) => createHash('sha256').update(`${run.id} ${name}`).digest('hex').slice(0, 16)
  const last = events.at(-1)?.occurredAt ?? new Date(run.createdAt).toISOString()
  const span = (
    name: string,
    id: string,
    kind: number,
    from: TraceEvent,
    to: TraceEvent | undefined,
    error?: string,
  ): Span => ({
    traceId,
    spanId: spanId(id),
    name,
    kind,
    startTimeUnixNano: nanos(from.occurredAt),
    endTimeUnixNano: nanos(to?.occurredAt ?? last),
    attributes: [],
    status: error === undefined ? { code: OK } : { code: ERROR, message: error },
  })
  const spans: Span[] = []
  for (const started of events) {
    const { agent, type } = started
    if (type === 'agent.started') {
      const end = events.find((one) => one.type === 'agent.finished' && one.agent.id === agent.id)
      const error = (end?.error as { message?: string } | null)?.message
      const one = span(`invoke_agent ${agent.name}`, agent.id, INTERNAL, started, end, error)
      const main = `${run.id}:main`
      if (agent.id !== main) one.parentSpanId = spanId(main)
      one.attributes = attributes({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': agent.id,
        'gen_ai.agent.name': agent.name,
        'gen_ai.conversation.id': run.threadId,
        ...(agent.id === main ? { 'orbweaver.credits': run.credits } : {}),
      })
      one.events = events
        .filter(({ agent: by, type: what }) => by.id === agent.id && what === 'reasoning.summary')
        .map(({ occurredAt, text }) => ({
          timeUnixNano: nanos(occurredAt),
          name: 'reasoning.summary',
          attributes: attributes({ text: String(text) }),
        }))
      spans.push(one)
    } else if (type === 'tool_call.started') {
      const { toolCallId, toolName, parameters } = started
      const end = events.find((one) => one.type === 'tool_call.finished' && one.toolCallId === toolCallId)
      const error = (end?.result as { error?: string } | undefined)?.error
      const one = span(`execute_tool ${toolName}`, String(toolCallId), CLIENT, started, end, error)
      one.parentSpanId = spanId(agent.id)
      one.attributes = attributes({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': String(toolName),
        'gen_ai.tool.call.id': String(toolCallId),
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.arguments': JSON.stringify(parameters),
        ...(end ? { 'gen_ai.tool.call.result': JSON.stringify(end.result) } : {}),
      })
      spans.push(one)
    }
  }
  const resource = { attributes: attributes({ 'service.name': 'orbweaver', 'service.version': version }) }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'orbweaver.agent', version }, spans }] }] }
}

const nanos = (moment: string): string => `${Date.parse(moment)}000000`

const attributes = (values: Record<string, string | number>): Attribute[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value.slice(0, MOST_TEXT) },
  }))
