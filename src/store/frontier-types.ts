// Types of the frontier (the pages of jobs).
import type { SerialisedProblem } from '../base/problem.ts'
import type { ActivatedPages } from './activate-pages.ts'
import type { TransactionStep } from './pipelined-statements.ts'
import type { PageState, Tx } from './tables.ts'

/** Reason for a page that was reached under another address; not reported as an error. */
export const ALIAS_REASON = 'ALIAS'
export const DUPLICATE_REASON = 'DUPLICATE'
export const UNPAID_REASON = 'NO_CREDIT'
export const DEAD_START_REASON = 'DEAD_START'

export interface NewJobPage {
  key: string
  url: string
  depth: number
  optionsN?: number
}

export interface JobPage extends Required<NewJobPage> {
  id: string
  jobId: string
  /** Includes the current attempt. */
  attempts: number
}

interface JobLimits {
  jobId: string
  total: number
  pageLimit: number | null
}

export interface JobTotals {
  total: number
  pageLimit: number | null
  queued: number
  active: number
  discovering: boolean
}

interface Result {
  seq: number
  bytes: number
}

/** A page that will not be visited; with a problem when the caller should see it as an error. */
interface DroppedPage {
  key: string
  url: string
  reason: string
  problem?: SerialisedProblem
}

interface Trouble extends Pick<JobPageRow, 'url' | 'state' | 'reason' | 'problem' | 'at'> {
  id: string
}

export interface JobPageRow extends Omit<NewJobPage, 'optionsN'> {
  state: PageState
  reason: string | null
  problem: SerialisedProblem | undefined
  scrapeId: string | null
  at: number | null
}

interface JobText {
  seq: number
  key: string
  body: Uint8Array
  overlay: string
}

export interface Frontier {
  /** Skips known pages and stops at the job's limit; returns the number added. */
  add(tx: Tx, limits: JobLimits, pages: readonly NewJobPage[]): Promise<number>
  unknown(jobId: string, keys: readonly string[]): Promise<ReadonlySet<string>>
  drop(tx: Tx, jobId: string, pages: readonly DroppedPage[]): Promise<void>
  /**
   * As many as the team has free slots, its jobs in turn. `capacity`, the total of all workers, applies to teams
   * without a limit.
   */
  take(tx: Tx, teamId: string, capacity: number, leaseUntil: number): Promise<ActivatedPages>
  /** Counts one more attempt; undefined when the page is not active or its job is over. */
  begin(id: string, leaseUntil: number): Promise<JobPage | undefined>
  extend(ids: readonly string[], leaseUntil: number): Promise<void>
  lapsed(limit: number): Promise<string[]>
  /** Of pages of one job. Undefined when one is no longer active: the caller must then roll back. */
  completion(
    jobId: string,
    pages: readonly { id: string; scrapeId: string | null }[],
    credits: number,
  ): TransactionStep<JobTotals | undefined>
  /** False when the page was no longer active. */
  fail(tx: Tx, page: JobPage, problem: SerialisedProblem, credits?: number): Promise<boolean>
  leaveOut(tx: Tx, page: JobPage, reason: string, aliasOf?: string): Promise<boolean>
  putBack(tx: Tx, page: JobPage, runAt: number, countsAsAttempt: boolean): Promise<boolean>
  dropQueued(tx: Tx, jobId: string, reason: string): Promise<number>
  /** Puts all active pages of a job back; visits that still run can no longer end them. */
  putAllBack(tx: Tx, jobId: string): Promise<void>
  /** Queues again what failed, and what was dropped for `reason`. */
  requeueFailed(tx: Tx, jobId: string, reason: string): Promise<{ failed: number; dropped: number }>
  /** Removes pages that were dropped for `reason`, so that they can be added again; returns their number. */
  forgetDropped(tx: Tx, jobId: string, reason: string): Promise<number>
  results(jobId: string, skip: number, limit: number): Promise<Result[]>
  texts(jobId: string, from: number, to: number): Promise<JobText[]>
  troubles(jobId: string, limit: number, tx?: Tx): Promise<Trouble[]>
  /** In key order and any state; `after` is the cursor. */
  seen(jobId: string, after: string, limit: number): Promise<JobPageRow[]>
  /** Pages that wait for their first visit, in the order they were added; `after` is the number of the last one read. */
  addedAfter(jobId: string, after: number, limit: number): Promise<{ n: number; url: string }[]>
  /** Teams with queued pages whose `run_at` has passed. */
  waitingTeams(): Promise<string[]>
  /** Notes that the page `of` was reached as `key`; returns the page that has this key already. */
  alias(tx: Tx, jobId: string, alias: { key: string; url: string }, of: string): Promise<string | undefined>
  /** Further addresses of pages, by their keys. */
  aliases(jobId: string, keys: readonly string[]): Promise<Map<string, string[]>>
  /** Call before a transaction updates a job's row and then takes pages: serialising by team avoids deadlocks. */
  lockTeam(tx: Tx, teamId: string): Promise<void>
  /** The same as a step; locking twice is harmless. */
  teamLock(teamId: string): TransactionStep<void>
}
