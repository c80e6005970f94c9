// Agent runs, their steps, events and snapshots. One statement adds a step and checks the credit cap, so parallel
// steps cannot exceed it.
import { type Generated, sql } from 'kysely'
import { type Clock, DAY_MS } from '../../../base/clock.ts'
import { makeRowCodec, type RowFields } from '../../../store/row-codec.ts'
import type { HeaderSealer } from '../../../store/sealed-headers.ts'
import { type Db, inTransaction, type Tables, type Tx } from '../../../store/tables.ts'

type AgentRunState = 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'refused' | 'credit_limit_reached'

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

/** `body`, `webhook` and `result` are JSON. */
export type AgentRun = RowFields<Tables['agent_runs']>

type NewAgentRun = Pick<AgentRun, 'id' | 'teamId' | 'keyId' | 'threadId' | 'turn' | 'maxCredits'> & {
  body: unknown
  webhook: unknown
}

const runRows = makeRowCodec<Tables['agent_runs'], AgentRun>()

export type AgentStep = Omit<RowFields<Tables['agent_steps']>, 'runId'>

const stepRows = makeRowCodec<Tables['agent_steps'], AgentStep & { runId?: string }>()

type AgentEnd = { state: Exclude<AgentRunState, 'processing'>; error?: string; result?: unknown }

type AgentRunStore = ReturnType<typeof openAgentRuns>

const LIFE_MS = DAY_MS

export const openAgentRuns = (db: Db, clock: Clock) => ({
  ...runReads(db, clock),
  ...runWrites(db, clock),
  ...stepsOf(db, clock),
  ...traceOf(db),
})

function runReads(db: Db, clock: Clock) {
  const runs = (tx: Tx | Db = db) => tx.selectFrom('agent_runs').selectAll()
  return {
    async get(id: string, tx?: Tx) {
      const row = await runs(tx).where('id', '=', id).executeTakeFirst()
      return row && runRows.read(row)
    },
    async list(teamId: string, before: number, limit: number) {
      const rows = await runs()
        .where('team_id', '=', teamId)
        .where('created_at', '<', before)
        .where('expires_at', '>', clock.now())
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(runRows.read)
    },
    async thread(teamId: string, threadId: string) {
      const rows = await runs()
        .where('thread_id', '=', threadId)
        .where('team_id', '=', teamId)
        .orderBy('turn')
        .limit(200)
        .execute()
      return rows.map(runRows.read)
    },
  }
}

