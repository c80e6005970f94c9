// How those without a key come by one: a person's consent in the browser, or the word of an issuer the operator trusts.
import type { Capability } from '../route.ts'
import { agentAuthRoutes } from './agent-auth.ts'
import { cliLoginRoutes } from './cli-login.ts'

export const onboarding: Capability = { name: 'onboarding', routes: [...cliLoginRoutes, ...agentAuthRoutes] }
