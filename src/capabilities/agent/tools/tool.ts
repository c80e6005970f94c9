// Declares what a tool is: its use, input schema, maximum price, first URLs and call. The caller has reserved the price
// and stores the result; new tools are added to index.ts.
import { z } from 'zod'
import { asProblem, Problem } from '../../../base/problem.ts'
import type { ThreatPolicy } from '../../../fetch/threats/policy.ts'
import type { Tx } from '../../../store/tables.ts'
import type { GivenServices, ServiceGroup } from '../../route.ts'
import type { Goal } from '../goal.ts'
import type { Fact } from '../history.ts'
import type { Link } from '../links.ts'
import type { AgentServices } from '../needs.ts'
import type { AgentAnswer, Notebook, PageRead } from '../notebook.ts'
import type { Visitable } from '../policy.ts'
import type { PlannedStep } from '../steps.ts'
import type { TraceEvent } from '../trace.ts'

export interface PageOptions {
  threatProtection?: Partial<ThreatPolicy> | undefined
  auditMetadata?: unknown
}

interface RunTeam {
  teamId: string
  keyId: string | null
  plan: string
  options: PageOptions
}

/** One of several pages: its content, or why it could not be read. */
export interface ReadOne {
  asked: string
  page?: PageRead
  error?: string
}

/** A step's stored result, with the tokens that choosing and running it used. */
export type StepResult = Brought & { tokens?: { used: number; cost?: number; isSpent?: true; faults?: string[] } }
type Brought =
  | { tool: string; links: Link[]; warning?: string }
  | { tool: string; page: PageRead; dropped?: string[] }
  | { tool: string; pages: ReadOne[] }
  | { tool: string; facts: Fact[] }
  | { tool: string; answer: AgentAnswer }
  | { tool: string; error: string }

export interface ToolEnd {
  result: StepResult
  credits: number
  /** Stores related rows, in the transaction that ends the step. */
  store?(tx: Tx): Promise<void>
}

const toolNeeds = ['core', 'pages', 'web', 'models', 'search', 'sessions'] as const satisfies readonly ServiceGroup[]
export type ToolHas = GivenServices<(typeof toolNeeds)[number]>

export interface ToolCall<Input> {
  has: ToolHas
  team: RunTeam
  runId: string
  goal: Goal
  notebook: Notebook
  input: Input
  /** Characters that one model request may read. */
  pageChars: number
  /** False for a URL that the threat policy refuses. */
  isAllowed(url: string): boolean
  /** False for a URL that this run may not visit from there; see policy.ts. */
  mayVisit(url: string, from: string): boolean
  record(event: TraceEvent): Promise<void>
}

/** What a model may choose. URLs go by their offered numbers, so it cannot name others. */
export interface Offer<Input> {
  slots: Readonly<Record<string, object>>
  /** The input for a choice; undefined: the choice is invalid. */
  fill(chosen: Readonly<Record<string, unknown>>, context: ToolContext): Input | undefined
}

export interface ToolContext {
  goal: Goal
  at(number: unknown): { url: string; from?: string } | undefined
  buttons(number: unknown): readonly string[]
  /** What the note under a number says, and where. */
  note(number: unknown): { field: string; value: string | number | boolean; url: string } | undefined
}

export const LINK_SLOT = { type: 'integer' }

/** The page with the link; absent: named by the caller or a search. */
export const place = { from: z.string().optional() }

export interface AgentTool<Input = never> {
  name: string
  use: string
  /** Input schema; other properties are removed. */
  input: z.ZodType<Input>
  price(input: Input): number
  /** First URLs; the policy checks each before credits are reserved. */
  visits(input: Input): readonly Visitable[]
  /** Absent: models cannot choose it. */
  offer?: Offer<Input>
  call(call: ToolCall<Input>, signal: AbortSignal): Promise<ToolEnd>
}

/** Needs name tools only, so that they do not depend on this folder; the agent fills them with these. */
export const toolsIn = (tools: AgentServices['agentTools']): readonly AgentTool[] => tools as readonly AgentTool[]

export const toolOf = (tools: AgentServices['agentTools'], name: string): AgentTool => {
  const tool = toolsIn(tools).find((one) => one.name === name)
  if (!tool) throw new Problem('bad_request', { because: `this service has no tool "${name}"` })
  return tool
}

export const priceOf = (tools: AgentServices['agentTools'], { tool, input }: PlannedStep): number =>
  toolOf(tools, tool).price(input as never)

/** What the run adds to a step: the policy check and the trace. */
export type StepContext = Pick<ToolCall<unknown>, 'runId' | 'notebook' | 'mayVisit' | 'record' | 'pageChars'>

/** Runs a step under the request's and the team's threat policy; a failure is a free result, not an exception. */
export async function takeStep(
  has: ToolHas & AgentServices,
  team: RunTeam,
  goal: Goal,
  step: PlannedStep,
  context: StepContext,
  signal: AbortSignal,
): Promise<ToolEnd> {
  try {
    const tool = toolOf(has.agentTools, step.tool)
    const options = { asked: team.options.threatProtection, keeps: true }
    return await has.threats.under(team.teamId, options, (policy) => {
      const isAllowed = (url: string) => has.threats.guard.isAllowed(url, policy)
      const mayVisit: StepContext['mayVisit'] = (url, from) => isAllowed(url) && context.mayVisit(url, from)
      return tool.call({ ...context, has, team, goal, input: step.input as never, isAllowed, mayVisit }, signal)
    })
  } catch (error) {
    // Aborted from outside: the worker that resumes the run starts the step again.
    if (signal.aborted) throw error
    return { result: { tool: step.tool, error: asProblem(error).message }, credits: 0 }
  }
}
