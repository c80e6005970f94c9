// The answers about agent runs, as far as the screens read them, and the calls of a trace put together from its events.

export interface RunListed {
  id: string
  createdAt: string
  targetHint: string
  status: RunStatus
  options: { prompt: string; urls?: string[]; schema?: object; effort?: string }
}

type RunStatus = 'processing' | 'completed' | 'failed'

export const runKinds = { processing: 'live', completed: 'good', failed: 'bad' } as const

interface AgentBody {
  prompt: string
  urls?: string[]
  schema?: object
  effort?: string
  maxCredits?: number
}

/** What the next form begins with: an earlier run that is to be run again with changes. */
export const draft: { body: AgentBody | undefined } = { body: undefined }

export interface Source {
  url: string
  quote: string | null
  at: string
  by: string
}

export interface RunStanding {
  status: RunStatus
  data?: unknown
  error?: string
  warning?: string
  message?: string
  creditsUsed: number
  maxCredits: number
  sources?: Record<string, Source>
}

export interface TraceEvent {
  type: string
  eventId: string
  occurredAt: string
  agent: { id: string; role: string; name: string }
  text?: string
  message?: string
  toolCallId?: string
  toolName?: string
  parameters?: Record<string, unknown>
  result?: Record<string, unknown>
  artifact?: { snapshotId: string }
}

/** A browser that the run has open now. */
export interface OpenBrowser {
  id: string
  liveViewUrl: string
  viewport: { width: number; height: number }
}

export interface ToolCall {
  id: string
  tool: string
  lane: string
  from: number
  /** Undefined: still under way. */
  to: number | undefined
  parameters: Record<string, unknown>
  result: Record<string, unknown> | undefined
}

export function callsIn(events: readonly TraceEvent[]): ToolCall[] {
  const ends = new Map(events.filter(({ type }) => type === 'tool_call.finished').map((one) => [one.toolCallId, one]))
  return events
    .filter(({ type }) => type === 'tool_call.started')
    .map(({ toolCallId = '', toolName = '', agent, occurredAt, parameters = {} }) => {
      const end = ends.get(toolCallId)
      return {
        id: toolCallId,
        tool: toolName,
        lane: agent.id,
        from: Date.parse(occurredAt),
        to: end && Date.parse(end.occurredAt),
        parameters,
        result: end?.result,
      }
    })
}

/** Readers come and go: those that did not work at the same time share a lane. */
export function lanesOf(calls: readonly ToolCall[], mainLane: string): { name: string; calls: ToolCall[] }[] {
  const lanes = [{ name: 'Agent', calls: calls.filter(({ lane }) => lane === mainLane) }]
  for (const one of calls.filter(({ lane }) => lane !== mainLane)) {
    const free = lanes
      .slice(1)
      .find(({ calls: [...taken] }) => (taken.at(-1)?.to ?? Number.POSITIVE_INFINITY) <= one.from)
    if (free) free.calls.push(one)
    else lanes.push({ name: `Reader ${lanes.length}`, calls: [one] })
  }
  return lanes
}

/** What a call was about, in a few words. */
export const aboutOf = ({ parameters }: ToolCall): string =>
  String(Object.values(parameters).find((value) => typeof value === 'string') ?? '')
