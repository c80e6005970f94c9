// Operator settings of registration.
import { z } from 'zod'
import {
  commaListSchema,
  defineSetting,
  optionalTextSchema,
  type Setting,
  webAddressSchema,
} from '../../base/setting.ts'
import { planNames } from '../../teams/plans.ts'

export const onboardingSettings = {
  trustedIssuers: defineSetting(
    'ORB_TRUSTED_ISSUERS',
    commaListSchema.refine(
      (issuers) => issuers.every((issuer) => /^https?:\/\//.test(issuer) && URL.canParse(issuer)),
      {
        error: 'must be URLs such as https://login.example.org',
      },
    ),
    'Comma list of issuers (https://…) whose identity assertions may register agents at POST /agent/auth. Unset: off.',
  ),
  oauth: defineSetting(
    'ORB_OAUTH',
    z.enum(['on', 'off']).default('off'),
    'off',
    'OAuth 2.1 for MCP clients that accept no key: a person with a key of the right `admin` consents in the dashboard.',
  ),
  oidcIssuer: defineSetting(
    'ORB_OIDC_ISSUER',
    webAddressSchema,
    'unset',
    'Issuer of an OpenID Connect provider (https://…) for signing in to the dashboard. Needs ORB_PUBLIC_URL. Unset: off.',
  ),
  oidcClientId: defineSetting('ORB_OIDC_CLIENT_ID', optionalTextSchema, 'unset', 'The client registered there.'),
  oidcClientSecret: defineSetting('ORB_OIDC_CLIENT_SECRET', optionalTextSchema, 'unset', 'The secret of that client.'),
  oidcDomains: defineSetting(
    'ORB_OIDC_DOMAINS',
    commaListSchema,
    'unset',
    'Comma list of domains of verified e-mail addresses that may sign in. This or ORB_OIDC_GROUPS is needed.',
  ),
  oidcGroups: defineSetting(
    'ORB_OIDC_GROUPS',
    commaListSchema,
    'unset',
    'Comma list of groups (claim `groups`) whose members may sign in.',
  ),
  oidcAdminGroups: defineSetting(
    'ORB_OIDC_ADMIN_GROUPS',
    commaListSchema,
    'unset',
    'Comma list of groups whose members get the right `admin`, and may sign in. All others have no rights.',
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
