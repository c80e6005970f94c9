// Opens the verifier for assertions of issuers that the operator trusts.
import { openOperatorFetch } from '../../fetch/operator-fetch.ts'
import { openAssertionVerifier } from '../../teams/identity-assertions.ts'
import { openOauthGrants } from '../../teams/oauth-grants.ts'
import type { CapabilityContext, OpenedCapability } from '../capability-context.ts'
import type { OnboardingServices } from './needs.ts'

export function openOnboardingServices({
  config,
  store,
  clock,
  log,
  closing,
}: CapabilityContext): OpenedCapability<OnboardingServices> {
  const { trustedIssuers: issuers, registrationDomains: domains, registrationPlan, dnsServers } = config
  const documents = openOperatorFetch({ addresses: issuers, dnsServers, log })
  closing.add(() => documents.close())
  const assertions = openAssertionVerifier({ issuers, domains, fetchJson: documents.fetchJson, clock })
  const oauth = config.oauth === 'on' ? openOauthGrants(store, clock) : undefined
  return { own: { assertions, registrationPlan, oauth } }
}
