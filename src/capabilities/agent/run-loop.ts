// The loop of a run: choose, reserve, act, note. Each step is a row opened with its price and closed with its result,
// so a resumed run continues after the last finished step and nothing is charged twice.

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { asProblem } from '../../base/problem.ts'
import { currentTokenBudget, TokenBudget } from '../../llm/token-budget.ts'
import { breadthFirstChooser } from './breadth-first-chooser.ts'
import { conversationTurnsOf } from './conversation-digest.ts'
import type { Goal } from './derive-goal.ts'
import { makeRunFinisher } from './end-run.ts'
import { makeModelChooser } from './model-chooser.ts'
import { Notebook, type PageRead } from './notebook.ts'
import type { HandlerServices } from './own-services.ts'
import { linkKeyOf } from './rank-links.ts'
import { reasonToRefuseVisit } from './reason-to-refuse-visit.ts'
import {
  keepSnapshot,
  recordStepTraceEvents,
  recordTraceEvents,
  recordTraceEventsInTransaction,
} from './record-trace-events.ts'
import { applyStepResult, newRunProgress, parseStoredResult, parseStoredStep } from './run-progress.ts'
import { goalOfRun, queueAgentWebhook, type StoredRunRequest } from './start-run.ts'
import type { NextSteps, StepChooser, StepChooserInput } from './step-chooser.ts'
import { EFFORT_LIMITS, interactionKey, type PlannedStep } from './steps.ts'
import type { AgentRun, AgentStep } from './store/agent-runs.ts'
import { agentStore } from './store/index.ts'
import {
  asAgentTools,
  findTool,
  maxPriceOfStep,
  runStep,
  type StepContext,
  type StepResult,
  type ToolResult,
} from './tools/agent-tool.ts'
import { isSubagentCallId, newSubagentCallId, type TraceError, type TraceEvent } from './trace-events.ts'

const LEASE_MS = 10_000
const WATCH_MS = 500

export const makeRunHandler =
  (has: HandlerServices) =>
  async (id: string, stopping: AbortSignal): Promise<void> => {
    const { store, clock, log } = has
    if (!(await agentStore(store).lease(id, clock.now() + LEASE_MS, false))) return
    const over = new AbortController()
    const signal = AbortSignal.any([stopping, over.signal])
    const watching = watch(has, id, over)
    try {
      const keyId = (await agentStore(store).get(id))?.keyId ?? null
      await has.reach.as(keyId, () => work(has, id, signal))
    } catch (error) {
      if (stopping.aborted) {
        // Release the lease, so that another worker can continue at once.
        await agentStore(store)
          .lease(id, 0, true)
          .catch(() => undefined)
        return
      }
      const run = await agentStore(store).get(id)
      if (run?.cancelAt != null) return await makeRunFinisher(has, run).cancelled()
      const problem = asProblem(error)
      if (problem.kind === 'unavailable') throw error
      log.error({ err: error, run: id }, 'an agent run failed')
      if (run) await makeRunFinisher(has, run).failed(problem.message)
    } finally {
      over.abort()
      await watching
    }
  }

/** Renews the lease, and aborts the work when the run is cancelled on any machine. */
async function watch({ store, clock }: HandlerServices, id: string, over: AbortController): Promise<void> {
  let leasedAt = clock.now()
  while (!over.signal.aborted) {
    await wait(WATCH_MS, undefined, { signal: over.signal }).catch(() => undefined)
    if (over.signal.aborted) return
    const run = await agentStore(store)
      .get(id)
      .catch(() => undefined)
    if (run?.cancelAt != null) over.abort(new Error('cancelled'))
    if (clock.now() - leasedAt < LEASE_MS / 3) continue
    leasedAt = clock.now()
    await agentStore(store)
      .lease(id, clock.now() + LEASE_MS, true)
      .catch(() => undefined)
  }
}

