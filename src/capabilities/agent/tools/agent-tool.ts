// Declares what a tool is: its use, input schema, maximum price, first URLs and call. The caller has reserved the price
// and stores the result.
import { z } from 'zod'
import { asProblem, Problem } from '../../../base/problem.ts'
import type { ThreatPolicy } from '../../../fetch/threats/threat-policy.ts'
import type { Tx } from '../../../store/tables.ts'
import type { RememberedFact } from '../conversation-digest.ts'
import type { Goal } from '../derive-goal.ts'
import type { AgentAnswer, Notebook, PageRead } from '../notebook.ts'
import type { AgentServices, HandlerServices } from '../own-services.ts'
import type { CandidateLink } from '../rank-links.ts'
import type { VisitCandidate } from '../reason-to-refuse-visit.ts'
import type { PlannedStep } from '../steps.ts'
import type { TraceEvent } from '../trace-events.ts'

export type ThreatAndAuditOptions = { threatProtection?: Partial<ThreatPolicy> | undefined; auditMetadata?: unknown }

type RunTeam = { teamId: string; keyId: string | null; plan: string; options: ThreatAndAuditOptions }

/** One of several pages: its content, or why it could not be read. */
export type PageReadResult = { asked: string; page?: PageRead; error?: string }

export type StepResult = StepContent & { tokens?: { used: number; cost?: number; isSpent?: true; faults?: string[] } }
type StepContent =
  | { tool: string; links: CandidateLink[]; warning?: string }
  | { tool: string; page: PageRead; dropped?: string[] }
  | { tool: string; pages: PageReadResult[] }
  | { tool: string; facts: RememberedFact[] }
  | { tool: string; answer: AgentAnswer }
  | { tool: string; error: string; isLate?: true }

export interface ToolResult {
  result: StepResult
  credits: number
  /** Stores related rows, in the transaction that ends the step. */
  store?(tx: Tx): Promise<void>
}

export interface ToolCall<Input> {
  has: HandlerServices
  team: RunTeam
  runId: string
  goal: Goal
  notebook: Notebook
  input: Input
  /** Characters that one model request may read. */
  pageChars: number
  /** False for a URL that the threat policy refuses. */
  isAllowed(url: string): boolean
  /** False for a URL that this run may not visit from there; see reason-to-refuse-visit.ts. */
  mayVisit(url: string, from: string): boolean
  record(event: TraceEvent): Promise<void>
}

/** What a model may choose. URLs go by their offered numbers, so it cannot name others. */
interface ModelOffer<Input> {
  slots: Readonly<Record<string, object>>
  optional?: readonly string[]
  /** The input for a choice; undefined: the choice is invalid. */
  fill(chosen: Readonly<Record<string, unknown>>, context: ModelChoiceContext): Input | undefined
}

export interface ModelChoiceContext {
  goal: Goal
  at(number: unknown): { url: string; from?: string } | undefined
  buttons(number: unknown): readonly string[]
  note(number: unknown): { field: string; value: string | number | boolean; url: string } | undefined
}

export const LINK_NUMBER_SCHEMA = { type: 'integer' }

/** The page with the link; absent: named by the caller or a search. */
export const linkSourceShape = { from: z.string().optional() }

export interface AgentTool<Input = never> {
  name: string
  use: string
  /** Input schema; other properties are removed. */
  input: z.ZodType<Input>
  price(input: Input): number
  /** First URLs; the policy checks each before credits are reserved. */
  visits(input: Input): readonly VisitCandidate[]
  /** Absent: models cannot choose it. */
  offer?: ModelOffer<Input>
  call(call: ToolCall<Input>, signal: AbortSignal): Promise<ToolResult>
}

/** `own-services.ts` declares tools by name only, so that it does not import this folder; they always are these tools. */
export const asAgentTools = (tools: AgentServices['agentTools']): readonly AgentTool[] => tools as readonly AgentTool[]

export const findTool = (tools: AgentServices['agentTools'], name: string): AgentTool => {
  const tool = asAgentTools(tools).find((one) => one.name === name)
  if (!tool) throw new Problem('bad_request', { because: `this service has no tool "${name}"` })
  return tool
}

export const maxPriceOfStep = (tools: AgentServices['agentTools'], { tool, input }: PlannedStep): number =>
  findTool(tools, tool).price(input as never)

const LATE = { isLate: true } as const

/** What the run adds to a step: the policy check and the trace. */
export type StepContext = Pick<ToolCall<unknown>, 'runId' | 'notebook' | 'mayVisit' | 'record' | 'pageChars'>

/** Runs a step under the request's and the team's threat policy; a failure is a free result, not an exception. */
export async function runStep(
  has: HandlerServices,
  team: RunTeam,
  goal: Goal,
  step: PlannedStep,
  context: StepContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    const tool = findTool(has.agentTools, step.tool)
    const options = { asked: team.options.threatProtection, keeps: true }
    return await has.threats.under(team.teamId, options, (policy) => {
      const isAllowed = (url: string) => has.threats.guard.isAllowed(url, policy)
      const mayVisit: StepContext['mayVisit'] = (url, from) => isAllowed(url) && context.mayVisit(url, from)
      return tool.call({ ...context, has, team, goal, input: step.input as never, isAllowed, mayVisit }, signal)
    })
  } catch (error) {
    // Aborted from outside: the worker that resumes the run starts the step again.
    if (signal.aborted) throw error
    const { kind, message } = asProblem(error)
    return { result: { tool: step.tool, error: message, ...(kind === 'timeout' ? LATE : {}) }, credits: 0 }
  }
}
