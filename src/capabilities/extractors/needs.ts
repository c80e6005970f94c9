// Service groups that this capability needs.
import type { ContentWorkerPool } from '../../scrape/workshop/content-worker-pool.ts'
import { type GivenServices, makeRouteBuilder, type ServiceGroup } from '../route.ts'

export const needs = ['core', 'pages', 'web', 'jobs'] as const satisfies readonly ServiceGroup[]

export interface OwnServices {
  learnFromPages: ContentWorkerPool['learn']
}

export type HandlerServices = GivenServices<(typeof needs)[number]> & OwnServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
