// One machine, two planners: what to do next for a goal, given what is known. The rules plan by themselves; with a model,
// the model chooses among what the rules allow. A plan is made of the caller's words; pages only ever fill its slots.
import type { TokenLimits } from '../../llm/tokens.ts'
import type { Goal } from './goal.ts'
import type { Notebook } from './notebook.ts'

/** A step by the name of its tool; the rules know these, and a model may choose every tool of the list. */
export type PlannedStep =
  | { tool: 'search'; input: { query: string } }
  | { tool: 'map'; input: { url: string; search: string } }
  | { tool: 'scrape' | 'parse'; input: ScrapeInput }
  | { tool: 'crawl'; input: { url: string; limit: number; from?: string } }
  | { tool: 'extract'; input: { urls: string[]; from?: string } }
  | { tool: 'interact'; input: InteractStep }
  | { tool: 'recall'; input: Record<string, never> }

/** One thing that is done on a page; see tools/deeds.ts. */
export type InteractStep = { url: string; from?: string } & (
  | { do: 'more' }
  | { do: 'press'; name: string }
  | { do: 'search'; words: string }
)

export interface ScrapeInput {
  url: string
  /** The page the link stood on; absent: the caller or a search named it. */
  from?: string
  /** The item of the list that this page is about. */
  record?: string
}

export interface Effort {
  /** Pages that may be read. */
  pages: number
  /** Steps at once. */
  breadth: number
  /** What a model may use, for one request and for the whole run. */
  tokens: TokenLimits
}

export const EFFORTS: Readonly<Record<'low' | 'medium' | 'high', Effort>> = {
  low: { pages: 6, breadth: 2, tokens: { reads: 12_000, writes: 2000, total: 100_000 } },
  medium: { pages: 14, breadth: 3, tokens: { reads: 24_000, writes: 4000, total: 400_000 } },
  high: { pages: 40, breadth: 4, tokens: { reads: 32_000, writes: 8000, total: 1_500_000 } },
}

/** Pages that one step of a crawl, and of several addresses, may read. */
export const MOST_CRAWLED = 12
export const MOST_TOGETHER = 10

/** Pages in a row without anything new after which a run is content with what it has. */
export const MAX_IDLE = 3

export interface StepsTaken {
  searched: boolean
  /** Sites that were mapped. */
  mapped: ReadonlySet<string>
  /** What was done on pages, as `deedOf` names it. */
  deeds: ReadonlySet<string>
  pages: number
}

/** Once is enough for each of them. */
export const deedOf = ({ url, ...deed }: InteractStep): string =>
  [deed.do, url, 'name' in deed ? deed.name : ''].join(' ')

export interface Planner {
  /** No steps: it is done. */
  next(goal: Goal, notebook: Notebook, taken: StepsTaken, effort: Effort): AgentPlan
}

export interface AgentPlan {
  steps: PlannedStep[]
  /** In a sentence, for the trace. */
  because: string
}
