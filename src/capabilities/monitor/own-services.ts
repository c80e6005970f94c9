// What this capability opens for itself.
import { makeRouteBuilder, type ServicesWith } from '../route.ts'
import type { MonitorOwnServices } from './monitor-service-types.ts'

export interface MonitorServices {
  monitoring: MonitorOwnServices
}

export type HandlerServices = ServicesWith<'search' | 'startCrawl' | 'flowStart'> & MonitorServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
