// The groups of services that this capability needs.
import { type GivenServices, routeFor, type ServiceGroup } from '../route.ts'

export const needs = [
  'core',
  'pages',
  'web',
  'models',
  'jobs',
  'search',
  'sessions',
] as const satisfies readonly ServiceGroup[]
/** What this capability opens for itself. */
export interface AgentServices {
  agentTools: readonly { name: string }[]
}

export type HandlerServices = GivenServices<(typeof needs)[number]> & AgentServices
export const route = routeFor<HandlerServices>()
