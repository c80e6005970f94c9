// Types of change tracking.
import type { JsonBytes } from '../base/json-bytes.ts'
import type { NewTrackedSnapshot } from '../store/tracked-page-snapshots.ts'
import type { ComparedValues } from '../understanding/changes/compare-json.ts'

export type PageVisibility = 'visible' | 'hidden'

interface TrackingOptions {
  markdown: JsonBytes<string>
  lines: readonly number[]
  tag: string | null
  wantsDiff: boolean
  data?: TrackedDataOptions | undefined
}

export interface TrackedDataOptions {
  schema?: unknown
  prompt?: string | undefined
  /** False: the extraction may vary by itself, so it counts only when the page changed. */
  exact: boolean
  extract(): Promise<unknown>
}

interface Tracked {
  previousScrapeAt: string | null
  changeStatus: 'new' | 'same' | 'changed' | 'removed'
  visibility: PageVisibility
  diff?: JsonBytes<unknown>
  json?: ComparedValues
}

export interface ChangeTracker {
  /** `tracked` is null when tracking is impossible; the warnings have the reason. */
  track(options: TrackingOptions, signal: AbortSignal): Promise<{ tracked: Tracked | null; warnings: string[] }>
  toKeep(): NewTrackedSnapshot | undefined
}
