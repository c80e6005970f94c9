// The pages of jobs as everyone sees them: the verbs of the frontier and what they take and give.
import type { SerialisedProblem } from '../base/problem.ts'
import type { PageState, Tx } from './tables.ts'
import type { TransactionStep } from './together.ts'
import type { TakenPages } from './turns.ts'

/** The place of a page that was reached under another address: nobody's trouble. */
export const ALIAS = 'ALIAS'
export const DUPLICATE = 'DUPLICATE'

export interface NewPage {
  /** One page per key and job. */
  key: string
  url: string
  depth: number
  optionsN?: number
}

/** A page that somebody is to work on. */
export interface JobPage {
  id: string
  jobId: string
  url: string
  key: string
  depth: number
  optionsN: number
  /** This time included. */
  attempts: number
}

export interface JobRoom {
  jobId: string
  /** Pages the job holds, and may hold. */
  total: number
  pageLimit: number | null
}

/** Where a job stands. */
export interface JobSums {
  total: number
  pageLimit: number | null
  queued: number
  active: number
  discovering: boolean
}

export interface Result {
  seq: number
  bytes: number
}

/** A page that will not be visited; with a problem when that is the caller's to know as an error. */
export interface DroppedPage {
  key: string
  url: string
  reason: string
  problem?: SerialisedProblem
}

export interface Trouble {
  id: string
  url: string
  state: PageState
  reason: string | null
  problem: SerialisedProblem | undefined
  at: number | null
}

/** A page of a job as its owner may look at it. */
export interface SeenPage {
  key: string
  url: string
  depth: number
  state: PageState
  reason: string | null
  problem: SerialisedProblem | undefined
  scrapeId: string | null
  at: number | null
}

export interface Frontier {
  /** Adds what the job does not know yet, as far as its limit allows; returns how many were added. */
  add(tx: Tx, room: JobRoom, pages: readonly NewPage[]): Promise<number>
  /** Those of the keys that the job does not know yet, so that only they need to be judged and added. */
  unknown(jobId: string, keys: readonly string[]): Promise<ReadonlySet<string>>
  /** Remembers pages that will not be visited, and why. */
  drop(tx: Tx, jobId: string, pages: readonly DroppedPage[]): Promise<void>
  /**
   * Makes pages active: as many as the team has slots free, its jobs in turn. `capacity` is what all workers together
   * can do, for teams without slots of their own.
   */
  take(tx: Tx, teamId: string, capacity: number, leaseUntil: number): Promise<TakenPages>
  /** The active page, counted as one more attempt; undefined when it is not active or its job is over. */
  begin(id: string, leaseUntil: number): Promise<JobPage | undefined>
  extend(ids: readonly string[], leaseUntil: number): Promise<void>
  /** Active pages whose lease lapsed. */
  lapsed(limit: number): Promise<string[]>
  /**
   * Ends an active page well and gives it the next place in the results. Undefined when it is not active any more: the
   * caller must then let the transaction fail.
   */
  completion(page: JobPage, scrapeId: string | null, credits: number): TransactionStep<JobSums | undefined>
  /** Ends an active page badly, or leaves it out. */
  fail(tx: Tx, page: JobPage, problem: SerialisedProblem, credits?: number): Promise<boolean>
  leaveOut(tx: Tx, page: JobPage, reason: string): Promise<boolean>
  /** Puts an active page back, to be taken again later. */
  putBack(tx: Tx, page: JobPage, runAt: number, countsAsAttempt: boolean): Promise<boolean>
  /** Drops every page that nobody works on; returns how many. */
  dropQueued(tx: Tx, jobId: string, reason: string): Promise<number>
  /** Sizes of the results after `skip`, at most `limit` of them. */
  results(jobId: string, skip: number, limit: number): Promise<Result[]>
  /** The texts of results `from` to `to`: the stored document and the metadata of its scrape, both JSON. */
  texts(jobId: string, from: number, to: number): Promise<{ seq: number; body: Uint8Array; overlay: string }[]>
  troubles(jobId: string, limit: number, tx?: Tx): Promise<Trouble[]>
  /** Every page of a job whose key comes after this one, in the order of keys, whatever became of it. */
  seen(jobId: string, after: string, limit: number): Promise<SeenPage[]>
  /** Teams with pages to take, as far as time is concerned. */
  waitingTeams(): Promise<string[]>
  /** For a page that turned out to be another: takes that one's place too; false when the job has it already. */
  alias(tx: Tx, jobId: string, key: string, url: string): Promise<boolean>
  /** To be called before a transaction touches a job's row and then takes pages: whole teams in turn, no deadlocks. */
  lockTeam(tx: Tx, teamId: string): Promise<void>
  /** The same as a step; a team that is locked already stays so. */
  teamLock(teamId: string): TransactionStep<void>
}
