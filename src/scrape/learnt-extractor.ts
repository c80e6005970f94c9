// An extractor that a format reads with: what the scraper needs of it.
import type { Program, ProgramReading } from '../understanding/learn/program-types.ts'

export interface LearntExtractor {
  id: string
  name: string | null
  version: number
  program: Program
}

/** The team's extractors, from the capability that stores them. */
export interface ExtractorLookup {
  /** By id or name; `auto`: the one whose hosts and addresses include this one, if any. Throws when a named one is missing. */
  find(teamId: string, reference: string, url: string): Promise<LearntExtractor | undefined>
  /** Counts what a page gave, to notice that a site has changed. */
  report(teamId: string, extractor: LearntExtractor, reading: ProgramReading, url: string): void
}
