// The HTTP routes of agent: start, status, list, cancel, trace, snapshots, threads.

import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { isUuid } from '../../base/uuid-format.ts'
import { defineCapability } from '../capability.ts'
import { successReply } from '../schema-parts.ts'
import { mcp } from './mcp.ts'
import { defineRoute, type HandlerServices } from './own-services.ts'
import { assertKnownSchemaKeywords } from './reject-unknown-schema-keywords.ts'
import { replayRun } from './replay-run.ts'
import { requestForms } from './request-forms.ts'
import { makeRunHandler } from './run-loop.ts'
import {
  agentBody,
  agentListReply,
  agentReplayReply,
  agentSnapshotReply,
  agentSpansReply,
  agentStartedReply,
  agentStatusReply,
  agentThreadReply,
  agentTraceReply,
} from './schema.ts'
import { AGENT_QUEUE_NAME, planWithoutRunning, type StoredRunRequest, startRun } from './start-run.ts'
import type { AgentRun } from './store/agent-runs.ts'
import { agentStore } from './store/index.ts'
import { agentTools } from './tools/index.ts'
import { toTraceRecord } from './trace-events.ts'
import { traceToOtelSpans } from './trace-to-otel-spans.ts'

const PATH = '/v2/agent'
const PAGE = 20
const RUNS_AT_ONCE = 4
const LOST_RUNS = 50

const postAgent = defineRoute({
  method: 'POST',
  path: PATH,
  summary: 'Run an agent',
  activity: 'agent',
  command: 'agent',
  bucket: 'task',
  formats: () => ['json'],
  body: agentBody,
  example: { prompt: 'Find the founders of Example and when it was founded', urls: ['https://example.com'] },
  reply: agentStartedReply,
  async handle(has, { body }, call) {
    if (body.schema !== undefined) await assertKnownSchemaKeywords(body.schema)
    if (body.dryRun) return { success: true, quote: planWithoutRunning(has, body) }
    const started = await startRun(has, body, call)
    call.note({ jobId: started.id })
    return { success: true, ...started }
  },
})

const list = defineRoute({
  method: 'GET',
  path: PATH,
  summary: "The team's runs, newest first",
  command: 'agent list',
  bucket: 'taskStatus',
  query: z.object({
    before: z.string().optional().describe('Runs that began before this moment, in Unix milliseconds.'),
  }),
  reply: agentListReply,
  async handle({ store }, { query }, { caller, baseUrl }) {
    const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.before)
    if (!Number.isSafeInteger(before) || before <= 0)
      throw new Problem('bad_request', { instead: 'Invalid before timestamp.' })
    const runs = await agentStore(store).list(caller.teamId, before, PAGE)
    const last = runs.at(-1)
    return {
      success: true,
      agents: runs.map(toListedRun),
      ...(runs.length === PAGE && last ? { next: `${baseUrl}${PATH}?before=${last.createdAt}` } : {}),
    }
  },
})

function toListedRun(run: AgentRun) {
  const { body } = JSON.parse(run.body) as StoredRunRequest
  const { prompt, urls, schema, effort, origin, integration } = body
  return {
    id: run.id,
    createdAt: new Date(run.createdAt).toISOString(),
    targetHint: urls?.[0] ?? prompt.slice(0, 200),
    origin: origin ?? 'api',
    ...(integration ? { integration } : {}),
    settings: { hidden: false, starred: false },
    status: statusOf(run),
    options: {
      prompt,
      model: body.model ?? 'spark-2',
      ...(urls ? { urls } : {}),
      ...(schema ? { schema } : {}),
      ...(effort ? { effort } : {}),
    },
  }
}

const statusOf = ({ state }: AgentRun) =>
  state === 'processing' ? 'processing' : state === 'succeeded' ? 'completed' : 'failed'

