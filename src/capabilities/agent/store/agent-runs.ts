// Agent runs, their steps, events and snapshots. One statement adds a step and checks the credit cap, so parallel
// steps cannot exceed it.
import { type Selectable, sql } from 'kysely'
import { type Clock, DAY_MS } from '../../../base/clock.ts'
import { type Db, inTransaction, type Tables, type Tx } from '../../../store/tables.ts'
import type { AgentRunState } from './tables.ts'

interface NewAgentRun {
  id: string
  teamId: string
  keyId: string | null
  threadId: string
  turn: number
  body: unknown
  webhook: unknown
  maxCredits: number
}

export interface AgentRun {
  id: string
  teamId: string
  keyId: string | null
  threadId: string
  turn: number
  state: AgentRunState
  /** JSON. */
  body: string
  webhook: string | null
  maxCredits: number
  credits: number
  cancelAt: number | null
  createdAt: number
  finishedAt: number | null
  expiresAt: number
  error: string | null
  /** JSON. */
  result: string | null
}

export interface AgentStep {
  n: number
  callId: string
  tool: string
  input: string
  /** `open`: begun, maybe by a process that died. A step is charged once however often it is begun. */
  state: 'open' | 'done' | 'failed'
  credits: number
  at: number
  result: string | null
}

interface AgentEnd {
  state: Exclude<AgentRunState, 'processing'>
  error?: string
  result?: unknown
}

export interface AgentRunStore {
  add(tx: Tx, run: NewAgentRun): Promise<void>
  get(id: string, tx?: Tx): Promise<AgentRun | undefined>
  list(teamId: string, before: number, limit: number): Promise<AgentRun[]>
  thread(teamId: string, threadId: string): Promise<AgentRun[]>
  /** Takes the lease, or extends it when `mine`; false when another process holds it. */
  lease(id: string, until: number, mine: boolean): Promise<boolean>
  steps(id: string, tx?: Tx): Promise<AgentStep[]>
  /** False when the run's cap does not allow it. An existing step is left unchanged. */
  open(tx: Tx, id: string, step: Pick<AgentStep, 'n' | 'callId' | 'tool' | 'input' | 'credits'>): Promise<boolean>
  /** False when it had ended before. */
  close(
    tx: Tx,
    id: string,
    step: { n: number; state: 'done' | 'failed'; credits: number; result: unknown },
  ): Promise<boolean>
  /** Appends events; each builder receives the event's number. */
  record(tx: Tx, id: string, events: readonly ((n: number) => object)[]): Promise<void>
  events(id: string): Promise<string[]>
  keepSnapshot(tx: Tx, id: string, snapshotId: string, body: string): Promise<void>
  snapshot(id: string, snapshotId: string): Promise<string | undefined>
  cancel(tx: Tx, id: string): Promise<boolean>
  finish(tx: Tx, id: string, end: AgentEnd): Promise<boolean>
  /** Open runs whose lease has lapsed. */
  lapsed(limit: number): Promise<string[]>
}

const LIFE_MS = DAY_MS

export const openAgentRuns = (db: Db, clock: Clock): AgentRunStore => ({
  ...runReads(db, clock),
  ...runWrites(db, clock),
  ...stepsOf(db, clock),
  ...traceOf(db),
})

function runReads(db: Db, clock: Clock): Pick<AgentRunStore, 'get' | 'list' | 'thread'> {
  const runs = (tx: Tx | Db = db) => tx.selectFrom('agent_runs').selectAll()
  return {
    async get(id, tx) {
      const row = await runs(tx).where('id', '=', id).executeTakeFirst()
      return row && runOf(row)
    },
    async list(teamId, before, limit) {
      const rows = await runs()
        .where('team_id', '=', teamId)
        .where('created_at', '<', before)
        .where('expires_at', '>', clock.now())
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(runOf)
    },
    async thread(teamId, threadId) {
      const rows = await runs()
        .where('thread_id', '=', threadId)
        .where('team_id', '=', teamId)
        .orderBy('turn')
        .limit(200)
        .execute()
      return rows.map(runOf)
    },
  }
}