/** Runs the chooser's steps until it is done, then writes the answer. */
async function work(has: HandlerServices, id: string, signal: AbortSignal): Promise<void> {
  const { store } = has
  const run = await agentStore(store).get(id)
  if (run?.state !== 'processing') return
  if (run.cancelAt !== null) return makeRunFinisher(has, run).cancelled()
  const stored = JSON.parse(run.body) as StoredRunRequest
  const steps = await agentStore(store).steps(id)
  if (steps.length > 0) await endLostBrowsers(has, run)
  const state = await stateOf(has, run, stored, steps)
  const chooser = chooserFor(has)
  const { notebook, progress, tokens } = state
  let n = steps.length
  let open = steps.filter((step) => step.state === 'open')
  let why = ''
  let isReported = tokens.isSpent
  const reportedFaults = new Set(tokens.faults)
  const reportFaults = async () => {
    const fresh = [...tokens.faults].filter((fault) => !reportedFaults.has(fault))
    if (fresh.length === 0) return
    for (const fault of fresh) reportedFaults.add(fault)
    await recordTraceEvents(has, run, { type: 'progress.reported', phase: 'working', message: stoodInFor(fresh) })
  }
  for (;;) {
    const before = { used: tokens.total, cost: tokens.cost }
    if (open.length === 0) {
      const plan = await planOf(has, state, chooser, n, signal)
      why = plan.because
      await reportFaults()
      if (plan.steps.length === 0) break
      await recordTraceEvents(has, run, { type: 'reasoning.summary', text: why })
      open = await openSteps(has, run, n, plan.steps)
      signal.throwIfAborted()
      if (open.length === 0) return makeRunFinisher(has, run).notOpened()
      n += open.length
    }
    const chosen = { used: tokens.total - before.used, cost: (tokens.cost ?? 0) - (before.cost ?? 0) }
    await takeAll(has, state, stored, open, chosen, signal)
    if (tokens.isSpent && !isReported)
      await recordTraceEvents(has, run, { type: 'progress.reported', phase: 'working', message: spentWarning(state) })
    isReported ||= tokens.isSpent
    await reportFaults()
    // A model that refuses before it has answered anything refuses the task.
    if (tokens.declined !== undefined && tokens.answered === 0)
      return makeRunFinisher(has, run).refused(tokens.declined)
    open = []
  }
  const answer = notebook.answer()
  const because = [why, progress.error].filter(Boolean).join(' ')
  const cost = tokens.cost === undefined ? {} : { cost: tokens.cost }
  const used = has.llm.by === 'model' ? { used: tokens.total, most: tokens.limits.total, ...cost } : undefined
  await makeRunFinisher(has, run).done(
    stored.body,
    { notebook, answer, because, pages: progress.pages },
    {
      tokens: used,
      warning: [tokens.isSpent ? spentWarning(state) : '', faultWarning(state)].filter(Boolean).join(' '),
    },
  )
}

/** Steps per allowed page beyond which the model no longer chooses. */
const STEPS_PER_PAGE = 2

async function planOf(
  has: HandlerServices,
  state: StepChooserInput,
  chooser: StepChooser,
  n: number,
  signal: AbortSignal,
): Promise<NextSteps> {
  if (n === 0 && mayRecall(has, state)) return RECALL
  // A model may keep choosing refused steps, or loop.
  const isLong = n >= state.effort.pages * STEPS_PER_PAGE
  return isLong && chooser.last ? chooser.last(state) : allowedPlan(has, state, chooser, signal)
}

const chooserFor = (has: HandlerServices): StepChooser =>
  has.llm.by === 'model' ? makeModelChooser(has.llm, asAgentTools(has.agentTools)) : breadthFirstChooser

