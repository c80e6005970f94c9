// Service groups that this capability needs.
import { type GivenServices, makeRouteBuilder, type ServiceGroup } from '../route.ts'

export const needs = [
  'core',
  'pages',
  'web',
  'models',
  'jobs',
  'search',
  'sessions',
] as const satisfies readonly ServiceGroup[]
export interface AgentServices {
  agentTools: readonly { name: string }[]
}

export type HandlerServices = GivenServices<(typeof needs)[number]> & AgentServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
