// What a tool of a run is: a name, the most that one call may cost, and the call. A tool knows nothing of plans; whoever
// calls it has reserved its price and stores its result. The list of tools is made in app.ts: a new one is a line there.
import { asProblem, Problem } from '../../../base/problem.ts'
import { type ThreatPolicy, threatRun } from '../../../fetch/threats/policy.ts'
import type { Tx } from '../../../store/tables.ts'
import type { Services } from '../../route.ts'
import type { Goal } from '../goal.ts'
import type { Link, PageRead } from '../notebook.ts'
import type { PlannedStep } from '../planner.ts'

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

/** What a step brought home, as it is kept. */
export type StepResult =
  | { tool: string; links: Link[]; warning?: string }
  | { tool: string; page: PageRead; dropped?: string[] }
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
] as const satisfies readonly (keyof Services)[]
export type ToolHas = Pick<Services, (typeof toolNeeds)[number]>

export interface ToolCall<Input> {
  has: ToolHas
  team: RunTeam
  goal: Goal
  input: Input
  /** False for an address that the policy on threats refuses. */
  isAllowed(url: string): boolean
}

export interface AgentTool<Input = never> {
  name: string
  /** The most that a call may cost. */
  price: number
  call(call: ToolCall<Input>, signal: AbortSignal): Promise<ToolEnd>
}

/** `Services` lists tools by name and price only, so that it need not know what a tool may use; the agent fills it with these. */
export const toolOf = (tools: Services['agentTools'], name: string): AgentTool => {
  const tool = tools.find((one) => one.name === name) as AgentTool | undefined
  if (!tool) throw new Problem('bad_request', { because: `this service has no tool "${name}"` })
  return tool
}

/** Takes a step under the policy on threats that the request and the team have; a failure is an answer, and free. */
export async function takeStep(
  has: ToolHas & Pick<Services, 'agentTools'>,
  team: RunTeam,
  goal: Goal,
  step: PlannedStep,
  signal: AbortSignal,
): Promise<ToolEnd> {
  try {
    const tool = toolOf(has.agentTools, step.tool)
    const policy = await has.threats.policyFor(team.teamId, team.options.threatProtection)
    const isAllowed = (url: string) => has.threats.guard.isAllowed(url, policy)
    const input = step.input as never
    return await threatRun.run(policy, () => tool.call({ has, team, goal, input, isAllowed }, signal))
  } catch (error) {
    // Broken off from outside: the step is begun again by whoever goes on.
    if (signal.aborted) throw error
    return { result: { tool: step.tool, error: asProblem(error).message }, credits: 0 }
  }
}