/** The chooser's steps that the policy allows. Refused ones are reported once and not planned again. */
async function allowedPlan(has: HandlerServices, state: StepChooserInput, first: StepChooser, signal: AbortSignal) {
  const { run, notebook, progress } = state
  for (let [chooser, tries] = [first, 1]; ; [chooser, tries] = [tries < 2 ? first : breadthFirstChooser, tries + 1]) {
    const plan = await chooser.next(state, signal)
    const values = valuesOf(notebook)
    const steps: PlannedStep[] = []
    for (const step of plan.steps) {
      const refused = refusedBy(has, state.goal, step, values)
      if (refused.length === 0) steps.push(step)
      for (const { url, because } of refused) {
        if (!notebook.visited.get(linkKeyOf(url))) notebook.visited.set(linkKeyOf(url), undefined)
        await recordTraceEvents(has, run, { type: 'reasoning.summary', text: `${url} is left out: ${because}.` })
      }
      if (refused.length > 0 && step.tool === 'interact') progress.interactions.add(interactionKey(step.input))
      if (refused.length > 0 && step.tool === 'map') progress.mapped.add(step.input.url)
    }
    if (plan.steps.length === 0 || steps.length > 0) return { steps, because: plan.because }
  }
}

function refusedBy({ agentTools }: HandlerServices, goal: Goal, { tool, input }: PlannedStep, values: ReadValue[]) {
  return findTool(agentTools, tool)
    .visits(input as never)
    .flatMap((where) => {
      const because = reasonToRefuseVisit(goal, where, values)
      return because === undefined ? [] : [{ url: where.url, because }]
    })
}

type ReadValue = { value: string; url: string }

/** Values read, with their pages: they must not leave their site in a URL. */
function valuesOf(notebook: Notebook): ReadValue[] {
  const seen = notebook.pages.flatMap(({ url, tokens }) => tokens.map((value) => ({ value, url })))
  const found = notebook.facts.flatMap(({ value, source: { quote, url } }) => {
    const texts = [value === null || typeof value === 'object' ? undefined : String(value), quote?.slice(0, 80)]
    return texts.flatMap((text) => (text ? [{ value: text, url }] : []))
  })
  return [...seen, ...found]
}

/** Rebuilds a run's state from its finished steps, possibly of another process. */
async function stateOf(
  { store, llm }: HandlerServices,
  run: AgentRun,
  stored: StoredRunRequest,
  steps: readonly AgentStep[],
): Promise<StepChooserInput> {
  const goal = goalOfRun(stored)
  const notebook = new Notebook(goal)
  const progress = newRunProgress()
  const effort = EFFORT_LIMITS[stored.body.effort ?? 'medium']
  const before = { used: 0, cost: undefined as number | undefined, isSpent: false, faults: [] as string[] }
  for (const step of steps) {
    if (step.state === 'open') continue
    const result = parseStoredResult(step)
    applyStepResult(notebook, progress, parseStoredStep(step), result)
    before.used += result.tokens?.used ?? 0
    if (result.tokens?.cost !== undefined) before.cost = (before.cost ?? 0) + result.tokens.cost
    before.isSpent ||= result.tokens?.isSpent ?? false
    before.faults.push(...(result.tokens?.faults ?? []))
  }
  const runs = llm.by === 'model' && run.turn > 1 ? await agentStore(store).thread(run.teamId, run.threadId) : []
  const earlier = conversationTurnsOf(runs.filter(({ turn }) => turn < run.turn))
  return { run, goal, effort, notebook, progress, earlier, tokens: TokenBudget.open(effort.tokens, before) }
}

const RECALL = {
  steps: [{ tool: 'recall', input: {} }] satisfies PlannedStep[],
  because: 'An earlier turn of this conversation may contain it.',
}

/** Lists and pages that the caller names are read again: earlier answers may be outdated. */
const mayRecall = ({ llm }: HandlerServices, { goal, earlier }: StepChooserInput): boolean =>
  llm.by === 'model' &&
  (goal.isFollowUp || goal.urls.length === 0) &&
  goal.shape !== 'list' &&
  earlier.some(({ facts }) => facts.length > 0)

