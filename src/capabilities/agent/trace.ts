// The events of a run, in the shape that the released client reads: thirteen types, each with who emitted it and when.
// They are written in the transactions that make them true.
import { randomUUID } from 'node:crypto'

export type Outcome = 'succeeded' | 'failed' | 'cancelled' | 'refused' | 'credit_limit_reached'

export interface TraceError {
  code: 'cancelled' | 'credit_limit_reached' | 'parent_finished' | 'refused' | 'internal'
  source: 'agent' | 'tool' | 'billing' | 'system'
  retryable: boolean
  message: string
}

export type TraceEvent =
  | { type: 'run.started' | 'agent.started' }
  | { type: 'run.cancel_requested'; reason: 'user' }
  | { type: 'run.finished'; outcome: Outcome; error: TraceError | null }
  | {
      type: 'agent.finished'
      outcome: Exclude<Outcome, 'credit_limit_reached'>
      durationMs: number
      error: TraceError | null
    }
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

/** The whole event once its place is known; seconds sources of the same fact stand beside it, as older clients read them. */
export const eventOf =
  (runId: string, now: number, event: TraceEvent) =>
  (n: number): object => {
    const isSystem = event.type.startsWith('run.')
    return {
      schemaVersion: 1,
      eventId: randomUUID(),
      runId,
      occurredAt: new Date(now).toISOString(),
      producerSequence: n,
      agent: isSystem
        ? { id: `${runId}:system`, role: 'system', name: 'run' }
        : { id: `${runId}:main`, role: 'orchestrator', name: 'agent' },
      ...event,
      ...('error' in event && event.error ? { retryable: event.error.retryable } : {}),
      ...('artifact' in event ? { snapshotId: event.artifact.snapshotId } : {}),
    }
  }
