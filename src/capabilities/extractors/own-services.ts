// What this capability opens for itself.
import type { ContentWorkerPool } from '../../scrape/workshop/content-worker-pool.ts'
import { makeRouteBuilder, type Services } from '../route.ts'

export type OwnServices = { learnFromPages: ContentWorkerPool['learn'] }

export type HandlerServices = Services & OwnServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
