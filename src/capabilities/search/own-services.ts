// What this capability opens for itself.
import { makeRouteBuilder, type Services } from '../route.ts'
import type { ProviderState } from './provider-health.ts'

export interface SearchServices {
  searchProviders(): ProviderState[]
}

export type HandlerServices = Services & SearchServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
