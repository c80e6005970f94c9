// A run under way: plan, reserve, act, write down, until it is done. Each step is a row that is opened with its price before
// it is taken and closed with its result, so that whoever takes up a run after a crash goes on from the last finished
// step, and nothing is paid twice.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { asProblem } from '../../base/problem.ts'
import { TokenCounts, tokenRun } from '../../llm/tokens.ts'
import type { AgentRun, AgentStep } from '../../store/agents.ts'
import { ending } from './ending.ts'
import { earlierOf } from './history.ts'
import { learn, newProgress, resultOf, stepOf } from './learning.ts'
import type { Has } from './needs.ts'
import { nextSteps, type Standing, valuesOf } from './next-steps.ts'
import { Notebook, type PageRead } from './notebook.ts'
import { EFFORTS, type PlannedStep } from './planner.ts'
import { refusal } from './policy.ts'
import { tell, tellIn, tellOf } from './report.ts'
import { goalOfRun, type StoredRun, tellOwner } from './start.ts'
import { priceOf, type StepContext, type StepResult, type ToolEnd, takeStep } from './tools/tool.ts'
import { isReader, readerCall, type TraceEvent } from './trace.ts'

export const LEASE_MS = 10_000
const WATCH_MS = 500

/** Answers the bell of one run. */
export const runAnswer =
  (has: Has) =>
  async (id: string, stopping: AbortSignal): Promise<void> => {
    const { store, clock, log } = has
    if (!(await store.agents.lease(id, clock.now() + LEASE_MS, false))) return
    const over = new AbortController()
    const signal = AbortSignal.any([stopping, over.signal])
    const watching = watch(has, id, over)
    try {
      const keyId = (await store.agents.get(id))?.keyId ?? null
      await has.reach.as(keyId, () => work(has, id, signal))
    } catch (error) {
      if (stopping.aborted) {
        // Somebody else goes on at once.
        await store.agents.lease(id, 0, true).catch(() => undefined)
        return
      }
      const run = await store.agents.get(id)
      if (run?.cancelAt != null) return await ending(has, run).cancelled()
      const problem = asProblem(error)
      if (problem.kind === 'unavailable') throw error
      log.error({ err: error, run: id }, 'an agent run failed')
      if (run) await ending(has, run).failed(problem.message)
    } finally {
      over.abort()
      await watching
    }
  }

/** Keeps the lease, and breaks off what is under way when the caller cancels, wherever that was asked. */
async function watch({ store, clock }: Has, id: string, over: AbortController): Promise<void> {
  let leasedAt = clock.now()
  while (!over.signal.aborted) {
    await wait(WATCH_MS, undefined, { signal: over.signal }).catch(() => undefined)
    if (over.signal.aborted) return
    const run = await store.agents.get(id).catch(() => undefined)
    if (run?.cancelAt != null) over.abort(new Error('cancelled'))
    if (clock.now() - leasedAt < LEASE_MS / 3) continue
    leasedAt = clock.now()
    await store.agents.lease(id, clock.now() + LEASE_MS, true).catch(() => undefined)
  }
}

async function work(has: Has, id: string, signal: AbortSignal): Promise<void> {
  const { store } = has
  const run = await store.agents.get(id)
  if (run?.state !== 'processing') return
  if (run.cancelAt !== null) return ending(has, run).cancelled()
  const stored = JSON.parse(run.body) as StoredRun
  const steps = await store.agents.steps(id)
  if (steps.length > 0) await endLostBrowsers(has, run)
  const at = await standingOf(has, run, stored, steps)
  const { notebook, taken, tokens } = at
  let n = steps.length
  let open = steps.filter(({ state }) => state === 'open')
  let why = ''
  let isSaid = tokens.isSpent
  for (;;) {
    const before = tokens.total
    if (open.length === 0) {
      const plan = n === 0 && mayRecall(has, at) ? RECALL : await nextSteps(has, at, n, signal)
      why = plan.because
      if (plan.steps.length === 0) break
      await tell(has, run, { type: 'reasoning.summary', text: why })
      open = await openSteps(has, run, n, plan.steps)
      if (open.length === 0) return ending(has, run).creditLimit()
      n += open.length
    }
    await takeAll(has, at, stored, open, tokens.total - before, signal)
    if (tokens.isSpent && !isSaid)
      await tell(has, run, { type: 'progress.reported', phase: 'working', message: spentWords(at) })
    isSaid ||= tokens.isSpent
    open = []
  }
  const because = [why, taken.trouble].filter(Boolean).join(' ')
  const used = has.llm.by === 'model' ? { used: tokens.total, most: tokens.limits.total } : undefined
  await ending(has, run).done(stored.body, notebook, because, taken.pages, {
    tokens: used,
    warning: tokens.isSpent ? spentWords(at) : '',
  })
}

