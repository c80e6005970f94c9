// Wraps the store of agent runs: header maps are encrypted when written and decrypted when read.
import type { HeaderSealer } from '../../../store/sealed-headers.ts'
import type { AgentRun, AgentRunStore } from './agent-runs.ts'

export function wrapAgentRunsWithHeaderSealer(agents: AgentRunStore, { seal, openText }: HeaderSealer): AgentRunStore {
  const openRun = (run: AgentRun): AgentRun => ({ ...run, body: openText(run.body), webhook: openText(run.webhook) })
  return {
    ...agents,
    add: (tx, run) => agents.add(tx, { ...run, body: seal(run.body), webhook: seal(run.webhook) }),
    async get(id, tx) {
      const run = await agents.get(id, tx)
      return run && openRun(run)
    },
    list: async (teamId, before, limit) => (await agents.list(teamId, before, limit)).map(openRun),
    thread: async (teamId, threadId) => (await agents.thread(teamId, threadId)).map(openRun),
  }
}
