// Service groups that this capability needs.
import { type GivenServices, makeRouteBuilder, type ServiceGroup } from '../route.ts'
import type { ProviderState } from './provider-health.ts'

export const needs = ['core', 'pages', 'web', 'search'] as const satisfies readonly ServiceGroup[]
export interface SearchServices {
  searchProviders(): ProviderState[]
}

export type HandlerServices = GivenServices<(typeof needs)[number]> & SearchServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
