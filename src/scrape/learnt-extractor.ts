// An extractor that a format reads with: what the scraper needs of it.
import type { Program, ProgramReading } from '../understanding/learn/program-types.ts'

export interface LearntExtractor {
  id: string
  name: string | null
  version: number
  program: Program
}

/** What a `json` format asks for; extractors that a model taught belong to one such request. */
export interface LearningTask {
  schema: Record<string, unknown>
  prompt?: string | undefined
}

/** A model's values that were verified on the page. */
export interface Lesson extends LearningTask {
  data: Record<string, unknown>
  /** The extractor that fitted the page and read only some of its fields. */
  extends?: string | undefined
}

/** The team's extractors, from the capability that stores them. */
export interface ExtractorLookup {
  /** By id or name; `auto`: the one whose hosts and addresses include this one, if any. Throws when a named one is missing. */
  find(teamId: string, reference: string, url: string): Promise<LearntExtractor | undefined>
  /** The team's extractors of the page, reduced to fields that the schema has too. */
  forSchema(teamId: string, schema: Record<string, unknown>, url: string): Promise<LearntExtractor[]>
  /** Extractors that a model taught for this request on other pages of the site; the nearest first. */
  taughtByModel(teamId: string, task: LearningTask, url: string): Promise<LearntExtractor[]>
  /** Learns from a model's answer, so that the next pages of the template need no model. Never throws or waits. */
  learn(teamId: string, lesson: Lesson, page: { html: string; url: string }): void
  /** Counts what a page gave, to notice that a site has changed. `isKept`: its values may be stored. */
  report(teamId: string, extractor: LearntExtractor, reading: ProgramReading, url: string, isKept: boolean): void
}