/** What a run knows, from the steps that it has taken: here, or in a process that is gone. */
async function standingOf({ store, llm }: Has, run: AgentRun, stored: StoredRun, steps: readonly AgentStep[]) {
  const goal = goalOfRun(stored)
  const notebook = new Notebook(goal)
  const taken = newProgress()
  const effort = EFFORTS[stored.body.effort ?? 'medium']
  const before = { used: 0, isSpent: false }
  for (const step of steps) {
    if (step.state === 'open') continue
    const result = resultOf(step)
    learn(notebook, taken, stepOf(step), result)
    before.used += result.tokens?.used ?? 0
    before.isSpent ||= result.tokens?.isSpent ?? false
  }
  const runs = llm.by === 'model' && run.turn > 1 ? await store.agents.thread(run.teamId, run.threadId) : []
  const earlier = earlierOf(runs.filter(({ turn }) => turn < run.turn))
  const at: Standing = { run, goal, effort, notebook, taken, earlier, tokens: TokenCounts.open(effort.tokens, before) }
  return at
}

const RECALL = {
  steps: [{ tool: 'recall', input: {} }] satisfies PlannedStep[],
  because: 'It may have been said before in this conversation.',
}

/** Pages that the caller names are read, and lists anew: what was said of them is of that moment. */
const mayRecall = ({ llm }: Has, { goal, earlier }: Standing): boolean =>
  llm.by === 'model' &&
  (goal.isFollowUp || goal.urls.length === 0) &&
  goal.shape !== 'list' &&
  earlier.some(({ facts }) => facts.length > 0)

const spentWords = ({ tokens }: Standing): string =>
  `The ${tokens.limits.total} tokens that a model may use for this effort were used up; the rest was done by rules.`

/** Takes steps side by side, and writes down what each brought. `chosen`: tokens that choosing them took. */
async function takeAll(
  has: Has,
  at: Standing,
  { body, plan }: StoredRun,
  open: readonly AgentStep[],
  chosen: number,
  signal: AbortSignal,
): Promise<void> {
  const { run, goal, notebook, taken, tokens } = at
  const { threatProtection, auditMetadata } = body
  const options = { ...(threatProtection ? { threatProtection } : {}), ...(auditMetadata ? { auditMetadata } : {}) }
  const before = JSON.stringify(notebook.answer().data)
  const known = valuesOf(notebook)
  const groundOf = ({ callId }: AgentStep): StepContext => ({
    runId: run.id,
    pageChars: tokens.pageChars,
    mayVisit: (url, from) => refusal(goal, { url, from }, known) === undefined,
    tell: (event) => has.store.transaction((tx) => tellOf(has, tx, run, callId, event)),
  })
  const ends = await Promise.all(
    open.map(async (step) => {
      const part = tokens.part()
      const end = await tokenRun.run(part, () =>
        takeStep(has, { ...run, plan, options }, goal, stepOf(step), groundOf(step), signal),
      )
      return { step, end, part }
    }),
  )
  for (const [n, { step, end, part }] of ends.entries()) {
    const used = part.used + (n === 0 ? chosen : 0)
    const counted = used > 0 || tokens.isSpent ? { tokens: { used, ...(tokens.isSpent ? SPENT : {}) } } : {}
    learn(notebook, taken, stepOf(step), end.result)
    await close(has, run, step, { ...end, result: { ...end.result, ...counted } })
  }
  await snapshot(has, run, notebook, before)
}

const SPENT = { isSpent: true } as const

