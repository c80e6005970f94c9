// Schemas of threat protection.
import { z } from 'zod'
import { DEFAULT_THREAT_POLICY } from '../../fetch/threats/threat-policy.ts'
import { clientShape, threatShape, webUrlSchema } from '../../scrape/scrape-options.ts'

const { riskScoreThreshold, blacklist, whitelist, blockedTlds, failurePolicy, newHostDays, newHostAction } = threatShape
const fallback = DEFAULT_THREAT_POLICY

export const threatPolicyBody = z
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

export const threatPolicyReply = z.object({
  success: z.literal(true),
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

export const threatCheckBody = z.strictObject({
  url: webUrlSchema,
  threatProtection: z.strictObject(threatShape).partial().optional().describe('In the form of the option of a scrape.'),
  ...clientShape,
})

export const threatCheckReply = z.object({
  success: z.literal(true),
  data: z.object({
    url: z.string(),
    blocked: z.boolean(),
    rule: z.string().describe('The rule that decided.'),
    riskScore: z.number(),
    reasons: z.array(z.string()),
  }),
})
