// Operator settings of registration.
import { z } from 'zod'
import { list, type Setting, setting } from '../../base/setting.ts'
import { planNames } from '../../teams/plans.ts'

export const onboardingSettings = {
  trustedIssuers: setting(
    'ORB_TRUSTED_ISSUERS',
    list.refine((issuers) => issuers.every((issuer) => /^https?:\/\//.test(issuer) && URL.canParse(issuer)), {
      error: 'must be addresses such as https://login.example.org',
    }),
    'unset',
    'Comma list of issuers (https://…) whose identity assertions may register agents at POST /agent/auth. Unset: off.',
  ),
  registrationPlan: setting(
    'ORB_REGISTRATION_PLAN',
    z.enum(planNames).default('free'),
    'free',
    'The plan of teams that come about by registration.',
  ),
  registrationDomains: setting(
    'ORB_REGISTRATION_DOMAINS',
    list,
    'unset',
    'Comma list of e-mail domains that may register. Unset: every domain that a trusted issuer vouches for.',
  ),
} satisfies Record<string, Setting>
