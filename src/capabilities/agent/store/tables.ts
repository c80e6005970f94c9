// The tables of agent runs in both dialects, added to those of the store. JSON is stored as text.
import type { Generated } from 'kysely'

export type AgentRunState = 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refused' | 'credit_limit_reached'

declare module '../../../store/tables.ts' {
  interface Tables {
    agent_runs: {
      id: string
      team_id: string
      key_id: string | null
      thread_id: string
      turn: number
      state: AgentRunState
      body: string
      webhook: string | null
      max_credits: number
      /** Sum of its steps, reserved or paid; never more than `max_credits`. */
      credits: Generated<number>
      events: Generated<number>
      cancel_at: number | null
      /** Lease of the process that runs it. */
      lease_until: Generated<number>
      created_at: number
      finished_at: number | null
      expires_at: number
      error: string | null
      result: string | null
    }
    agent_steps: {
      run_id: string
      n: number
      call_id: string
      tool: string
      input: string
      /** `open`: begun, maybe by a process that died. A step is charged once however often it is begun. */
      state: 'open' | 'done' | 'failed'
      credits: number
      at: number
      result: string | null
    }
    agent_events: { run_id: string; n: number; body: string }
    agent_snapshots: { run_id: string; id: string; body: string }
  }
}