function runWrites(db: Db, clock: Clock): Pick<AgentRunStore, 'add' | 'lease' | 'cancel' | 'finish' | 'lapsed'> {
  return {
    async add(tx, { id, teamId, keyId, threadId, turn, body, webhook, maxCredits }) {
      const now = clock.now()
      await tx
        .insertInto('agent_runs')
        .values({
          id,
          team_id: teamId,
          key_id: keyId,
          thread_id: threadId,
          turn,
          state: 'processing',
          body: JSON.stringify(body),
          webhook: webhook === null ? null : JSON.stringify(webhook),
          max_credits: maxCredits,
          created_at: now,
          // Upper bound while it runs; `finish` sets the real expiry.
          expires_at: now + 3 * LIFE_MS,
        })
        .execute()
    },
    async lease(id, until, mine) {
      const { numUpdatedRows } = await db
        .updateTable('agent_runs')
        .set({ lease_until: until })
        .where('id', '=', id)
        .where('state', '=', 'processing')
        .$if(!mine, (query) => query.where('lease_until', '<', clock.now()))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async cancel(tx, id) {
      const { numUpdatedRows } = await tx
        .updateTable('agent_runs')
        .set({ cancel_at: clock.now() })
        .where('id', '=', id)
        .where('state', '=', 'processing')
        .where('cancel_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    finish: (tx, id, { state, error, result }) =>
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
    async lapsed(limit) {
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

function stepsOf(db: Db, clock: Clock): Pick<AgentRunStore, 'steps' | 'open' | 'close'> {
  return {
    async steps(id, tx) {
      const rows = await (tx ?? db)
        .selectFrom('agent_steps')
        .selectAll()
        .where('run_id', '=', id)
        .orderBy('n')
        .execute()
      return rows.map((row) => ({
        n: Number(row.n),
        callId: row.call_id,
        tool: row.tool,
        input: row.input,
        state: row.state,
        credits: Number(row.credits),
        at: Number(row.at),
        result: row.result,
      }))
    },
    async open(tx, id, { n, callId, tool, input, credits }) {
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
      const step = { run_id: id, n, call_id: callId, tool, input, state: 'open' as const, credits, at: clock.now() }
      await tx.insertInto('agent_steps').values(step).execute()
      return true
    },
    async close(tx, id, { n, state, credits, result }) {
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

function traceOf(db: Db): Pick<AgentRunStore, 'record' | 'events' | 'keepSnapshot' | 'snapshot'> {
  return {
    async record(tx, id, events) {
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
    async events(id) {
      const rows = await db.selectFrom('agent_events').select('body').where('run_id', '=', id).orderBy('n').execute()
      return rows.map(({ body }) => body)
    },
    async keepSnapshot(tx, id, snapshotId, body) {
      await tx.insertInto('agent_snapshots').values({ run_id: id, id: snapshotId, body }).execute()
    },
    async snapshot(id, snapshotId) {
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

type Row = Omit<Selectable<Tables['agent_runs']>, 'events' | 'lease_until'>

const whenever = (at: number | null): number | null => (at === null ? null : Number(at))

const runOf = (row: Row): AgentRun => ({
  id: row.id,
  teamId: row.team_id,
  keyId: row.key_id,
  threadId: row.thread_id,
  turn: Number(row.turn),
  state: row.state,
  body: row.body,
  webhook: row.webhook,
  maxCredits: Number(row.max_credits),
  credits: Number(row.credits),
  cancelAt: whenever(row.cancel_at),
  createdAt: Number(row.created_at),
  finishedAt: whenever(row.finished_at),
  expiresAt: Number(row.expires_at),
  error: row.error,
  result: row.result,
})
