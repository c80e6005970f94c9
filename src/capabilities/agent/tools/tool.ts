// What a tool of a run is: what it is good for, the input it takes by its declared schema, the most that a call may cost,
// the addresses it begins with, and the call. A tool knows nothing of plans; whoever calls it has reserved its price and
// stores its result. The list of tools stands in index.ts: a new one is a line there.
import { z } from 'zod'
import { asProblem, Problem } from '../../../base/problem.ts'
import type { ThreatPolicy } from '../../../fetch/threats/policy.ts'
import type { Tx } from '../../../store/tables.ts'
import type { Services } from '../../route.ts'
import type { Goal } from '../goal.ts'
import type { Fact } from '../history.ts'
import type { Link } from '../links.ts'
import type { PageRead } from '../notebook.ts'
import type { Visitable } from '../policy.ts'
import type { PlannedStep } from '../steps.ts'
import type { TraceEvent } from '../trace.ts'

/** What the caller says about everything that is visited. */
export interface PageOptions {
  threatProtection?: Partial<ThreatPolicy> | undefined
  auditMetadata?: unknown
}

export interface RunTeam {
  teamId: string
  keyId: string | null
  plan: string
  options: PageOptions
}

/** One of several pages: what it said, or why it could not be read. */
export interface ReadOne {
  asked: string
  page?: PageRead
  error?: string
}

/** What a step brought home, as it is kept, and what a model used for choosing and taking it. */
export type StepResult = Brought & { tokens?: { used: number; isSpent?: true } }
type Brought =
  | { tool: string; links: Link[]; warning?: string }
  | { tool: string; page: PageRead; dropped?: string[] }
  | { tool: string; pages: ReadOne[] }
  | { tool: string; facts: Fact[] }
  | { tool: string; error: string }

export interface ToolEnd {
  result: StepResult
  credits: number
  /** Stores what belongs to it, in the transaction that ends the step. */
  store?(tx: Tx): Promise<void>
}

/** What a tool may use. */
export const toolNeeds = [
  'scraper',
  'search',
  'site',
  'llm',
  'store',
  'admission',
  'clock',
  'maker',
  'linkBase',
  'threats',
  'interact',
] as const satisfies readonly (keyof Services)[]
export type ToolHas = Pick<Services, (typeof toolNeeds)[number]>

export interface ToolCall<Input> {
  has: ToolHas
  team: RunTeam
  runId: string
  goal: Goal
  input: Input
  /** Characters that one request to a model may read. */
  pageChars: number
  /** False for an address that the policy on threats refuses. */
  isAllowed(url: string): boolean
  /** False for an address that this run may not go to from there: see policy.ts. */
  mayVisit(url: string, from: string): boolean
  /** Writes something into the trace while the call is under way. */
  tell(event: TraceEvent): Promise<void>
}

/** What a model may choose of a tool. Addresses go by the numbers they were offered under: it can name no other. */
export interface Offer<Input> {
  /** Properties of a JSON schema. */
  slots: Readonly<Record<string, object>>
  /** The input that its choice stands for; undefined: it chose nothing that there is. */
  fill(chosen: Readonly<Record<string, unknown>>, ground: ToolContext): Input | undefined
}

export interface ToolContext {
  goal: Goal
  /** The address under a number. */
  at(number: unknown): { url: string; from?: string } | undefined
  /** What can be pressed on the page under a number. */
  buttons(number: unknown): readonly string[]
}

export const LINK_SLOT = { type: 'integer', description: 'The number of a link.' }

/** The page a link stood on; absent: the caller or a search named it. */
export const place = { from: z.string().optional() }

export interface AgentTool<Input = never> {
  name: string
  /** What it is good for, for a model that chooses. */
  use: string
  /** What a call takes: nothing else reaches it. */
  input: z.ZodType<Input>
  /** The most that a call may cost. */
  price(input: Input): number
  /** The addresses it begins with; the policy is asked about each before anything is reserved. */
  visits(input: Input): readonly Visitable[]
  /** Absent: a model has no say in it. */
  offer?: Offer<Input>
  call(call: ToolCall<Input>, signal: AbortSignal): Promise<ToolEnd>
}

/** `Services` lists tools by name only, so that it need not know what a tool may use; the agent fills it with these. */
export const toolsIn = (tools: Services['agentTools']): readonly AgentTool[] => tools as readonly AgentTool[]

export const toolOf = (tools: Services['agentTools'], name: string): AgentTool => {
  const tool = toolsIn(tools).find((one) => one.name === name)
  if (!tool) throw new Problem('bad_request', { because: `this service has no tool "${name}"` })
  return tool
}

/** The most that a step may cost. */
export const priceOf = (tools: Services['agentTools'], { tool, input }: PlannedStep): number =>
  toolOf(tools, tool).price(input as never)

/** What the run says about a step: who may go where, and where to write down what happens. */
export type StepContext = Pick<ToolCall<unknown>, 'runId' | 'mayVisit' | 'tell' | 'pageChars'>

/** Takes a step under the policy on threats that the request and the team have; a failure is an answer, and free. */
export async function takeStep(
  has: ToolHas & Pick<Services, 'agentTools'>,
  team: RunTeam,
  goal: Goal,
  step: PlannedStep,
  ground: StepContext,
  signal: AbortSignal,
): Promise<ToolEnd> {
  try {
    const tool = toolOf(has.agentTools, step.tool)
    const wish = { asked: team.options.threatProtection, keeps: true }
    return await has.threats.under(team.teamId, wish, (policy) => {
      const isAllowed = (url: string) => has.threats.guard.isAllowed(url, policy)
      const mayVisit: StepContext['mayVisit'] = (url, from) => isAllowed(url) && ground.mayVisit(url, from)
      return tool.call({ ...ground, has, team, goal, input: step.input as never, isAllowed, mayVisit }, signal)
    })
  } catch (error) {
    // Broken off from outside: the step is begun again by whoever goes on.
    if (signal.aborted) throw error
    return { result: { tool: step.tool, error: asProblem(error).message }, credits: 0 }
  }
}
