// Services of the monitor besides the shared ones; open.ts opens them.
import type { Post } from '../../jobs/delivery.ts'
import type { Workshop } from '../../scrape/workshop/workshop.ts'

export interface Owner {
  teamId: string
  keyId: string | null
}

export interface Mail {
  to: string
  /** Determines the Message-ID, which stays the same on retries. */
  id: string
  subject: string
  text: string
  html: string
  headers: Readonly<Record<string, string>>
}

export interface Monitoring {
  comparePages: Workshop['watch']
  mail: ((mail: Mail, signal: AbortSignal) => Promise<void>) | undefined
  post: Post
  smallestMs: number
  /** Delay before a change is confirmed by a second visit. */
  confirmMs: number
}

/** Queue names of checks and of notifications. */
export const CHECK_WAKE_UP = 'monitor'
export const NOTICE_WAKE_UP = 'notice'

export const JUDGE_PRICE = 1
export const SEARCH_PRICE = 2
