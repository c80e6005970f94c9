// The services of the monitor besides the shared ones, its queues and its prices. open-services.ts opens them.

import type { MailMessage } from '../../fetch/smtp-mail.ts'
import type { PostWebhook } from '../../jobs/deliver-webhooks.ts'
import type { ContentWorkerPool } from '../../scrape/workshop/content-worker-pool.ts'
import { makeRouteBuilder, type ServicesWith } from '../route.ts'

export type MonitorOwner = { teamId: string; keyId: string | null }

interface MonitorOwnServices {
  comparePages: ContentWorkerPool['watch']
  mail: ((mail: MailMessage, signal: AbortSignal) => Promise<void>) | undefined
  post: PostWebhook
  smallestMs: number
  /** Delay before a change is confirmed by a second visit. */
  confirmMs: number
}

/** Queue names of checks and of notifications. */
export const CHECK_QUEUE_NAME = 'monitor'
export const NOTICE_QUEUE_NAME = 'notice'

export const JUDGE_PRICE = 1
export const SEARCH_PRICE = 2

export type MonitorServices = { monitoring: MonitorOwnServices }

export type HandlerServices = ServicesWith<'search' | 'startCrawl' | 'flowStart'> & MonitorServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
