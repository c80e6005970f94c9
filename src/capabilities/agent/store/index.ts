// What agent runs store: their repository, migrations, and how an address or a team is forgotten.
import { defineStorage } from '../../../store/capability-storage.ts'
import { openAgentRuns, wrapAgentRunsWithHeaderSealer } from './agent-runs.ts'

const parent = { table: 'agent_runs', column: 'run_id' }

export const agentStore = defineStorage({
  open: ({ db, clock, headers }) => wrapAgentRunsWithHeaderSealer(openAgentRuns(db, clock), headers),
  // A run holds its steps and events by the thousand at most: few at a time keep the cascade short.
  expiry: [{ table: 'agent_runs', time: 'expires_at', batch: 20 }],
  forget: [
    { table: 'agent_runs', texts: ['body', 'result', 'error', 'webhook'], sendsWebhooks: true },
    { table: 'agent_steps', parent, texts: ['input', 'result'], removesParent: true },
    { table: 'agent_events', parent, texts: ['body'], removesParent: true },
  ],
  retention: [{ setting: 'traces', table: 'agent_runs', time: 'finished_at' }],
  busy: [{ table: 'agent_runs', column: 'state', value: 'processing' }],
})
