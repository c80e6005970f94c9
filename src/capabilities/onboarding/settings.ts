// Operator settings of registration.
import { z } from 'zod'
import { commaListSchema, defineSetting, type Setting } from '../../base/setting.ts'
import { planNames } from '../../teams/plans.ts'

export const onboardingSettings = {
  trustedIssuers: defineSetting(
    'ORB_TRUSTED_ISSUERS',
    commaListSchema.refine(
      (issuers) => issuers.every((issuer) => /^https?:\/\//.test(issuer) && URL.canParse(issuer)),
      {
        error: 'must be addresses such as https://login.example.org',
      },
    ),
    'Comma list of issuers (https://…) whose identity assertions may register agents at POST /agent/auth. Unset: off.',
  ),
  oauth: defineSetting(
    'ORB_OAUTH',
    z.enum(['on', 'off']).default('off'),
    'off',
    'OAuth 2.1 for MCP clients that take no key: a person with a key of the right `admin` consents in the dashboard.',
  ),
  registrationPlan: defineSetting(
    'ORB_REGISTRATION_PLAN',
    z.enum(planNames).default('free'),
    'The plan of teams that are created by registration.',
  ),
  registrationDomains: defineSetting(
    'ORB_REGISTRATION_DOMAINS',
    commaListSchema,
    'Comma list of e-mail domains that may register. Unset: every domain that a trusted issuer asserts.',
  ),
} satisfies Record<string, Setting>
