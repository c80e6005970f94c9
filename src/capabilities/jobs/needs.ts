// Service groups that this capability needs.
import { type GivenServices, makeRouteBuilder, type ServiceGroup } from '../route.ts'

export const needs = ['core', 'jobs', 'web'] as const satisfies readonly ServiceGroup[]
export type HandlerServices = GivenServices<(typeof needs)[number]>
export const defineRoute = makeRouteBuilder<HandlerServices>()