const get = defineRoute({
  method: 'GET',
  path: `${PATH}/:jobId`,
  summary: 'Status and data of a run',
  command: 'agent status',
  bucket: 'taskStatus',
  reply: agentStatusReply,
  async handle(has, { params }, { caller }) {
    const run = await ownRun(has, params.jobId, caller.teamId)
    const { body } = JSON.parse(run.body) as StoredRunRequest
    const { data, sources, message, warning, tokens, confidence } = JSON.parse(run.result ?? '{}') as Record<
      string,
      unknown
    >
    return {
      success: true,
      id: run.id,
      status: statusOf(run),
      ...(run.state === 'succeeded' ? { data } : {}),
      ...(run.error === null ? {} : { error: run.error }),
      ...(run.state === 'credit_limit_reached' ? { stopReason: run.state } : {}),
      model: body.model ?? 'spark-2',
      ...(body.effort ? { effort: body.effort } : {}),
      expiresAt: new Date(run.expiresAt).toISOString(),
      creditsUsed: statusOf(run) === 'failed' ? 0 : run.credits,
      maxCredits: run.maxCredits,
      threadId: run.threadId,
      threadTurn: run.turn,
      mode: body.mode,
      ...(message ? { message } : {}),
      ...(warning ? { warning } : {}),
      ...(typeof confidence === 'number' ? { confidence } : {}),
      ...(sources ? { sources } : {}),
      ...(tokens ? { tokens: tokens as { used: number; most: number } } : {}),
    }
  },
})

const cancel = defineRoute({
  method: 'DELETE',
  path: `${PATH}/:jobId`,
  summary: 'Cancel a run; it ends at its next step and costs nothing',
  command: 'agent cancel',
  reply: successReply(),
  async handle(has, { params }, { caller }) {
    const { store, clock, queue } = has
    const run = await ownRun(has, params.jobId, caller.teamId)
    if (run.state !== 'processing') throw new Problem('conflict', { instead: 'Agent already finished' })
    const asked = await store.transaction(async (tx) => {
      if (!(await agentStore(store).cancel(tx, run.id))) return false
      const event = toTraceRecord(run.id, clock.now(), { type: 'run.cancel_requested', reason: 'user' })
      await agentStore(store).record(tx, run.id, [event])
      // The worker that holds the run notices by itself; this work message ends a run that no worker holds.
      await queue.enqueue(tx, AGENT_QUEUE_NAME, [run.id])
      return true
    })
    if (!asked) throw new Problem('conflict', { instead: 'Agent is already cancelled' })
    return { success: true }
  },
})

const trace = defineRoute({
  method: 'GET',
  path: `${PATH}/:jobId/trace`,
  summary: 'Trace of a run, event by event',
  command: 'agent trace',
  bucket: 'taskStatus',
  query: z.object({ liveView: z.enum(['true', 'false']).optional().describe('Also list open browsers.') }),
  reply: agentTraceReply,
  async handle(has, { params, query }, { caller, baseUrl }) {
    const run = await ownRun(has, params.jobId, caller.teamId)
    assertTraced(run, 'Trace is only available for Spark 2 extracts')
    const events = (await agentStore(has.store).events(run.id)).map((text) => JSON.parse(text) as object)
    return {
      success: true,
      id: run.id,
      events,
      creditsUsed: statusOf(run) === 'failed' ? 0 : run.credits,
      ...(query.liveView === 'true' ? { activeBrowserSessions: await browsersOf(has, run, baseUrl) } : {}),
    }
  },
})

async function browsersOf({ browserSessions }: HandlerServices, run: AgentRun, baseUrl: string) {
  const rows = run.state === 'processing' ? await browserSessions.sessions.activeOfRun(run.id) : []
  return rows.map((row) => ({
    id: row.id,
    liveViewUrl: browserSessions.linksOf(row, baseUrl).liveViewUrl,
    viewport: { width: 1280, height: 800 },
  }))
}

const spans = defineRoute({
  method: 'GET',
  path: `${PATH}/:jobId/spans`,
  summary: 'Trace of a run as OpenTelemetry spans (OTLP JSON)',
  command: 'agent spans',
  bucket: 'taskStatus',
  reply: agentSpansReply,
  async handle(has, { params }, { caller }) {
    const run = await ownRun(has, params.jobId, caller.teamId)
    assertTraced(run, 'Trace is only available for Spark 2 extracts')
    const events = (await agentStore(has.store).events(run.id)).map((text) => JSON.parse(text))
    return traceToOtelSpans(run, events, has.version) as z.output<typeof agentSpansReply>
  },
})

const replay = defineRoute({
  method: 'GET',
  path: `${PATH}/:jobId/replay`,
  summary: 'Repeat a finished run from the pages it read; nothing is visited',
  command: 'agent replay',
  bucket: 'taskStatus',
  reply: agentReplayReply,
  async handle(has, { params }, { caller }) {
    const run = await ownRun(has, params.jobId, caller.teamId)
    if (run.state !== 'succeeded')
      throw new Problem('conflict', { instead: 'Only a run that ended with an answer can be replayed' })
    return { success: true, id: run.id, ...replayRun(run, await agentStore(has.store).steps(run.id)) }
  },
})

