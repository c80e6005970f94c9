// One machine, two planners: what to do next for a goal, given what is known. The rules plan by themselves; with a model,
// the model chooses among what the rules allow. A plan is made of the caller's words; pages only ever fill its slots.
import type { Goal } from './goal.ts'
import type { Notebook } from './notebook.ts'

export type PlannedStep =
  | { tool: 'search'; input: { query: string } }
  | { tool: 'map'; input: { url: string; search: string } }
  | { tool: 'scrape'; input: ScrapeInput }

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
}

export const EFFORTS: Readonly<Record<'low' | 'medium' | 'high', Effort>> = {
  low: { pages: 6, breadth: 2 },
  medium: { pages: 14, breadth: 3 },
  high: { pages: 40, breadth: 4 },
}

/** Pages in a row without anything new after which a run is content with what it has. */
export const MAX_IDLE = 3

export interface Taken {
  searched: boolean
  /** Sites that were mapped. */
  mapped: ReadonlySet<string>
  pages: number
}

export interface Planner {
  /** No steps: it is done. */
  next(goal: Goal, notebook: Notebook, taken: Taken, effort: Effort): Plan
}

export interface Plan {
  steps: PlannedStep[]
  /** In a sentence, for the trace. */
  because: string
}
