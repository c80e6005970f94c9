// A run under way: plan, reserve, act, write down, until it is done. Each step is a row that is opened with its price before
// it is taken and closed with its result, so that whoever takes up a run after a crash goes on from the last finished
// step, and nothing is paid twice.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { asProblem } from '../../base/problem.ts'
import type { AgentRun, AgentStep } from '../../store/agents.ts'
import type { Tx } from '../../store/tables.ts'
import { ending } from './ending.ts'
import { type Goal, goalOf } from './goal.ts'
import { learn, newProgress, resultOf, stepOf } from './learning.ts'
import { chosenByModel } from './model-planner.ts'
import type { Has } from './needs.ts'
import { type Json, keyOf, Notebook, type PageRead } from './notebook.ts'
import { deedOf, EFFORTS, type PlannedStep } from './planner.ts'
import { refusal } from './policy.ts'
import { rulePlanner } from './rule-planner.ts'
import type { AgentBody } from './schema.ts'
import { type StoredRun, tellOwner } from './start.ts'
import { priceOf, type StepGround, type StepResult, type ToolEnd, takeStep, toolOf, toolsIn } from './tools/tool.ts'
import { eventOf, isReader, readerCall, type TraceEvent } from './trace.ts'

export const LEASE_MS = 10_000
const WATCH_MS = 500
/** Steps beyond which a model no longer chooses, for each page that the effort allows. */
const STEPS_PER_PAGE = 2

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
  const { body, plan: teamPlan } = JSON.parse(run.body) as StoredRun
  const goal = goalOf({ ...body, schema: body.schema as never })
  const { threatProtection, auditMetadata } = body
  const options = { ...(threatProtection ? { threatProtection } : {}), ...(auditMetadata ? { auditMetadata } : {}) }
  const effort = EFFORTS[body.effort ?? 'medium']
  const steps = await store.agents.steps(id)
  if (steps.length > 0) await endLostBrowsers(has, run)
  const notebook = new Notebook(goal)
  const taken = newProgress()
  for (const step of steps) if (step.state !== 'open') learn(notebook, taken, stepOf(step), resultOf(step))
  let n = steps.length
  let open = steps.filter(({ state }) => state === 'open')
  let why = ''
  let wasAllowed = true
  for (;;) {
    if (open.length === 0) {
      const plan = rulePlanner.next(goal, notebook, taken, effort)
      why = plan.because
      const values = valuesOf(notebook)
      const allowed: PlannedStep[] = []
      const choosing = { llm: has.llm, tools: toolsIn(has.agentTools), goal, notebook, taken, effort }
      // A model that wants what it may not have, or goes round in circles, is not asked for ever.
      const isAsked: boolean = wasAllowed && n < effort.pages * STEPS_PER_PAGE
      const chosen: readonly PlannedStep[] = isAsked ? await chosenByModel(choosing, plan.steps, signal) : plan.steps
      for (const step of chosen) {
        const no = refused(has, goal, step, values)
        if (no.length === 0) allowed.push(step)
        for (const { url, because } of no) {
          if (!notebook.visited.get(keyOf(url))) notebook.visited.set(keyOf(url), undefined)
          await tell(has, run, { type: 'reasoning.summary', text: `${url} is left out: ${because}.` })
        }
        // What may not be done is not planned again.
        if (no.length > 0 && step.tool === 'interact') taken.deeds.add(deedOf(step.input))
        if (no.length > 0 && step.tool === 'map') taken.mapped.add(step.input.url)
      }
      wasAllowed = chosen.length === 0 || allowed.length > 0
      if (!wasAllowed) continue
      if (allowed.length === 0) break
      await tell(has, run, { type: 'reasoning.summary', text: plan.because })
      const opened = await openSteps(has, run, n, allowed)
      if (opened.length < allowed.length && opened.length === 0) return ending(has, run).creditLimit()
      n += opened.length
      open = opened
    }
    const before = JSON.stringify(notebook.answer().data)
    const known = valuesOf(notebook)
    const groundOf = ({ callId }: AgentStep): StepGround => ({
      runId: id,
      mayVisit: (url, from) => refusal(goal, { url, from }, known) === undefined,
      tell: (event) => store.transaction((tx) => tellOf(has, tx, run, callId, event)),
    })
    const ends = await Promise.all(
      open.map(async (step) => ({
        step,
        end: await takeStep(has, { ...run, plan: teamPlan, options }, goal, stepOf(step), groundOf(step), signal),
      })),
    )
    for (const { step, end } of ends) {
      learn(notebook, taken, stepOf(step), end.result)
      await close(has, run, step, end)
    }
    await snapshot(has, run, notebook, before)
    open = []
  }
  await ending(has, run).done(body as AgentBody, notebook, [why, taken.trouble].filter(Boolean).join(' '), taken.pages)
}

/** The addresses of a step that the policy refuses. */
function refused({ agentTools }: Has, goal: Goal, { tool, input }: PlannedStep, values: Parameters<typeof refusal>[2]) {
  return toolOf(agentTools, tool)
    .visits(input as never)
    .flatMap((where) => {
      const because = refusal(goal, where, values)
      return because === undefined ? [] : [{ url: where.url, because }]
    })
}

/** Texts that were found, with the page of each: they must not travel in an address. */
function valuesOf(notebook: Notebook): { value: string; url: string }[] {
  const { data, sources } = notebook.answer()
  const pages = [...new Set(notebook.visited.values())].flatMap((page) => page ?? [])
  const seen = pages.flatMap(({ url, tokens = [] }) => tokens.map((value) => ({ value, url })))
  const found = Object.entries(sources).flatMap(([path, { quote, url }]) => {
    const value = valueAt(data, path)
    const texts = [typeof value === 'object' ? undefined : String(value), quote?.slice(0, 80)]
    return texts.flatMap((text) => (text ? [{ value: text, url }] : []))
  })
  return [...seen, ...found]
}

function valueAt(data: Json, path: string): Json {
  let value: Json | undefined = data
  for (const name of path.split('.')) value = (value as Record<string, Json> | null | undefined)?.[name]
  return value ?? null
}

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

const tell = (has: Has, run: AgentRun, ...events: TraceEvent[]): Promise<void> =>
  has.store.transaction((tx) => tellIn(has, tx, run, ...events))

const AGENT_STARTED: TraceEvent = { type: 'agent.started' }

/** What happens in a step is told by whoever takes it. */
const tellOf = ({ store, clock }: Has, tx: Tx, run: AgentRun, callId: string, ...events: TraceEvent[]): Promise<void> =>
  store.agents.tell(
    tx,
    run.id,
    events.map((event) => eventOf(run.id, clock.now(), event, callId)),
  )

const tellIn = ({ store, clock }: Has, tx: Tx, run: AgentRun, ...events: TraceEvent[]): Promise<void> =>
  store.agents.tell(
    tx,
    run.id,
    events.map((event) => eventOf(run.id, clock.now(), event)),
  )
