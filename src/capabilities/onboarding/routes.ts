// How those without a key come by one: a person's consent in the browser, or the word of an issuer the operator trusts.
import { defineCapability } from '../capability.ts'
import { agentAuthRoutes } from './agent-auth.ts'
import { cliLoginRoutes } from './cli-login.ts'
import { needs } from './needs.ts'
import { openRegistration } from './open.ts'

export const onboarding = defineCapability({
  name: 'onboarding',
  right: 'none',
  needs,
  open: openRegistration,
  routes: [...cliLoginRoutes, ...agentAuthRoutes],
})
