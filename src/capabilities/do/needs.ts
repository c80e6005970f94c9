// Service groups that this capability needs.
import { type GivenServices, makeRouteBuilder, type ServiceGroup } from '../route.ts'

export const needs = ['service'] as const satisfies readonly ServiceGroup[]
export const defineRoute = makeRouteBuilder<GivenServices<(typeof needs)[number]>>()
