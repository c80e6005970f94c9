// A team's threat policy, and a dry run that assesses a URL without visiting it.

import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { DEFAULT_THREAT_POLICY } from '../../fetch/threats/threat-policy.ts'
import { clientShape, threatShape, webUrlSchema } from '../../scrape/scrape-options.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute } from '../route.ts'
import { successReply } from '../schema-parts.ts'

const { riskScoreThreshold, blacklist, whitelist, blockedTlds, failurePolicy, newHostDays, newHostAction } = threatShape
const fallback = DEFAULT_THREAT_POLICY

const threatPolicyBody = z
  .strictObject({
    mode: threatShape.mode.describe('off, normal (lists and risk), manual-only (own lists alone).'),
    riskScoreThreshold: riskScoreThreshold.default(fallback.riskScoreThreshold).describe('Refuse from this risk on.'),
    blacklist: blacklist
      .default([])
      .describe('Domains that are refused, with their subdomains; *.domain: only subdomains.'),
    whitelist: whitelist.default([]).describe('Domains that are never refused.'),
    blockedTlds: blockedTlds.default([]).describe('Top-level domains that are refused, without their dot.'),
    failurePolicy: failurePolicy.default(fallback.failurePolicy).describe('Behaviour while lists cannot be read.'),
    newHostDays: newHostDays.default(fallback.newHostDays),
    newHostAction: newHostAction.default(fallback.newHostAction),
    allowRequestOverrides: z.boolean().default(true).describe('Whether a request may override it.'),
    ...clientShape,
  })
  .describe('The whole policy: fields that are left out get their default.')

const threatPolicyReply = successReply({
  data: z.object({
    mode: z.string(),
    riskScoreThreshold: z.int(),
    blacklist: z.array(z.string()),
    whitelist: z.array(z.string()),
    blockedTlds: z.array(z.string()),
    failurePolicy: z.string(),
    newHostDays: z.int(),
    newHostAction: z.string(),
    allowRequestOverrides: z.boolean(),
    configured: z.boolean(),
    updatedAt: z.string().nullable(),
  }),
})

const threatCheckBody = z.strictObject({
  url: webUrlSchema,
  threatProtection: z.strictObject(threatShape).partial().optional().describe('In the form of the option of a scrape.'),
  ...clientShape,
})

const threatCheckReply = successReply({
  data: z.object({
    url: z.string(),
    blocked: z.boolean(),
    rule: z.string().describe('The rule that decided.'),
    riskScore: z.number(),
    reasons: z.array(z.string()),
  }),
})

const tag = 'Account'

const readPolicy = defineRoute({
  method: 'GET',
  path: '/v2/team/threat-protection',
  summary: 'The threat protection policy of the team',
  reply: threatPolicyReply,
  async handle({ threats }, _input, { caller }) {
    if (threats.floor === 'off') throw offHere()
    return { success: true, data: await threats.read(caller.teamId) }
  },
})

const writePolicy = defineRoute({
  method: 'PUT',
  right: 'admin',
  path: '/v2/team/threat-protection',
  summary: 'Replace the threat protection policy of the team',
  body: threatPolicyBody,
  reply: threatPolicyReply,
  async handle({ threats }, { body }, { caller }) {
    if (threats.floor === 'off') throw offHere()
    if (body.mode === 'zscaler') throw new Problem('forbidden', { because: 'no zscaler connection is configured' })
    if (body.mode === 'off' && threats.floor === 'enforced')
      throw new Problem('forbidden', { because: 'threat protection is enforced on this service' })
    const { origin: _origin, integration: _integration, ...policy } = body
    return { success: true, data: await threats.write(caller.teamId, policy) }
  },
})

const checkAddress = defineRoute({
  method: 'POST',
  path: '/v2/team/threat-protection/check',
  summary: 'Threat check of a URL, without a visit',
  body: threatCheckBody,
  reply: threatCheckReply,
  async handle({ threats }, { body }, { caller }) {
    const url = new URL(body.url)
    const policy = await threats.policyFor(caller.teamId, body.threatProtection ?? { mode: 'normal' })
    if (!policy) throw offHere()
    const { blocked, rule, score, reasons } = threats.guard.judge(url, policy)
    return { success: true, data: { url: url.href, blocked, rule, riskScore: score, reasons } }
  },
})

const offHere = () => new Problem('forbidden', { because: 'threat protection is switched off on this service' })

export const threatsCapability = defineCapability({
  name: 'threats',
  tag,
  right: 'use',
  bucket: 'account',
  group: 'open',
  routes: [readPolicy, writePolicy, checkAddress],
  prices: [{ what: 'a risk computed by threat protection, per URL', credits: 2 }],
})
