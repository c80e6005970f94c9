// What this capability opens for itself.
import { makeRouteBuilder, type Services } from '../route.ts'

export interface AgentServices {
  agentTools: readonly { name: string }[]
}

export type HandlerServices = Services & AgentServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
