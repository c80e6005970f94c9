// What tracking a page over time asks for and tells, for the format that shows it.
import type { JsonBytes } from '../base/json.ts'
import type { NewSnapshot } from '../store/snapshots.ts'
import type { Changed } from '../understanding/changes/compare-json.ts'

export type Visibility = 'visible' | 'hidden'

export interface TrackingOptions {
  markdown: JsonBytes<string>
  /** Fingerprints of all lines of the page; see `wholePage`. */
  lines: readonly number[]
  tag: string | null
  wantsDiff: boolean
  /** How to extract, in `json` mode. */
  data?: TrackedDataOptions | undefined
}

export interface TrackedDataOptions {
  schema?: unknown
  prompt?: string | undefined
  /** False: an extraction may differ although the page does not, so it counts only when the page changed. */
  exact: boolean
  extract(): Promise<unknown>
}

export interface Tracked {
  previousScrapeAt: string | null
  changeStatus: 'new' | 'same' | 'changed' | 'removed'
  visibility: Visibility
  diff?: JsonBytes<unknown>
  json?: Changed
}

export interface History {
  /** Undefined when there is nothing to say; the reason is in the warnings. */
  track(wish: TrackingOptions, signal: AbortSignal): Promise<{ tracked: Tracked | null; warnings: string[] }>
  /** What to remember once the scrape is recorded. */
  toKeep(): NewSnapshot | undefined
}
