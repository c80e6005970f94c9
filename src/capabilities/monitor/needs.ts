// The groups of services that this capability needs.
import { type GivenServices, routeFor, type ServiceGroup } from '../route.ts'
import type { Monitoring } from './monitor-services.ts'

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
  monitoring: Monitoring
}

export type HandlerServices = GivenServices<(typeof needs)[number]> & MonitorServices
export const route = routeFor<HandlerServices>()

export type MonitorParts = HandlerServices
