// What this capability opens for itself.
import { makeRouteBuilder, type Services } from '../route.ts'
import type { MonitorOwnServices } from './monitor-service-types.ts'

export interface MonitorServices {
  monitoring: MonitorOwnServices
}

export type HandlerServices = Services & MonitorServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
