// What this capability opens for itself.

import type { AssertionVerifier } from '../../teams/identity-assertions.ts'
import type { OauthGrants } from '../../teams/oauth-grants.ts'
import { makeRouteBuilder, type Services } from '../route.ts'

export interface OnboardingServices {
  assertions: AssertionVerifier
  registrationPlan: string
  /** Undefined: off. */
  oauth: OauthGrants | undefined
}

export type HandlerServices = Services & OnboardingServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
