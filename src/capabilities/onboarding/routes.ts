// How callers without a key get one: consent in the browser, or an assertion by a trusted issuer.
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
