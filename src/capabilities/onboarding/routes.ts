// How callers without a key get one: consent in the browser, or an assertion by a trusted issuer.

import { openOperatorFetch } from '../../fetch/operator-fetch.ts'
import { openAssertionVerifier } from '../../teams/identity-assertions.ts'
import { openOauthGrants } from '../../teams/oauth-grants.ts'
import { defineCapability } from '../capability.ts'
import type { CapabilityContext, OpenedCapability } from '../capability-context.ts'
import { agentRegistrationRoutes } from './agent-registration-routes.ts'
import { cliLoginRoutes } from './cli-login-routes.ts'
import { oauthRoutes } from './oauth-routes.ts'
import type { OnboardingServices } from './own-services.ts'

/** With the verifier for assertions of issuers that the operator trusts. */
function openServices({ config, store, clock, log, closing }: CapabilityContext): OpenedCapability<OnboardingServices> {
  const { trustedIssuers: issuers, registrationDomains: domains, registrationPlan, dnsServers } = config
  const documents = openOperatorFetch({ addresses: issuers, dnsServers, log })
  closing.add(() => documents.close())
  const assertions = openAssertionVerifier({ issuers, domains, fetchJson: documents.fetchJson, clock })
  const oauth = config.oauth === 'on' ? openOauthGrants(store, clock) : undefined
  return { own: { assertions, registrationPlan, oauth } }
}

export const onboardingCapability = defineCapability({
  name: 'onboarding',
  tag: 'Onboarding',
  right: 'none',
  open: openServices,
  routes: [...cliLoginRoutes, ...agentRegistrationRoutes, ...oauthRoutes],
})
