// Ends a run: with data, charged in the same transaction, or failed and free. Final trace events and the webhook are
// written in that transaction.

import { asProblem } from '../../base/problem.ts'
import type { Store } from '../../store/index.ts'
import type { AgentAnswer, Notebook } from './notebook.ts'
import type { HandlerServices } from './own-services.ts'
import { keepSnapshot, recordTraceEventsInTransaction } from './record-trace-events.ts'
import type { AgentBody } from './schema.ts'
import { queueAgentWebhook } from './start-run.ts'
import type { AgentRun } from './store/agent-runs.ts'
import { agentStore } from './store/index.ts'
import { isSubagentCallId, type RunOutcome, type TraceError, type TraceEvent, toTraceRecord } from './trace-events.ts'

const NO_MODEL =
  'Done without a language model: links were followed by their words, and answers quote the pages. With one (ORB_LLM_URL) it can compare and conclude.'

const LEFT_OUT = 'URLs, e-mail addresses, phone numbers or ids of the model that are not on the page were left out'
const MAX_NAMED = 8

/** Names the values that no page says in so many words. */
function doubtWarning(sources: AgentAnswer['sources']): string {
  const paths = Object.entries(sources).flatMap(([path, { verified }]) => (verified === false ? [path] : []))
  if (paths.length === 0) return ''
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''
  return `The pages do not state these values of the model literally: ${paths.slice(0, MAX_NAMED).join(', ')}${more}.`
}

/** Model usage, and why the model was no longer called. */
interface ModelShare {
  tokens: { used: number; most: number; cost?: number } | undefined
  warning: string
}

type RunEnd = { notebook: Notebook; answer: AgentAnswer; because: string; pages: number }

const CANCELLED: TraceError = {
  code: 'cancelled',
  source: 'agent',
  retryable: false,
  message: 'Agent was cancelled by user.',
}
const CREDIT_LIMIT_REACHED: TraceError = {
  code: 'credit_limit_reached',
  source: 'billing',
  retryable: false,
  message: 'Agent reached its credit limit (maxCredits).',
}

