// Service groups that this capability needs.

import type { AssertionVerifier } from '../../teams/identity-assertions.ts'
import type { OauthGrants } from '../../teams/oauth-grants.ts'
import { type GivenServices, makeRouteBuilder, type ServiceGroup } from '../route.ts'

export const needs = ['core', 'service'] as const satisfies readonly ServiceGroup[]
export interface OnboardingServices {
  assertions: AssertionVerifier
  registrationPlan: string
  /** Undefined: off. */
  oauth: OauthGrants | undefined
}

export type HandlerServices = GivenServices<(typeof needs)[number]> & OnboardingServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
