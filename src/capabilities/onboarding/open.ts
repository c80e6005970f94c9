// Opens the verifier for assertions of issuers that the operator trusts.
import { openOperatorFetch } from '../../fetch/operator-fetch.ts'
import { openAssertions } from '../../teams/identity-assertions.ts'
import type { CapabilityContext, Opened } from '../opened-services.ts'
import type { OnboardingServices } from './needs.ts'

export function openRegistration({ config, clock, log, closing }: CapabilityContext): Opened<OnboardingServices> {
  const { trustedIssuers: issuers, registrationDomains: domains, registrationPlan, dnsServers } = config
  const documents = openOperatorFetch({ addresses: issuers, dnsServers, log })
  closing.add(() => documents.close())
  const assertions = openAssertions({ issuers, domains, fetchJson: documents.fetchJson, clock })
  return { own: { assertions, registrationPlan } }
}
