// The groups of services that this capability needs.

import type { Assertions } from '../../teams/identity-assertions.ts'
import { type GivenServices, routeFor, type ServiceGroup } from '../route.ts'

export const needs = ['core', 'service'] as const satisfies readonly ServiceGroup[]
export interface OnboardingServices {
  assertions: Assertions
  registrationPlan: string
}

export type HandlerServices = GivenServices<(typeof needs)[number]> & OnboardingServices
export const route = routeFor<HandlerServices>()