const spentWarning = ({ tokens }: StepChooserInput): string =>
  `The ${tokens.limits.total} model tokens of this effort were used up; the rest ran without the model.`

/** Why rules were used instead of the model. */
const faultWarning = ({ tokens }: StepChooserInput): string =>
  tokens.faults.size === 0 ? '' : stoodInFor([...tokens.faults])

const stoodInFor = (faults: readonly string[]): string =>
  `The language model returned no usable response (${faults.slice(0, 3).join('; ')}): rules were used instead.`

/** Runs steps in parallel and stores their results. `chosen`: tokens spent on choosing them. */
async function takeAll(
  has: HandlerServices,
  state: StepChooserInput,
  { body, plan }: StoredRunRequest,
  open: readonly AgentStep[],
  chosen: { used: number; cost: number },
  signal: AbortSignal,
): Promise<void> {
  const { run, goal, notebook, progress, tokens } = state
  const { threatProtection, auditMetadata } = body
  const options = { ...(threatProtection ? { threatProtection } : {}), ...(auditMetadata ? { auditMetadata } : {}) }
  const before = JSON.stringify(notebook.answer().data)
  const known = valuesOf(notebook)
  const contextOf = ({ callId }: AgentStep): StepContext => ({
    runId: run.id,
    notebook,
    pageChars: tokens.pageChars,
    mayVisit: (url, from) => reasonToRefuseVisit(goal, { url, from }, known) === undefined,
    record: (event) => has.store.transaction((tx) => recordStepTraceEvents(has, tx, run, callId, event)),
  })
  const ends = await Promise.all(
    open.map(async (step) => {
      const part = tokens.part()
      const end = await currentTokenBudget.run(part, () =>
        runStep(has, { ...run, plan, options }, goal, parseStoredStep(step), contextOf(step), signal),
      )
      return { step, end, part }
    }),
  )
  for (const [n, { step, end, part }] of ends.entries()) {
    const used = part.used + (n === 0 ? chosen.used : 0)
    const cost = tokens.cost === undefined ? {} : { cost: (part.cost ?? 0) + (n === 0 ? chosen.cost : 0) }
    const faults = part.faults.size > 0 ? { faults: [...part.faults] } : {}
    const counted =
      used > 0 || tokens.isSpent ? { tokens: { used, ...cost, ...(tokens.isSpent ? SPENT : {}), ...faults } } : {}
    applyStepResult(notebook, progress, parseStoredStep(step), end.result)
    await close(has, run, step, { ...end, result: { ...end.result, ...counted } })
  }
  await snapshot(has, run, notebook, before)
}

const SPENT = { isSpent: true } as const

/** Opens as many steps as the credit cap allows, in order. */
async function openSteps(has: HandlerServices, run: AgentRun, first: number, steps: readonly PlannedStep[]) {
  const { store, clock } = has
  const opened: AgentStep[] = []
  for (const [at, step] of steps.entries()) {
    const row = {
      n: first + at,
      callId: steps.length > 1 ? newSubagentCallId() : randomUUID(),
      tool: step.tool,
      input: JSON.stringify(step.input),
      credits: maxPriceOfStep(has.agentTools, step),
    }
    const isOpen = await store.transaction(async (tx) => {
      if (!(await agentStore(store).open(tx, run.id, row))) return false
      const started: TraceEvent = {
        type: 'tool_call.started',
        toolCallId: row.callId,
        toolName: step.tool,
        parameters: step.input,
      }
      await recordStepTraceEvents(
        has,
        tx,
        run,
        row.callId,
        ...(isSubagentCallId(row.callId) ? [AGENT_STARTED] : []),
        started,
      )
      return true
    })
    if (!isOpen) break
    opened.push({ ...row, state: 'open', at: clock.now(), result: null })
  }
  return opened
}

