// The trace events of a run in the released client's format. They are written in the transaction of the change they
// report.
import { randomUUID } from 'node:crypto'

export type RunOutcome = 'succeeded' | 'failed' | 'cancelled' | 'refused' | 'credit_limit_reached'

export interface TraceError {
  code: 'cancelled' | 'credit_limit_reached' | 'parent_finished' | 'refused' | 'internal'
  source: 'agent' | 'tool' | 'billing' | 'system'
  retryable: boolean
  message: string
}

export type TraceEvent =
  | { type: 'run.started' | 'agent.started' }
  | { type: 'run.cancel_requested'; reason: 'user' }
  | { type: 'run.finished'; outcome: RunOutcome; error: TraceError | null }
  | {
      type: 'agent.finished'
      outcome: Exclude<RunOutcome, 'credit_limit_reached'>
      durationMs: number
      error: TraceError | null
    }
  | { type: 'browser.session.started'; sessionId: string }
  | { type: 'browser.session.finished'; sessionId: string; durationMs: number }
  | { type: 'progress.reported'; phase: 'planning' | 'working' | 'finalizing'; message: string }
  | { type: 'reasoning.summary'; text: string }
  | { type: 'tool_call.started'; toolCallId: string; toolName: string; parameters: unknown }
  | { type: 'tool_call.finished'; toolCallId: string; toolName: string; result: unknown }
  | { type: 'artifact.updated'; artifact: Artifact }
  | { type: 'error.occurred'; error: TraceError }

interface Artifact {
  kind: 'json'
  artifactId: 'result'
  snapshotId: string
  change: 'init' | 'update'
  changedFields?: string[]
  itemCount?: number
  sourceToolCallId?: string
}

/** Each of several parallel steps is reported as a subagent of its own; its call id has this prefix. */
const SUBAGENT_ID_PREFIX = 'reader-'
export const newSubagentCallId = (): string => `${SUBAGENT_ID_PREFIX}${randomUUID()}`
export const isSubagentCallId = (callId: string): boolean => callId.startsWith(SUBAGENT_ID_PREFIX)

/** The emitter: the run, its agent, or the reader of a step. */
function reporterOf(runId: string, { type }: TraceEvent, callId: string | undefined) {
  if (type.startsWith('run.')) return { id: `${runId}:system`, role: 'system', name: 'run' }
  const main = `${runId}:main`
  return callId !== undefined && isSubagentCallId(callId)
    ? { id: `${runId}:${callId}`, role: 'subagent', name: 'reader', parentId: main }
    : { id: main, role: 'orchestrator', name: 'agent' }
}

/** The complete event once its sequence number is assigned; older clients read the same fact in a second field. */
export const toTraceRecord =
  (runId: string, now: number, event: TraceEvent, callId?: string) =>
  (n: number): object => {
    return {
      schemaVersion: 1,
      eventId: randomUUID(),
      runId,
      occurredAt: new Date(now).toISOString(),
      producerSequence: n,
      agent: reporterOf(runId, event, callId),
      ...event,
      retryable: 'error' in event && event.error ? event.error.retryable : false,
      ...('artifact' in event ? { snapshotId: event.artifact.snapshotId } : {}),
    }
  }