const snapshot = defineRoute({
  method: 'GET',
  path: `${PATH}/:jobId/snapshots/:snapshotId`,
  summary: 'The result of a run at an event of its trace',
  command: 'agent snapshot',
  bucket: 'taskStatus',
  reply: agentSnapshotReply,
  async handle(has, { params }, { caller }) {
    const run = await ownRun(has, params.jobId, caller.teamId)
    const { snapshotId = '' } = params
    if (!isUuid(snapshotId)) throw new Problem('bad_request', { instead: 'Invalid snapshot ID' })
    assertTraced(run, 'Snapshots are only available for Spark 2 extracts')
    const text = await agentStore(has.store).snapshot(run.id, snapshotId.toLowerCase())
    if (text === undefined) throw new Problem('job_not_found', { instead: 'Snapshot not found' })
    return { success: true, id: run.id, snapshotId, snapshot: text }
  },
})

const thread = defineRoute({
  method: 'GET',
  path: `${PATH}/threads/:threadId`,
  summary: 'A conversation, run by run',
  command: 'agent thread',
  bucket: 'taskStatus',
  query: z.object({ includeData: z.enum(['true', 'false']).optional() }),
  reply: agentThreadReply,
  async handle({ store, clock }, { params, query }, { caller }) {
    const id = (params.threadId ?? '').toLowerCase()
    const runs = isUuid(id) ? await agentStore(store).thread(caller.teamId, id) : []
    const [first, last] = [runs[0], runs.at(-1)]
    if (!first || !last) throw new Problem('thread_not_found')
    if (last.expiresAt <= clock.now()) throw new Problem('thread_expired')
    return {
      success: true,
      thread: {
        id,
        createdAt: new Date(first.createdAt).toISOString(),
        updatedAt: new Date(last.finishedAt ?? last.createdAt).toISOString(),
        status: runs.some(({ state }) => state === 'processing') ? 'running' : 'idle',
        runs: runs.map((run) => turnOf(run, query.includeData === 'true')),
      },
    }
  },
})

function turnOf(run: AgentRun, withData: boolean) {
  const { body } = JSON.parse(run.body) as StoredRunRequest
  const { data, message } = JSON.parse(run.result ?? '{}') as Record<string, unknown>
  const { prompt, urls, schema, effort, mode } = body
  return {
    id: run.id,
    turn: run.turn,
    mode,
    prompt,
    ...(urls ? { urls } : {}),
    ...(schema ? { schema } : {}),
    ...(effort ? { effort } : {}),
    status: run.state,
    createdAt: new Date(run.createdAt).toISOString(),
    finishedAt: run.finishedAt === null ? null : new Date(run.finishedAt).toISOString(),
    creditsUsed: statusOf(run) === 'failed' ? 0 : run.credits,
    message: message ?? null,
    ...(withData && run.state === 'succeeded' ? { data } : {}),
  }
}

async function ownRun({ store, clock }: HandlerServices, id = '', teamId: string): Promise<AgentRun> {
  if (!isUuid(id)) throw new Problem('invalid_job_id')
  const run = await agentStore(store).get(id.toLowerCase())
  if (!run || run.teamId !== teamId || run.expiresAt <= clock.now())
    throw new Problem('job_not_found', { instead: 'Agent job not found' })
  return run
}

/** Runs under an older model's name have no trace, as that model had none. */
function assertTraced(run: AgentRun, instead: string): void {
  const { model = 'spark-2' } = (JSON.parse(run.body) as StoredRunRequest).body
  if (model !== 'spark-2') throw new Problem('bad_request', { instead })
}

export const agentCapability = defineCapability({
  name: 'agent',
  tag: 'Agent',
  needs: ['browserSessions', 'search'],
  right: 'use',
  cliGroup: 'Work with pages',
  mcp,
  requestForms,
  storage: agentStore,
  group: 'agent',
  open: () => ({
    own: { agentTools },
  }),
  routes: [postAgent, list, thread, get, cancel, trace, spans, replay, snapshot],
  work: (given) => ({
    wakeUps: { [AGENT_QUEUE_NAME]: { concurrency: RUNS_AT_ONCE, answer: makeRunHandler(given) } },
    // Recovers runs of dead processes.
    async poll() {
      const { store, queue } = given
      const lost = await agentStore(store).lapsed(LOST_RUNS)
      if (lost.length > 0) await store.transaction((tx) => queue.enqueue(tx, AGENT_QUEUE_NAME, lost))
    },
  }),
  prices: [{ what: 'An agent run: the searches, maps and pages it took; nothing when it fails', credits: 0 }],
})
