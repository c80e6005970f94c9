// What a run writes into its trace, by the run itself or by whoever takes a step.
import type { AgentRun } from '../../store/agents.ts'
import type { Tx } from '../../store/tables.ts'
import type { Has } from './needs.ts'
import { eventOf, type TraceEvent } from './trace.ts'

export const tell = (has: Has, run: AgentRun, ...events: TraceEvent[]): Promise<void> =>
  has.store.transaction((tx) => tellIn(has, tx, run, ...events))

/** What happens in a step is told by whoever takes it. */
export const tellOf = (
  { store, clock }: Has,
  tx: Tx,
  run: AgentRun,
  callId: string,
  ...events: TraceEvent[]
): Promise<void> =>
  store.agents.tell(
    tx,
    run.id,
    events.map((event) => eventOf(run.id, clock.now(), event, callId)),
  )

export const tellIn = ({ store, clock }: Has, tx: Tx, run: AgentRun, ...events: TraceEvent[]): Promise<void> =>
  store.agents.tell(
    tx,
    run.id,
    events.map((event) => eventOf(run.id, clock.now(), event)),
  )