export function makeRunFinisher(has: HandlerServices, run: AgentRun) {
  const { store, clock } = has
  const makeLastEvents = (outcome: RunOutcome, error: TraceError | null): TraceEvent[] => [
    {
      type: 'agent.finished',
      outcome: outcome === 'credit_limit_reached' ? 'failed' : outcome,
      durationMs: Math.max(0, clock.now() - run.createdAt),
      error,
    },
    { type: 'run.finished', outcome, error },
  ]

  async function without(state: Exclude<RunOutcome, 'succeeded'>, error: TraceError): Promise<void> {
    await store.transaction(async (tx) => {
      if (!(await agentStore(store).finish(tx, run.id, { state, error: error.message }))) return
      const events: TraceEvent[] = [{ type: 'error.occurred', error }, ...makeLastEvents(state, error)]
      const readers = (await agentStore(store).steps(run.id, tx)).filter(
        ({ state, callId }) => state === 'open' && isSubagentCallId(callId),
      )
      await agentStore(store).record(tx, run.id, [
        ...readers.map(({ callId, at }) => toTraceRecord(run.id, clock.now(), leftBehind(clock.now() - at), callId)),
        ...events.map((event) => toTraceRecord(run.id, clock.now(), event)),
      ])
      const name = state === 'cancelled' ? 'cancelled' : 'failed'
      const because = name === 'failed' ? error.message : undefined
      await queueAgentWebhook(has, tx, run, name, false, { creditsUsed: 0 }, because)
    })
  }

  const failed = (message: string) => without('failed', { code: 'internal', source: 'agent', retryable: true, message })

  const cancelled = () => without('cancelled', CANCELLED)

  return {
    async done(body: AgentBody, { notebook, answer, because, pages }: RunEnd, model: ModelShare) {
      const read = !notebook.isEmpty || notebook.pages.length > 0
      if (!read) return failed(`No page could be read. ${because}`)
      const { data } = answer
      const result = resultOf(has, body, { notebook, answer, because, pages }, model)
      const text = JSON.stringify(data)
      const isShown = (await readLastSnapshot(store, run.id)) === text
      let isDone = false
      try {
        await store.transaction(async (tx) => {
          const now = await agentStore(store).get(run.id, tx)
          if (!now || !(await agentStore(store).finish(tx, run.id, { state: 'succeeded', result }))) return
          isDone = true
          const { teamId, keyId, id, credits } = now
          await store.ledger.charge({ jobId: id, teamId, keyId, credits, endpoint: 'agent' }, tx)
          const working: TraceEvent = { type: 'progress.reported', phase: 'finalizing', message: because }
          const shown = isShown ? [] : [await keepSnapshot(store, tx, id, { text, items: notebook.items })]
          await recordTraceEventsInTransaction(has, tx, now, working, ...shown, ...makeLastEvents('succeeded', null))
          await queueAgentWebhook(has, tx, now, 'completed', true, { creditsUsed: credits, data })
        })
      } catch (error) {
        const problem = asProblem(error)
        if (problem.kind !== 'no_credit') throw error
        return failed(problem.message)
      }
      if (!isDone && (await agentStore(store).get(run.id))?.cancelAt != null) await cancelled()
    },
    failed,
    cancelled,
    /** No step could be opened: cancelled, or the credit limit is reached. */
    async notOpened() {
      const now = await agentStore(store).get(run.id)
      if (now?.cancelAt != null) return cancelled()
      await without('credit_limit_reached', CREDIT_LIMIT_REACHED)
    },
    /** The model refused the task. */
    refused(reason: string) {
      const message = `The language model refused the task: ${reason}.`
      return without('refused', { code: 'refused', source: 'agent', retryable: false, message })
    },
  }
}

async function readLastSnapshot(store: Store, runId: string): Promise<string | undefined> {
  const events = (await agentStore(store).events(runId)).map((text) => JSON.parse(text) as TraceEvent)
  const last = events.findLast((event) => event.type === 'artifact.updated')
  return last && agentStore(store).snapshot(runId, last.artifact.snapshotId)
}

function resultOf(
  { llm }: HandlerServices,
  body: AgentBody,
  { notebook, answer, because, pages }: RunEnd,
  model: ModelShare,
) {
  const { data, sources, confidence } = answer
  const missing = notebook.open.filter((name) => name !== 'answer' || data === null)
  const left = notebook.dropped.slice(0, MAX_NAMED).join(', ')
  const warning = [
    missing.length > 0 ? `Not found: ${missing.join(', ')}. ${because}` : '',
    doubtWarning(sources),
    left === '' ? '' : `${LEFT_OUT}: ${left}.`,
    llm.by === 'model' ? model.warning : NO_MODEL,
  ].filter(Boolean)
  const message = body.mode === 'chat' ? answerTextOf(data) : undefined
  return {
    data,
    sources,
    pages,
    ...(confidence === undefined ? {} : { confidence: Math.round(confidence * 100) / 100 }),
    warning: warning.join(' '),
    ...(message ? { message } : {}),
    ...(model.tokens ? { tokens: model.tokens } : {}),
  }
}

/** The trace event that ends a subagent whose run ended before its step. */
const leftBehind = (ms: number): TraceEvent => ({
  type: 'agent.finished',
  outcome: 'cancelled',
  durationMs: Math.max(0, ms),
  error: {
    code: 'parent_finished',
    source: 'agent',
    retryable: false,
    message: 'The run ended before this step.',
  },
})

function answerTextOf(data: unknown): string {
  const { answer } = (data ?? {}) as { answer?: unknown }
  if (typeof answer === 'string') return answer
  return `Here is what was found: ${JSON.stringify(data).slice(0, 2000)}`
}
