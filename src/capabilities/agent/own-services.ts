// What this capability opens for itself.
import { makeRouteBuilder, type ServicesWith } from '../route.ts'

export interface AgentServices {
  agentTools: readonly { name: string }[]
}

export type HandlerServices = ServicesWith<'browserSessions' | 'search'> & AgentServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
