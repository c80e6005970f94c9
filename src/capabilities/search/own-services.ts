// What this capability opens for itself.
import { makeRouteBuilder, type ServicesWith } from '../route.ts'
import type { ProviderState } from './provider-health.ts'

export type SearchServices = { searchProviders(): ProviderState[] }

export type HandlerServices = ServicesWith<'search'> & SearchServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