/** Opens as many of the steps as the cap allows, in order. */
async function openSteps(has: Has, run: AgentRun, first: number, steps: readonly PlannedStep[]): Promise<AgentStep[]> {
  const { store, clock } = has
  const opened: AgentStep[] = []
  for (const [at, step] of steps.entries()) {
    const row = {
      n: first + at,
      callId: steps.length > 1 ? readerCall() : randomUUID(),
      tool: step.tool,
      input: JSON.stringify(step.input),
      credits: priceOf(has.agentTools, step),
    }
    const isOpen = await store.transaction(async (tx) => {
      if (!(await store.agents.open(tx, run.id, row))) return false
      const started: TraceEvent = {
        type: 'tool_call.started',
        toolCallId: row.callId,
        toolName: step.tool,
        parameters: step.input,
      }
      await tellOf(has, tx, run, row.callId, ...(isReader(row.callId) ? [AGENT_STARTED] : []), started)
      return true
    })
    if (!isOpen) break
    opened.push({ ...row, state: 'open', at: clock.now(), result: null })
  }
  return opened
}

async function close(
  has: Has,
  run: AgentRun,
  step: AgentStep,
  { result, credits, store: keep }: ToolEnd,
): Promise<void> {
  const { store, clock } = has
  await store.transaction(async (tx) => {
    const state = 'error' in result ? 'failed' : 'done'
    if (!(await store.agents.close(tx, run.id, { n: step.n, state, credits: Math.min(credits, step.credits), result })))
      return
    if (keep) await keep(tx)
    const finished: TraceEvent = {
      type: 'tool_call.finished',
      toolCallId: step.callId,
      toolName: step.tool,
      result: shown(result),
    }
    const durationMs = Math.max(0, clock.now() - step.at)
    const over: TraceEvent = { type: 'agent.finished', outcome: 'succeeded', durationMs, error: null }
    await tellOf(has, tx, run, step.callId, finished, ...(isReader(step.callId) ? [over] : []))
    await tellOwner(has, tx, run, 'action', true, {
      creditsUsed: credits,
      action: step.tool,
      input: JSON.parse(step.input),
    })
  })
}

/** What the trace says of a result; the whole stands with the step. */
function shown(result: StepResult): unknown {
  if ('error' in result) return { error: result.error }
  if ('pages' in result)
    return { pages: result.pages.map(({ asked, page, error }) => (page ? pageShown(page) : { url: asked, error })) }
  if ('page' in result) return { ...pageShown(result.page), ...(result.dropped ? { dropped: result.dropped } : {}) }
  if ('facts' in result) return { facts: result.facts }
  return { hits: result.links.slice(0, 20), ...(result.warning ? { warning: result.warning } : {}) }
}

function pageShown({ url, title, status, data, links, about }: PageRead) {
  return { url, title, statusCode: status, isAbout: about, data, links: links.length }
}
/** The browser of a process that died is gone with it: the trace says so before the run goes on. */
async function endLostBrowsers(has: Has, run: AgentRun): Promise<void> {
  const events = (await has.store.agents.events(run.id)).map((text) => JSON.parse(text) as TraceEvent)
  const over = new Set(events.flatMap((one) => (one.type === 'browser.session.finished' ? [one.sessionId] : [])))
  for (const event of events) {
    if (event.type !== 'browser.session.started' || over.has(event.sessionId)) continue
    const session = await has.store.sessions.find(event.sessionId)
    const durationMs = session ? Math.max(0, (session.endedAt ?? session.seenAt) - session.createdAt) : 0
    await tell(has, run, { type: 'browser.session.finished', sessionId: event.sessionId, durationMs })
  }
}

async function snapshot(has: Has, run: AgentRun, notebook: Notebook, before: string): Promise<void> {
  const { data } = notebook.answer()
  const text = JSON.stringify(data)
  if (text === before || notebook.isEmpty) return
  const snapshotId = randomUUID()
  await has.store.transaction(async (tx) => {
    await has.store.agents.keepSnapshot(tx, run.id, snapshotId, text)
    await tellIn(has, tx, run, {
      type: 'artifact.updated',
      artifact: {
        kind: 'json',
        artifactId: 'result',
        snapshotId,
        change: 'update',
        ...(notebook.items > 0 ? { itemCount: notebook.items } : {}),
      },
    })
  })
}

const AGENT_STARTED: TraceEvent = { type: 'agent.started' }
