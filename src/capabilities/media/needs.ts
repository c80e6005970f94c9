// The groups of services that this capability needs.
import { type GivenServices, routeFor, type ServiceGroup } from '../route.ts'

export const needs = ['core'] as const satisfies readonly ServiceGroup[]
type HandlerServices = GivenServices<(typeof needs)[number]>
export const route = routeFor<HandlerServices>()