function runWrites(db: Db, clock: Clock) {
  return {
    async add(tx: Tx, { body, webhook, ...run }: NewAgentRun) {
      const now = clock.now()
      const row = runRows.write({
        ...run,
        state: 'processing',
        body: JSON.stringify(body),
        webhook: webhook === null ? null : JSON.stringify(webhook),
        createdAt: now,
        // Upper bound while it runs; `finish` sets the real expiry.
        expiresAt: now + 3 * LIFE_MS,
      })
      await tx.insertInto('agent_runs').values(row).execute()
    },
    /** Takes the lease, or extends it when `mine`; false when another process holds it. */
    async lease(id: string, until: number, mine: boolean) {
      const { numUpdatedRows } = await db
        .updateTable('agent_runs')
        .set({ lease_until: until })
        .where('id', '=', id)
        .where('state', '=', 'processing')
        .$if(!mine, (query) => query.where('lease_until', '<', clock.now()))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async cancel(tx: Tx, id: string) {
      const { numUpdatedRows } = await tx
        .updateTable('agent_runs')
        .set({ cancel_at: clock.now() })
        .where('id', '=', id)
        .where('state', '=', 'processing')
        .where('cancel_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    finish: (tx: Tx, id: string, { state, error, result }: AgentEnd) =>
      inTransaction(db, tx, async (tx) => {
        const now = clock.now()
        const { numUpdatedRows } = await tx
          .updateTable('agent_runs')
          .set({
            state,
            error: error ?? null,
            result: result === undefined ? null : JSON.stringify(result),
            finished_at: now,
            expires_at: now + LIFE_MS,
          })
          .where('id', '=', id)
          .where('state', '=', 'processing')
          // A run whose cancel was accepted does not complete.
          .$if(state === 'succeeded', (query) => query.where('cancel_at', 'is', null))
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),
    /** Open runs whose lease has lapsed. */
    async lapsed(limit: number) {
      const rows = await db
        .selectFrom('agent_runs')
        .select('id')
        .where('state', '=', 'processing')
        .where('lease_until', '<', clock.now())
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}

function stepsOf(db: Db, clock: Clock) {
  return {
    async steps(id: string, tx?: Tx) {
      const rows = await (tx ?? db)
        .selectFrom('agent_steps')
        .selectAll()
        .where('run_id', '=', id)
        .orderBy('n')
        .execute()
      return rows.map(stepRows.read)
    },
    /** False when the run's cap does not allow it. An existing step is left unchanged. */
    async open(tx: Tx, id: string, step: Pick<AgentStep, 'n' | 'callId' | 'tool' | 'input' | 'credits'>) {
      const { n, credits } = step
      const known = await tx
        .selectFrom('agent_steps')
        .select('n')
        .where('run_id', '=', id)
        .where('n', '=', n)
        .executeTakeFirst()
      if (known) return true
      const { numUpdatedRows } = await tx
        .updateTable('agent_runs')
        .set({ credits: sql`credits + ${credits}` })
        .where('id', '=', id)
        .where('state', '=', 'processing')
        .where('cancel_at', 'is', null)
        .where(sql<boolean>`credits + ${credits} <= max_credits`)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return false
      const row = stepRows.write({ ...step, runId: id, state: 'open', at: clock.now() })
      await tx.insertInto('agent_steps').values(row).execute()
      return true
    },
    /** False when it had ended before. */
    async close(
      tx: Tx,
      id: string,
      { n, state, credits, result }: { n: number; state: 'done' | 'failed'; credits: number; result: unknown },
    ) {
      const step = await tx
        .selectFrom('agent_steps')
        .select(['credits', 'state'])
        .where('run_id', '=', id)
        .where('n', '=', n)
        .executeTakeFirst()
      if (step?.state !== 'open') return false
      await tx
        .updateTable('agent_steps')
        .set({ state, credits, result: JSON.stringify(result) })
        .where('run_id', '=', id)
        .where('n', '=', n)
        .execute()
      await tx
        .updateTable('agent_runs')
        .set({ credits: sql`credits + ${credits - Number(step.credits)}` })
        .where('id', '=', id)
        .execute()
      return true
    },
  }
}

function traceOf(db: Db) {
  return {
    /** Appends events; each builder receives the event's number. */
    async record(tx: Tx, id: string, events: readonly ((n: number) => object)[]) {
      if (events.length === 0) return
      const row = await tx
        .updateTable('agent_runs')
        .set({ events: sql`events + ${events.length}` })
        .where('id', '=', id)
        .returning('events')
        .executeTakeFirst()
      if (!row) return
      const first = Number(row.events) - events.length + 1
      const bodies = events.map((event, at) => ({
        run_id: id,
        n: first + at,
        body: JSON.stringify(event(first + at)),
      }))
      await tx.insertInto('agent_events').values(bodies).execute()
    },
    async events(id: string) {
      const rows = await db.selectFrom('agent_events').select('body').where('run_id', '=', id).orderBy('n').execute()
      return rows.map(({ body }) => body)
    },
    async keepSnapshot(tx: Tx, id: string, snapshotId: string, body: string) {
      await tx.insertInto('agent_snapshots').values({ run_id: id, id: snapshotId, body }).execute()
    },
    async snapshot(id: string, snapshotId: string) {
      const row = await db
        .selectFrom('agent_snapshots')
        .select('body')
        .where('run_id', '=', id)
        .where('id', '=', snapshotId)
        .executeTakeFirst()
      return row?.body
    },
  }
}

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
