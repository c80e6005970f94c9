// Service groups that this capability needs.
import { type GivenServices, makeRouteBuilder, type ServiceGroup } from '../route.ts'
import type { MonitorOwnServices } from './monitor-service-types.ts'

export const needs = [
  'core',
  'pages',
  'web',
  'models',
  'jobs',
  'search',
  'crawls',
  'flows',
] as const satisfies readonly ServiceGroup[]
export interface MonitorServices {
  monitoring: MonitorOwnServices
}

export type HandlerServices = GivenServices<(typeof needs)[number]> & MonitorServices
export const defineRoute = makeRouteBuilder<HandlerServices>()

export type MonitorParts = HandlerServices
