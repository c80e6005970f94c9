// The groups of services that this capability needs.
import { type GivenServices, routeFor, type ServiceGroup } from '../route.ts'
import type { ProviderState } from './health.ts'

export const needs = ['core', 'pages', 'web', 'search'] as const satisfies readonly ServiceGroup[]
export interface SearchServices {
  searchProviders(): ProviderState[]
}

export type HandlerServices = GivenServices<(typeof needs)[number]> & SearchServices
export const route = routeFor<HandlerServices>()
