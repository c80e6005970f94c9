// Filling a shape, as those see it who are asked for a part of it: what was found, what is missing, and where each value
// came from.
import type { FieldContext } from './asking.ts'
import type { Places } from './places.ts'
import type { Shape } from './shape.ts'

export interface Filled {
  value: Record<string, unknown>
  /** Fields that have an answer, and all there are: how well the places fit the shape. */
  found: number
  asked: number
  /** The sum of how sure each answer is. */
  sure: number
}

export interface Report {
  /** Required fields that must not be null and have no answer. */
  missing: string[]
  /** Where each value came from, by its path. */
  sources: Record<string, string>
}

/** Fills a shape; handed down to lists, whose items are shapes again. */
export type Fill = (shape: Shape, places: Places, ground: FieldContext, path: string, report: Report) => Filled
