// The groups of services that this capability needs.
import { type GivenServices, routeFor, type ServiceGroup } from '../route.ts'
import type { Peers } from './peer-requests.ts'
import type { Replays } from './replay-video.ts'

export const needs = ['core', 'sessions'] as const satisfies readonly ServiceGroup[]
/** What this capability opens for itself. */
export interface InteractServices {
  peers: Peers
  replays: Replays
}

export type HandlerServices = GivenServices<(typeof needs)[number]> & InteractServices
export const route = routeFor<HandlerServices>()
