// What the monitor needs besides the services of every capability; open.ts opens it.
import type { Post } from '../../jobs/delivery.ts'
import type { Workshop } from '../../scrape/workshop/workshop.ts'

/** Who a check works for. */
export interface Owner {
  teamId: string
  keyId: string | null
}

export interface Mail {
  to: string
  /** Makes the message id: the same however often it is sent. */
  id: string
  subject: string
  text: string
  html: string
  headers: Readonly<Record<string, string>>
}

export interface Monitoring {
  watchLooks: Workshop['watch']
  /** Undefined when the operator named no mail server. */
  mail: ((mail: Mail, signal: AbortSignal) => Promise<void>) | undefined
  /** One POST to an address that a caller named. */
  post: Post
  /** The smallest wait between two looks. */
  smallestMs: number
  /** How long after a change the page is looked at again. */
  confirmMs: number
}

/** The bells of a check, and of a message to people. */
export const CHECK_BELL = 'monitor'
export const NOTICE_BELL = 'notice'

/** Credits of a changed page or a search result that is judged by the goal. */
export const JUDGE_PRICE = 1
/** Credits of every started ten results of a search. */
export const SEARCH_PRICE = 2
