// How callers without a key get one: consent in the browser, or an assertion by a trusted issuer.
import { defineCapability } from '../capability.ts'
import { agentRegistrationRoutes } from './agent-registration-routes.ts'
import { cliLoginRoutes } from './cli-login-routes.ts'
import { needs } from './needs.ts'
import { oauthRoutes } from './oauth-routes.ts'
import { openOnboardingServices } from './open-services.ts'

export const onboardingCapability = defineCapability({
  name: 'onboarding',
  tag: 'Onboarding',
  right: 'none',
  needs,
  open: openOnboardingServices,
  routes: [...cliLoginRoutes, ...agentRegistrationRoutes, ...oauthRoutes],
})
