// Starts a run: refused before anything is written, or a row and a work message in one transaction. Also queues the
// run's webhooks.

import { prices } from '../../base/prices.ts'
import { asProblem, Problem } from '../../base/problem.ts'
import { queueWebhook } from '../../jobs/webhook-events.ts'
import { newId } from '../../store/id.ts'
import type { Tx } from '../../store/tables.ts'
import type { RouteCall } from '../route.ts'
import { breadthFirstChooser } from './breadth-first-chooser.ts'
import {
  type ConversationTurn,
  conversationTurnsOf,
  type RememberedFact,
  scoreFactRelevance,
} from './conversation-digest.ts'
import { deriveGoal, type Goal } from './derive-goal.ts'
import { Notebook } from './notebook.ts'
import type { HandlerServices } from './own-services.ts'
import { newRunProgress } from './run-progress.ts'
import { AGENT_EVENTS, type AgentBody } from './schema.ts'
import { EFFORT_LIMITS, type EffortLimits, PAGE_SECONDS, type PlannedStep } from './steps.ts'
import type { AgentRun } from './store/agent-runs.ts'
import { agentStore } from './store/index.ts'
import { maxPriceOfStep } from './tools/agent-tool.ts'
import { toTraceRecord } from './trace-events.ts'

export type StoredRunRequest = { body: AgentBody; plan: string; isFollowUp?: true }

export const goalOfRun = ({ body, isFollowUp }: StoredRunRequest): Goal =>
  deriveGoal({ ...body, schema: body.schema as never, isFollowUp })

export const AGENT_QUEUE_NAME = 'agent'

export async function startRun(has: HandlerServices, body: AgentBody, call: RouteCall) {
  const { store, clock, queue, assertVisitable } = has
  const { teamId, keyId, plan, zeroDataRetention } = call.caller
  if (zeroDataRetention === 'forced')
    throw new Problem('bad_request', {
      instead: 'Your team has zero data retention enabled. This is not supported on extract.',
    })
  for (const url of body.urls ?? []) assertVisitable(url)
  const { left } = await store.ledger.balance(teamId)
  if (left !== null && left <= 0) throw new Problem('no_credit', { because: 'none are left' })
  const id = newId(clock.now())
  const thread = await threadFor(has, body, teamId)
  const run = {
    id,
    teamId,
    keyId,
    threadId: thread.id ?? id,
    turn: thread.turn,
    body: {
      body: { ...body, urls: body.urls ?? thread.urls },
      plan,
      ...(body.urls || !thread.urls ? {} : { isFollowUp: true as const }),
    } satisfies StoredRunRequest,
    webhook: body.webhook ?? null,
    // A team cannot spend more than it has left.
    maxCredits: Math.floor(Math.min(body.maxCredits, left ?? body.maxCredits)),
  }
  const submitted = store.transaction(async (tx) => {
    await agentStore(store).add(tx, run)
    // Both in one write, so that a worker that resumes the run need not check which was written.
    const begun = (['run.started', 'agent.started'] as const).map((type) => toTraceRecord(id, clock.now(), { type }))
    await agentStore(store).record(tx, id, begun)
    const webhook = run.webhook === null ? null : JSON.stringify(run.webhook)
    await queueAgentWebhook(has, tx, { id, teamId, keyId, webhook }, 'started', true)
    await queue.enqueue(tx, AGENT_QUEUE_NAME, [id])
  })
  await submitted.catch((error: unknown) => {
    const problem = asProblem(error)
    throw problem.kind === 'internal'
      ? new Problem('internal', { instead: 'Failed to passthrough agent request.', cause: error })
      : problem
  })
  return { id, threadId: run.threadId, threadTurn: run.turn }
}

/** The conversation of a run: new, or that of an earlier run, whose pages become its start. */
async function threadFor({ store, clock }: HandlerServices, body: AgentBody, teamId: string) {
  const { threadId } = body
  if (threadId === undefined) return { id: undefined, turn: 1, urls: undefined }
  const runs = await agentStore(store).thread(teamId, threadId)
  const last = runs.at(-1)
  if (!last) throw new Problem('thread_not_found')
  if (last.expiresAt <= clock.now()) throw new Problem('thread_expired')
  const busy = runs.find(({ state }) => state === 'processing')
  if (busy) throw new Problem('thread_busy', { also: { runId: busy.id } })
  const pages = pagesFor(conversationTurnsOf(runs), deriveGoal({ ...body, schema: body.schema as never }).terms)
  return { id: threadId, turn: last.turn + 1, urls: pages.length > 0 ? pages : undefined }
}

/** Where a turn starts: pages more relevant than those of the previous turn, then those. */
function pagesFor(earlier: readonly ConversationTurn[], wanted: ReadonlySet<string>): string[] {
  const scoreFacts = (facts: readonly RememberedFact[]) =>
    facts.map((fact) => ({ url: fact.source.url, score: scoreFactRelevance(fact, wanted) }))
  const last = scoreFacts(earlier.at(-1)?.facts ?? [])
  const least = Math.max(1, ...last.map(({ score }) => score))
  const older = scoreFacts(earlier.slice(0, -1).flatMap(({ facts }) => facts)).filter(({ score }) => score > least)
  older.sort((one, other) => other.score - one.score)
  const named = [...older.slice(0, MAX_OLDER), ...last].map(({ url }) => url)
  return [...new Set(named)].slice(0, MAX_PAGES)
}

const [MAX_PAGES, MAX_OLDER] = [5, 2]

const PAGE_CREDITS = prices.page + prices.formats.json!

export function planWithoutRunning({ agentTools }: HandlerServices, body: AgentBody) {
  const goal = deriveGoal({ ...body, schema: body.schema as never })
  const effort = EFFORT_LIMITS[body.effort ?? 'medium']
  const { steps, because } = breadthFirstChooser.next({
    goal,
    notebook: new Notebook(goal),
    progress: newRunProgress(),
    effort,
  })
  const pages = Math.min(effort.pages, expectedPages(goal, steps, effort))
  const first = steps
    .filter(({ tool }) => tool === 'search' || tool === 'map')
    .reduce((sum, step) => sum + maxPriceOfStep(agentTools, step), 0)
  return {
    plan: steps,
    because,
    ...(goal.isFromPrompt ? { schema: goal.schema } : {}),
    pages: Math.ceil(pages),
    secondsPerPage: PAGE_SECONDS,
    estimatedCredits: first + Math.round(pages * PAGE_CREDITS),
  }
}

/** A list continues over pages; other goals need the named pages and a few links. */
function expectedPages(goal: Goal, steps: readonly PlannedStep[], effort: EffortLimits): number {
  const [first] = steps
  const named = goal.urls.length
  if (first?.tool === 'crawl') return first.input.limit
  if (first?.tool === 'extract') return named
  if (goal.shape === 'list') return Math.max(12, named * 4)
  return goal.shape === 'answer' ? effort.pages : named + 2 * effort.breadth
}

export async function queueAgentWebhook(
  services: HandlerServices,
  tx: Tx,
  run: Pick<AgentRun, 'id' | 'teamId' | 'keyId' | 'webhook'>,
  name: (typeof AGENT_EVENTS)[number],
  success: boolean,
  data?: object,
  error?: string,
): Promise<void> {
  const dataText = data && JSON.stringify(data)
  const event = { name, success, error, ...(dataText === undefined ? {} : { dataText }) }
  await queueWebhook(services, tx, { ...run, kind: 'agent' }, { namespace: 'agent', names: AGENT_EVENTS }, event)
}