async function close(
  has: HandlerServices,
  run: AgentRun,
  step: AgentStep,
  { result, credits, store: keep }: ToolResult,
): Promise<void> {
  const { store, clock } = has
  await store.transaction(async (tx) => {
    const state = 'error' in result ? 'failed' : 'done'
    if (
      !(await agentStore(store).close(tx, run.id, {
        n: step.n,
        state,
        credits: Math.min(credits, step.credits),
        result,
      }))
    )
      return
    if (keep) await keep(tx)
    const finished: TraceEvent = {
      type: 'tool_call.finished',
      toolCallId: step.callId,
      toolName: step.tool,
      result: toShownResult(result),
    }
    const durationMs = Math.max(0, clock.now() - step.at)
    const over: TraceEvent = { type: 'agent.finished', outcome: 'succeeded', durationMs, error: null }
    const failures = failuresOf(step.tool, result).map((error): TraceEvent => ({ type: 'error.occurred', error }))
    await recordStepTraceEvents(
      has,
      tx,
      run,
      step.callId,
      ...failures,
      finished,
      ...(isSubagentCallId(step.callId) ? [over] : []),
    )
    await queueAgentWebhook(has, tx, run, 'action', true, {
      creditsUsed: credits,
      action: step.tool,
      input: JSON.parse(step.input),
    })
  })
}

/** Pages and steps that failed while the run goes on. */
function failuresOf(tool: string, result: StepResult): TraceError[] {
  const messages =
    'error' in result
      ? [result.error]
      : 'pages' in result
        ? result.pages.flatMap(({ asked, error }) => (error === undefined ? [] : [`${asked}: ${error}`]))
        : []
  return messages.map((message) => ({
    code: 'internal',
    source: 'tool',
    retryable: true,
    message: `${tool}: ${message}`,
  }))
}

/** The trace's short form of a result; the step row stores all of it. */
function toShownResult(result: StepResult): unknown {
  if ('error' in result) return { error: result.error }
  if ('pages' in result)
    return { pages: result.pages.map(({ asked, page, error }) => (page ? pageShown(page) : { url: asked, error })) }
  if ('page' in result) return { ...pageShown(result.page), ...(result.dropped ? { dropped: result.dropped } : {}) }
  if ('facts' in result) return { facts: result.facts }
  if ('answer' in result) return { data: result.answer.data }
  return { hits: result.links.slice(0, 20), ...(result.warning ? { warning: result.warning } : {}) }
}

function pageShown({ url, title, status, data, links, coverage }: PageRead) {
  return { url, title, statusCode: status, coverage: Math.round(coverage * 100) / 100, data, links: links.length }
}

/** Records in the trace that a dead process's browsers are gone, before the run continues. */
async function endLostBrowsers(has: HandlerServices, run: AgentRun): Promise<void> {
  const events = (await agentStore(has.store).events(run.id)).map((text) => JSON.parse(text) as TraceEvent)
  const over = new Set(events.flatMap((one) => (one.type === 'browser.session.finished' ? [one.sessionId] : [])))
  for (const event of events) {
    if (event.type !== 'browser.session.started' || over.has(event.sessionId)) continue
    const session = await has.browserSessions.sessions.find(event.sessionId)
    const durationMs = session ? Math.max(0, (session.endedAt ?? session.seenAt) - session.createdAt) : 0
    await recordTraceEvents(has, run, { type: 'browser.session.finished', sessionId: event.sessionId, durationMs })
  }
}

async function snapshot(has: HandlerServices, run: AgentRun, notebook: Notebook, before: string): Promise<void> {
  const { data } = notebook.answer()
  const text = JSON.stringify(data)
  if (text === before || notebook.isEmpty) return
  await has.store.transaction(async (tx) => {
    const event = await keepSnapshot(has.store, tx, run.id, { text, items: notebook.items })
    await recordTraceEventsInTransaction(has, tx, run, event)
  })
}

const AGENT_STARTED: TraceEvent = { type: 'agent.started' }
