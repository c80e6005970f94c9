// Writes events into a run's trace.

import type { Tx } from '../../store/tables.ts'
import type { HandlerServices } from './needs.ts'
import type { AgentRun } from './store/agents.ts'
import { agentStore } from './store/index.ts'
import { eventOf, type TraceEvent } from './trace.ts'

export const record = (has: HandlerServices, run: AgentRun, ...events: TraceEvent[]): Promise<void> =>
  has.store.transaction((tx) => recordIn(has, tx, run, ...events))

/** Trace events within a step carry its call id. */
export const recordOf = (
  { store, clock }: HandlerServices,
  tx: Tx,
  run: AgentRun,
  callId: string,
  ...events: TraceEvent[]
): Promise<void> =>
  agentStore(store).record(
    tx,
    run.id,
    events.map((event) => eventOf(run.id, clock.now(), event, callId)),
  )

export const recordIn = (
  { store, clock }: HandlerServices,
  tx: Tx,
  run: AgentRun,
  ...events: TraceEvent[]
): Promise<void> =>
  agentStore(store).record(
    tx,
    run.id,
    events.map((event) => eventOf(run.id, clock.now(), event)),
  )
