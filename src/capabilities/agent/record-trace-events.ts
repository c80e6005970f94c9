// Writes events into a run's trace.

import { randomUUID } from 'node:crypto'
import type { Store } from '../../store/index.ts'
import type { Tx } from '../../store/tables.ts'
import type { HandlerServices } from './own-services.ts'
import type { AgentRun } from './store/agent-runs.ts'
import { agentStore } from './store/index.ts'
import { type TraceEvent, toTraceRecord } from './trace-events.ts'

export const recordTraceEvents = (has: HandlerServices, run: AgentRun, ...events: TraceEvent[]): Promise<void> =>
  has.store.transaction((tx) => recordTraceEventsInTransaction(has, tx, run, ...events))

/** Trace events within a step carry its call id. */
export const recordStepTraceEvents = (
  { store, clock }: HandlerServices,
  tx: Tx,
  run: AgentRun,
  callId: string,
  ...events: TraceEvent[]
): Promise<void> =>
  agentStore(store).record(
    tx,
    run.id,
    events.map((event) => toTraceRecord(run.id, clock.now(), event, callId)),
  )

export const recordTraceEventsInTransaction = (
  { store, clock }: HandlerServices,
  tx: Tx,
  run: AgentRun,
  ...events: TraceEvent[]
): Promise<void> =>
  agentStore(store).record(
    tx,
    run.id,
    events.map((event) => toTraceRecord(run.id, clock.now(), event)),
  )

/** Keeps the answer as it stands, and returns the event that announces it. */
export async function keepSnapshot(
  store: Store,
  tx: Tx,
  runId: string,
  { text, items }: { text: string; items: number },
): Promise<TraceEvent> {
  const snapshotId = randomUUID()
  await agentStore(store).keepSnapshot(tx, runId, snapshotId, text)
  const itemCount = items > 0 ? { itemCount: items } : {}
  return {
    type: 'artifact.updated',
    artifact: { kind: 'json', artifactId: 'result', snapshotId, change: 'update', ...itemCount },
  }
}
